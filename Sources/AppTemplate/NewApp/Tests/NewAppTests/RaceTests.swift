import NewApp
import SceneRaces
import SceneRacesTesting
import SceneRuntime
import Testing

/// The app as its races run it; each order begins with code of its own.
private let app = RaceApp(manifest: App.manifest, name: "NewApp.yaml", code: App.code(), adapters: App.adapters)

/// Two windows at once, in every order in which the session and the windows can run: time is virtual, and the seed repeats a run. The
/// scenarios are files, which the program takes, too: `newapp-scened race both-take-an-offer`.
@Suite("Two windows at once")
struct RaceTests {
    /// See it fail: let OffersCoordinator count on from what its window saw. Instead of `.session(.add(fact: "taken", 1))` write
    ///
    ///     .session(.set(fact: "taken", .integer(context.session.facts["taken"] == .integer(1) ? 2 : 1))),
    ///
    /// Then both windows can look before either has counted, and one offer is lost. No test of one window finds that.
    @Test(
        "both take an offer, and both are counted",
        .race("../Scenarios/both-take-an-offer.yaml", in: app, iterations: 200, seed: 1)
    )
    func bothAreCounted() {}
}
