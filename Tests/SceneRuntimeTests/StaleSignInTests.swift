import SceneEntryPoints
import SceneManifest
import SceneNavigation
import SceneRouting
@testable import SceneRuntime
import StrictJSON
import Testing

@Suite("A sign-in may become stale (S10)", .timeLimit(.minutes(15)))
struct StaleSignInTests {
    private static let facts: [String: FactValue] = ["cart": .strings(["p1"]), "paymentMethod": .string("card")]

    /// A shop in which anna is signed in and window A shows the deletion of her account.
    private func shop(windows: [String] = ["A", "B"]) async throws -> TestHost {
        let shop = try TestHost(windows: windows)
        try await shop.host.session.signIn(user: "anna", facts: Self.facts)
        try await shop.open("account/delete", in: "A")
        return shop
    }

    @Test("the user, the facts and the epoch stay; a revision tells, and telling again makes none")
    func commit() async throws {
        let shop = try await shop()
        let session = shop.host.session
        let before = session.snapshot
        let stale = await session.markStale()
        #expect(stale.revision == before.revision + 1)
        #expect(stale.epoch == before.epoch)
        #expect(stale.user == "anna")
        #expect(stale.facts == before.facts)
        #expect(stale.isStale)
        #expect(await session.markStale() == stale)
        // What else is committed leaves it stale.
        #expect(try await session.commit(set: ["order": .string("o1")]).isStale)
        let fresh = try await session.signIn(user: "anna")
        #expect(!fresh.isStale)
        #expect(fresh.epoch == before.epoch)
        let left = await session.signOut()
        #expect(await session.markStale() == left)
    }

