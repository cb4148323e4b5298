import Interleaving
import InterleavingTesting
import NewApp
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import Testing

/// Two windows at once, in every order in which the session and the windows can run: time is virtual, and the seed repeats a run.
@Suite("Two windows at once")
struct RaceTests {
    /// See it fail: let OffersCoordinator count on from what its window saw. Instead of `.session(.add(fact: "taken", 1))` write
    ///
    ///     .session(.set(fact: "taken", .integer(context.session.facts["taken"] == .integer(1) ? 2 : 1))),
    ///
    /// Then both windows can look before either has counted, and one offer is lost. No test of one window finds that.
    @Test("both take an offer, and both are counted", .interleavings(iterations: 200, seed: 1))
    func bothAreCounted() async throws {
        let host = try SceneHost(
            id: "race",
            manifest: AppManifest.read(App.manifest).manifest,
            executors: HostExecutors(
                session: SimulatedExecutor(name: "session"),
                scene: { SimulatedExecutor(name: "window \($0)") }
            ),
            code: App.code()
        )
        try await host.session.signIn(user: "anna")
        for window in ["A", "B"] { try host.connect(scene: window) }
        await host.quiesce()
        for window in ["A", "B"] {
            let taken = Intent(name: "offerTaken", parameters: ["id": "o7"])
            _ = try host.admit(Submission(.intent(taken), scene: window))
        }
        await host.quiesce()
        #expect(host.session.snapshot.facts["taken"] == .integer(2))
    }
}
