package import SceneNavigation
package import SceneRouting

// The coordinators of what is on screen, and who of them is asked.
extension RootRouter {
    /// The coordinator of the topmost screen and those above it, in the order in which they are asked to take an intent.
    package var responders: [CoordinatorNode] { upToLock(coordinators.topmostNode(in: window.state).responders) }

    /// Leaves out those that the lock's flow covers: they hear nothing from it.
    private func upToLock(_ responders: [CoordinatorNode]) -> [CoordinatorNode] {
        let lock = context.app.current.manifest.lock?.flow
        guard let last = responders.firstIndex(where: { $0.flow == lock }) else { return responders }
        return Array(responders[...last])
    }

    /// The coordinator to which a reporter belongs and those above it, in the order in which they are asked.
    func responders(of reporter: Reporter) -> [CoordinatorNode] {
        let owners = coordinators.owner(ofEachIn: window.state)
        guard owners.indices.contains(reporter.owned) else { return coordinators.root.responders }
        return upToLock((coordinators.node(owners[reporter.owned]) ?? coordinators.root).responders)
    }

    /// The coordinator of a flow; `nil` if the flow is not on screen.
    package func node(_ flow: String) -> CoordinatorNode? { coordinators.node(flow) }

    /// The coordinators of what is on screen, in the order attached.
    package var nodes: [CoordinatorNode] { coordinators.flows.compactMap(coordinators.node) }

    /// Where a flow stands in the window, or `nil` when it is not shown.
    package func place(of flow: String) -> FlowPlace? {
        FlowPlace(of: flow, in: window.state, owners: coordinators.owner(ofEachIn: window.state))
    }

    /// What a flow's coordinator may look at.
    ///
    /// - Parameter hasStarted: Whether the flow has started the child that has ended.
    package func flowContext(of flow: String, session: RoutingContext, hasStarted: Bool = false) -> FlowContext {
        FlowContext(
            session: session,
            screens: place(of: flow)?.screens ?? [],
            engine: context.app.current.engine,
            hasStarted: hasStarted
        )
    }

    /// What else a flow's coordinator wants done when the flow ends.
    func epilogue(of node: CoordinatorNode, _ result: FlowResult, _ session: RoutingContext) -> [FlowCommand] {
        // One that is gone shows nothing, also if its flow has begun afresh.
        let screens = self.node(node.flow) === node ? place(of: node.flow)?.screens ?? [] : []
        let engine = context.app.current.engine
        return node.coordinator.finished(
            result,
            context: FlowContext(session: session, screens: screens, engine: engine)
        )
    }

    /// Releases the coordinators of flows that were about to be shown and were not.
    package func forgetStarting() {
        coordinators.forgetStarting()
    }
}
