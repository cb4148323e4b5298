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
    /// Where the adapters that the manifest declares find secrets in events.
    let sourcesOfSecrets: [(adapter: DeclarativeAdapter, paths: [EventPath])]
    /// Tells its manifest from others.
    package let digest: String

    package var manifest: AppManifest { engine.manifest }

    /// - Parameters:
    ///   - code: What the app has in Swift besides its adapters.
    ///   - secrets: What makes the placeholders of secrets; `nil` to work with their values.
    /// - Throws: What is wrong with the manifest, or does not fit the code.
    package init(
        manifest: AppManifest,
        adapters: [any EntryPointAdapter],
        code: AppCode = AppCode(),
        secrets: SecretKey? = .shared
    ) throws(ManifestProblems) {
        engine = try RoutingEngine(manifest: manifest, secrets: secrets)
        let misfits = code.misfits(manifest) + Self.misfits(adapters, manifest)
        guard misfits.isEmpty else { throw ManifestProblems(misfits) }
        self.adapters = AdapterChain(manifest: manifest, adapters: adapters)
        facts = FactDeclarations(manifest, secrets: secrets)
        sourcesOfSecrets = Self.sourcesOfSecrets(self.adapters, engine)
        digest = manifest.digest
    }

    private static func sourcesOfSecrets(
        _ adapters: AdapterChain,
        _ engine: RoutingEngine
    ) -> [(adapter: DeclarativeAdapter, paths: [EventPath])] {
        guard engine.conceals else { return [] }
        return adapters.adapters.compactMap { $0 as? DeclarativeAdapter }
            .map { ($0, $0.sourcesOfSecrets(by: engine)) }.filter { !$0.1.isEmpty }
    }

    /// Adapters in Swift whose names the manifest or another one of them has, too: a name in a record stands for one adapter.
    private static func misfits(_ adapters: [any EntryPointAdapter], _ manifest: AppManifest) -> [ManifestProblem] {
        var owners: [String: String] = [:]
        for (index, adapter) in manifest.adapters.enumerated() { owners[adapter.name] = "adapters[\(index)]" }
        var misfits: [ManifestProblem] = []
        for adapter in adapters {
            let type = String(reflecting: type(of: adapter))
            if let owner = owners.updateValue("the code, \(type)", forKey: adapter.name) {
                let message = "the adapter '\(adapter.name)' of the code, \(type), has the name of \(owner)"
                misfits.append(ManifestProblem(key: "adapters", message: message, expected: "a name of its own"))
            }
        }
        return misfits
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

    /// - Parameter former: The manifests that were in force before, the newest last.
    package init(_ app: LoadedApp, former: [(digest: String, manifest: AppManifest)] = []) {
        let others = former.filter { $0.digest != app.digest }
        state = Guarded(
            State(current: app, retained: others.suffix(Self.mostRetained - 1) + [(app.digest, app.manifest)])
        )
    }

    package var current: LoadedApp {
        get { state.read { $0.current } }
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
    var manifests: [(digest: String, manifest: AppManifest)] { state.read { $0.retained } }

    /// A manifest that is in force or was; `nil` if it never was, or not among the newest ``mostRetained``.
    func manifest(_ digest: String) -> AppManifest? {
        state.read { state in state.retained.last { $0.digest == digest }?.manifest }
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
            tabs: manifest.tabs.map { TabState(id: $0.id, stack: [engine.root(of: $0)]) },
            selectedTab: manifest.tabs.first?.id ?? WindowState.rootTab
        )
    }
}
