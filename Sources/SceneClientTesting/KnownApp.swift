internal import Basics
internal import SceneClient
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// What an app's windows, facts and events can be, by the daemon's manifest.
struct KnownApp: Sendable {
    /// The digest of the manifest.
    let digest: String
    let windows: PossibleWindows
    let facts: PossibleFacts
    let outcomes: PossibleOutcomes

    /// - Parameter manifest: As JSON.
    init(_ manifest: String, digest: String) throws(DaemonTestError) {
        let app: AppManifest
        do {
            app = try AppManifest.inForce(manifest)
        } catch {
            throw DaemonTestError("the daemon's manifest cannot be read: \(error)")
        }
        self.digest = digest
        windows = PossibleWindows([app])
        facts = PossibleFacts(app)
        outcomes = PossibleOutcomes([app])
    }
}

extension TestRun {
    /// - Throws: ``DaemonTestError`` for what can never be so by the manifest in force: it would never be met, or always.
    func check(_ problem: (KnownApp) -> ImpossibleExpectation?) async throws {
        // A reload may have come since the last one.
        let status = try await client.call("io.scened.Manager.GetStatus")
        guard let inForce = status["manifest"]?.stringValue else { return }
        var known = state.withLock(\.app)
        if known?.digest != inForce {
            guard let manifest = try await client.manifest(inForce) else { return }
            known = try KnownApp(manifest, digest: inForce)
            state.withLock { $0.app = known }
        }
        if let problem = known.flatMap(problem) { throw DaemonTestError("\(problem)") }
    }
}
