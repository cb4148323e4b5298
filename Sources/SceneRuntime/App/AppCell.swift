package import SceneEntryPoints
package import SceneRouting
internal import Locking

/// One version of the app, ready to use: what is compiled from its manifest.
///
/// A class, because it is handed on several times for every event and has dozens of parts to retain.
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

    /// What records say of a session: the truth of every precondition and condition that has no parameter.
    func truths(_ context: RoutingContext) -> [Record.Truth] {
        engine.truths(context: context).map { Record.Truth(name: $0.name, holds: $0.holds) }
    }
}

/// Where the current version of the app stands. A dispatch takes it once and keeps it to its end.
package final class AppCell: Sendable {
    private let app: Guarded<LoadedApp>

    package init(_ app: LoadedApp) {
        self.app = Guarded(app)
    }

    package var current: LoadedApp {
        get { app.withLock { $0 } }
        set { app.withLock { $0 = newValue } }
    }
}
