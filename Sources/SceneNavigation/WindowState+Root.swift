public import SceneRouting

extension WindowState {
    /// The flow that is shown instead of tabs; `nil` where tabs are shown, or a flow that is no root of this app.
    public func rootFlow(_ engine: RoutingEngine) -> String? {
        guard tabs.count == 1, let root = tabs.first, root.id == Self.rootTab, let first = root.stack.first else {
            return nil
        }
        return engine.rootFlow(ofScreen: first.id)
    }

    /// Whether the flow is on screen as a unit: presented, or instead of tabs.
    public func shows(flow: String, _ engine: RoutingEngine) -> Bool {
        modals.contains { $0.flow == flow } || rootFlow(engine) == flow
    }
}
