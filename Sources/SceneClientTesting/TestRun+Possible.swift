internal import Basics
internal import SceneClient
internal import SceneManifest
internal import SceneRouting

extension TestRun {
    /// - Throws: ``DaemonTestError`` for what no window can show by the manifest in force: it could never be met, or always.
    func check(_ problem: (PossibleWindows) -> ImpossibleExpectation?) async throws {
        if let known = state.withLock(\.windows), problem(known) == nil { return }
        // A reload may have come.
        guard let manifest = try await client.manifest() else { return }
        let windows: PossibleWindows
        do {
            windows = PossibleWindows([try AppManifest.read(manifest).manifest])
        } catch {
            throw DaemonTestError("the daemon's manifest cannot be read: \(error)")
        }
        state.withLock { $0.windows = windows }
        if let problem = problem(windows) { throw DaemonTestError("\(problem)") }
    }
}
