internal import SceneNavigation
internal import SceneRouting

extension RootRouter {
    /// The op that gives the window the root in force: a flow, or the manifest's tabs. Where a reload changed the tabs, one
    /// that is still there keeps its stack.
    func rootOp(_ window: WindowState, _ app: LoadedApp, _ snapshot: SessionSnapshot) -> NavOp? {
        if !app.manifest.roots.isEmpty, let flow = app.engine.rootFlow(context: context.routing(snapshot)) {
            guard window.rootFlow(app.engine) != flow.name else { return nil }
            let start = screens(startOf: flow.name, asRoot: true, at: snapshot)
            return .setRoot([TabState(id: WindowState.rootTab, stack: start)], selected: WindowState.rootTab)
        }
        let tabs = app.manifest.tabs
        // As nearly always: nothing to make only to compare it.
        if tabs.count == window.tabs.count,
            zip(tabs, window.tabs).allSatisfy({ $0.id == $1.id && $0.root == $1.stack.first?.id })
        {
            return nil
        }
        let wanted = tabs.map { tab in
            let kept = window.stack(of: tab.id) ?? []
            return TabState(id: tab.id, stack: kept.first?.id == tab.root ? kept : [Destination(id: tab.root)])
        }
        guard let first = wanted.first, wanted != window.tabs else { return nil }
        let isThere = wanted.contains { $0.id == window.selectedTab }
        return .setRoot(wanted, selected: isThere ? window.selectedTab : first.id)
    }
}
