internal import Basics
internal import SceneClient
internal import SceneManifest
internal import SceneRouting
internal import StrictJSON

/// What an app's windows, facts and events can be, by the daemon's manifest.
struct KnownApp: Sendable {
    let windows: PossibleWindows
    let facts: PossibleFacts
    let outcomes: PossibleOutcomes

    /// - Parameter manifest: As JSON.
    init(_ manifest: String) throws(DaemonTestError) {
        let app: AppManifest
        do {
            app = try AppManifest.inForce(manifest)
        } catch {
            throw DaemonTestError("the daemon's manifest cannot be read: \(error)")
        }
        windows = PossibleWindows([app])
        facts = PossibleFacts(app)
        outcomes = PossibleOutcomes([app])
    }
}

extension TestRun {
    /// - Throws: ``DaemonTestError`` for what can never be so by the manifest in force: it would never be met, or always.
    func check(_ problem: (KnownApp) -> ImpossibleExpectation?) async throws {
        if let known = state.withLock(\.app), problem(known) == nil { return }
        // A reload may have come.
        guard let manifest = try await client.manifest() else { return }
        let known = try KnownApp(manifest)
        state.withLock { $0.app = known }
        if let problem = problem(known) { throw DaemonTestError("\(problem)") }
    }
}
