import NewApp
import SceneRaces
import SceneRacesTesting
import SceneRuntime
import Testing

/// The app as its races run it; each order begins with code of its own.
private let app = RaceApp(manifest: App.manifest, name: "NewApp.yaml", code: App.code(), adapters: App.adapters)

/// Two windows at once, in every order in which the session and the windows can run: time is virtual, and the seed repeats a run.
@Suite("Two windows at once")
struct RaceTests {
    /// Who does what at the same time, and what must hold in the end, whatever the order.
    private static let bothTake = """
        name: both-take-an-offer
        description: Two windows take an offer at the same time. Both are counted.
        windows: { A: {}, B: {} }
        session: { user: anna }
        actors:
          inA: [{ intent: offerTaken, parameters: { id: o7 }, scene: A }]
          inB: [{ intent: offerTaken, parameters: { id: o7 }, scene: B }]
        expect:
          windows: { A: "offers › offer(id: o7)", B: "offers › offer(id: o7)" }
          session: { facts: { taken: 2 } }
        """

    /// See it fail: let OffersCoordinator count on from what its window saw. Instead of `.session(.add(fact: "taken", 1))` write
    ///
    ///     .session(.set(fact: "taken", .integer(context.session.facts["taken"] == .integer(1) ? 2 : 1))),
    ///
    /// Then both windows can look before either has counted, and one offer is lost. No test of one window finds that.
    @Test("both take an offer, and both are counted", .race(text: bothTake, in: app, iterations: 200, seed: 1))
    func bothAreCounted() {}
}
