package import SceneEntryPoints
internal import SceneNavigation
package import SceneRouting
internal import Basics

/// One version of the app, ready to use: what its manifest compiles to.
///
/// A class rather than a struct: it is passed on several times for every event, and copying it would retain dozens of parts.
package final class LoadedApp: Sendable {
    package let engine: RoutingEngine
    package let adapters: AdapterChain
    package let facts: FactDeclarations

    package var manifest: AppManifest { engine.manifest }

    /// - Throws: What is wrong with the manifest.
    package init(manifest: AppManifest, adapters: [any EntryPointAdapter]) throws(ManifestProblems) {
        engine = try RoutingEngine(manifest: manifest)
        self.adapters = AdapterChain(manifest: manifest, adapters: adapters)
        facts = FactDeclarations(manifest)
    }
}

/// Holds the version of the app that is in force. A dispatch reads it once and keeps that version to its end.
package final class CurrentApp: Sendable {
    private let app: Guarded<LoadedApp>

    package init(_ app: LoadedApp) {
        self.app = Guarded(app)
    }

    package var current: LoadedApp {
        get { app.withLock { $0 } }
        set { app.withLock { $0 = newValue } }
    }
}

extension LoadedApp {
    /// The window of a new scene: the root flow that is in force, else the tabs.
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