    @Test("windows keep what they show, can be used, and show again what a fresh sign-in was needed for")
    func shownStays() async throws {
        let shop = try await shop()
        try await shop.open("product/p1", in: "B")
        await shop.host.session.markStale()
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "account › deleteAccount")
        // Uncovered by a way back, and after the window was away.
        try await shop.open("cart", in: "A")
        _ = try await shop.act(.gesture(.selectTab("account")), in: "A")
        #expect(try shop.shown("A") == "account › deleteAccount")
        try await shop.host.disconnect(scene: "A")
        try await shop.host.reconnect(scene: "A")
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "account › deleteAccount")
        // A commit sweeps as if the sign-in were fresh.
        try await shop.host.session.commit(set: ["unavailable": .strings(["p1"])])
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "account › deleteAccount")
        #expect(try shop.shown("B") == "home")
        // Who is signed in may go everywhere else, and take what the screen offers.
        #expect(try await shop.act(.intent(Intent(name: "cartTapped")), in: "A").outcome == .applied)
    }

    @Test("what asks for a fresh sign-in waits, and goes on once for the same user")
    func confirmed() async throws {
        let shop = try await shop()
        await shop.host.session.markStale()
        let event = try shop.admit("account/delete", in: "B")
        #expect(await shop.host.receipt(of: event).outcome == .gated(precondition: "freshSignIn"))
        #expect(try shop.shown("B") == "home › auth[login]")
        let done = try await shop.act(
            .finishFlow("auth", .completed(FlowCompletion(user: "anna"))),
            in: "B"
        )
        #expect(done.outcome == .applied)
        #expect(await shop.host.receipt(of: event, at: .finished).outcome == .applied)
        #expect(try shop.shown("B") == "account › deleteAccount")
        #expect(shop.host.session.snapshot.facts == Self.facts.merging(["unavailable": .strings([])]) { $1 })
        #expect(shop.host.session.snapshot.epoch == 0)
    }

    @Test("another user who signs in instead is a change of user: nothing waits or stays")
    func somebodyElse() async throws {
        let shop = try await shop()
        await shop.host.session.markStale()
        let event = try shop.admit("account/delete", in: "B")
        #expect(await shop.host.receipt(of: event).outcome == .gated(precondition: "freshSignIn"))
        _ = try await shop.act(.finishFlow("auth", .completed(FlowCompletion(user: "bert"))), in: "B")
        #expect(await shop.host.receipt(of: event, at: .finished).outcome == .abandoned(reason: "userLeft"))
        await shop.host.quiesce()
        #expect(try shop.shown("A") == "account")
        #expect(try shop.shown("B") == "home")
        let session = shop.host.session.snapshot
        #expect(session.user == "bert" && session.epoch == 1 && !session.isStale)
        #expect(session.facts["cart"] == .strings([]))
    }

    @Test(
        "a sign-in that becomes stale while a link is under way stops it wherever it has got to, but not what is shown",
        arguments: [HoldPoint.admitted, .resolved, .planned, .transition]
    )
    func underWay(point: HoldPoint) async throws {
        let shop = try await shop()
        let hold = try shop.hold(point, scene: "B", event: "delete")
        let event = try shop.admit("account/delete", in: "B", id: "delete")
        _ = await hold.caught()
        await shop.host.session.markStale()
        hold.release()
        let outcome = await shop.host.receipt(of: event).outcome
        await shop.host.quiesce()
        if point == .transition {
            // The tab may have been selected before; what is left of the plan is decided afresh.
            #expect(outcome == .applied || outcome == .gated(precondition: "freshSignIn"))
        } else {
            #expect(outcome == .gated(precondition: "freshSignIn"))
        }
        #expect(try shop.shown("A") == "account › deleteAccount")
    }

    @Test("it comes by itself after its time, before the sign-in expires, and a new sign-in begins anew")
    func byTime() async throws {
        let clock = ManualClock()
        let session = try TestHost(clock: clock).host.session
        try await session.signIn(user: "anna", expiresAfter: .seconds(20), staleAfter: .seconds(5))
        await clock.waitForSleepers(2)
        let (changes, tell) = AsyncStream.makeStream(of: SessionSnapshot.self)
        let token = session.listen { tell.yield($0) }
        var seen = changes.makeAsyncIterator()
        _ = await seen.next()
        await clock.advance(by: .seconds(5))
        let stale = await seen.next()
        #expect(stale?.user == "anna" && stale?.isStale == true)
        await clock.advance(by: .seconds(15))
        let expired = await seen.next()
        #expect(expired?.user == nil && expired?.isStale == false)
        try await session.signIn(user: "anna", expiresAfter: .seconds(20), staleAfter: .seconds(5))
        await clock.waitForSleepers(2)
        try await session.signIn(user: "anna")
        #expect(clock.sleeping == 0)
        session.stopListening(token)
    }

    @Test("an app's own commit makes it stale, also right after a sign-in, and a reload leaves it so")
    func byCommit() async throws {
        let shop = try await shop()
        let snapshot = try await shop.host.session.apply([.signIn(user: "anna"), .markStale], origin: CommitOrigin())
        #expect(snapshot?.isStale == true)
        try await shop.host.reload(shop.host.manifest)
        #expect(shop.host.session.snapshot.isStale)
        let loaded = try #require(shop.records(of: .manifestLoaded).last)
        #expect(loaded.json["stale"] == ["freshSignIn"])
        let nobody = try await shop.host.session.apply([.signOut, .markStale], origin: CommitOrigin())
        #expect(nobody?.isStale == false)
    }

    @Test("records say what a stale sign-in closes, and nothing while it is fresh")
    func records() async throws {
        let shop = try await shop()
        await shop.host.session.markStale()
        try await shop.host.session.signIn(user: "anna")
        let told = shop.records(of: .sessionCommitted).map { $0.json["stale"] }
        #expect(told == [nil, ["freshSignIn"], nil])
    }

    @Test("what another user's sign-in uncovers is what anybody may see, from the first step on")
    func uncovered() async throws {
        let shop = try await shop(windows: ["A"])
        try await shop.open("order/o7", in: "A")
        await shop.host.session.markStale()
        let event = try shop.admit("account/delete", in: "A")
        #expect(await shop.host.receipt(of: event).outcome == .gated(precondition: "freshSignIn"))
        #expect(try shop.shown() == "orders › order(id: o7) › auth[login]")
        // The sweep after the commit waits, so that only the flow's own steps change the window.
        let hold = try shop.hold(.admitted, scene: "A", kind: .sweep)
        let done = try await shop.act(.finishFlow("auth", .completed(FlowCompletion(user: "bert"))), in: "A")
        _ = await hold.caught()
        #expect(done.outcome == .applied)
        #expect(try shop.shown() == "orders")
        hold.release()
        await shop.host.quiesce()
        #expect(try shop.shown() == "orders")
    }

    @Test("only a precondition can ask for a fresh sign-in, and not under 'not'")
    func misuse() throws {
        func problems(_ edit: (inout AppManifest) -> Void) -> [String] {
            do throws(ManifestProblems) {
                var manifest = try AppManifest.builtInShop()
                edit(&manifest)
                _ = try LoadedApp(manifest: manifest, adapters: [])
                return []
            } catch {
                return error.problems.map { "\($0)" }
            }
        }
        let (fresh, reason) = (FactPredicate.freshSignIn, "only a precondition can ask for freshSignIn")
        let nested = FactPredicate.all([.signedIn, .any([fresh, .present(fact: "cart")])])
        #expect(problems { $0.preconditions[0].holds = nested } == [])
        let wrong = [
            problems { $0.preconditions[0].holds = .not(.all([fresh])) },
            problems { $0.conditions[0].holds = nested },
            problems { $0.roots = [RootDeclaration(flow: "auth", when: .not(fresh))] },
        ]
        let places = [
            "preconditions.signedIn.holds.not.all[0]", "conditions.cartNotEmpty.holds.all[1].any[0]",
            "roots[0].when.not",
        ]
        for (found, place) in zip(wrong, places) {
            #expect(found.contains { $0.contains(reason) && $0.contains(place) }, "\(found)")
        }
    }
}
