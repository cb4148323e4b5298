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
    /// Tells its manifest from others.
    package let digest: String

    package var manifest: AppManifest { engine.manifest }

    /// - Parameter secrets: What makes the placeholders of secrets; `nil` to work with their values.
    /// - Throws: What is wrong with the manifest.
    package init(
        manifest: AppManifest,
        adapters: [any EntryPointAdapter],
        secrets: SecretKey? = .shared
    ) throws(ManifestProblems) {
        engine = try RoutingEngine(manifest: manifest, secrets: secrets)
        self.adapters = AdapterChain(manifest: manifest, adapters: adapters)
        facts = FactDeclarations(manifest, secrets: secrets)
        digest = manifest.digest
    }
}

/// Holds the version of the app that is in force. A dispatch reads it once and keeps that version to its end.
package final class CurrentApp: Sendable {
    private struct State {
        var current: LoadedApp
        /// The manifests that were in force, the newest last, each once.
        var retained: [(digest: String, manifest: AppManifest)]
    }

    private let state: Guarded<State>
    /// How many manifests are retained for whoever reads the records.
    static let mostRetained = 16

    package init(_ app: LoadedApp) {
        state = Guarded(State(current: app, retained: [(app.digest, app.manifest)]))
    }

    package var current: LoadedApp {
        get { state.withLock { $0.current } }
        set {
            state.withLock { state in
                state.current = newValue
                state.retained.removeAll { $0.digest == newValue.digest }
                state.retained.append((newValue.digest, newValue.manifest))
                if state.retained.count > Self.mostRetained { state.retained.removeFirst() }
            }
        }
    }

    /// The manifests that are in force or were, at most ``mostRetained``, the one in force last.
    var manifests: [(digest: String, manifest: AppManifest)] { state.withLock { $0.retained } }

    /// A manifest that is in force or was; `nil` if it never was, or not among the newest ``mostRetained``.
    func manifest(_ digest: String) -> AppManifest? {
        state.withLock { state in state.retained.last { $0.digest == digest }?.manifest }
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
