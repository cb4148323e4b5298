internal import SceneNavigation
internal import SceneRouting

extension LoadedApp {
    /// The window of a scene that nobody has done anything in: the root flow in force, else the tabs.
    func cleanWindow(_ session: RoutingContext) -> WindowState {
        if let flow = engine.rootFlow(context: session) {
            let start = flow.screens.prefix(1).map { Destination(id: $0.id) }
            return WindowState(
                tabs: [TabState(id: WindowState.rootTab, stack: start)],
                selectedTab: WindowState.rootTab
            )
        }
        return WindowState(
            tabs: manifest.tabs.map { TabState(id: $0.id, stack: [Destination(id: $0.root)]) },
            selectedTab: manifest.tabs.first?.id ?? WindowState.rootTab
        )
    }
}
