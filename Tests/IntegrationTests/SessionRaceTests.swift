import Foundation
import SceneClient
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// The rules of the session (<doc:/SceneRuntime/TheSession>), each as a race that a client provokes,
/// in both orders if there are two.
@Suite("Races for the session, on the live daemon", .timeLimit(.minutes(15)))
struct SessionRaceTests {
    enum Order: String, CaseIterable { case before, after }

    @Test("S1: a dispatch sees the session at its beginning", arguments: Order.allCases)
    func freshContext(signIn: Order) async throws {
        try await Race.run { race in
            let hold = try await race.hold("admitted", "A", event: "cart")
            try await race.send("cart", as: "cart")
            try await hold.caught()
            if signIn == .before { _ = try await race.client.signIn(user: "anna", scene: "B") }
            try await hold.release()
            let settled = try await race.client.openURL("qcommerce://cart", .init(scene: "A", event: "cart"))
            #expect(settled.outcome == (signIn == .before ? OutcomeName.applied : .gated))
            if signIn == .after { _ = try await race.client.signIn(user: "anna", scene: "B") }
            try await race.quiesce()
            #expect(try await race.outcome("cart") == "applied")
            let attempts = try await race.records("dispatch.began", of: "cart").count
            #expect(attempts == (signIn == .before ? 1 : 2))
        }
    }

    @Test(
        "S2: a sign-out between resolving and showing, at each point, and after it",
        arguments: ["resolved", "planned", "transition", "settled"]
    )
    func validWhenItShows(point: String) async throws {
        try await Race.run { race in
            _ = try await race.client.signIn(user: "anna")
            let hold = try await race.hold(point, "A", event: "cart")
            try await race.send("cart", as: "cart")
            try await hold.caught()
            _ = try await race.client.signOut(scene: "B")
            try await hold.release()
            try await race.quiesce()
            if point == "resolved" || point == "planned" {
                #expect(try await race.outcome("cart") == "gated: signedIn")
                #expect(try await race.shown() == ["home", "login"])
                let steps = try await race.records("navigation.step", of: "cart")
                #expect(steps.allSatisfy { $0["window"]?.objectValue?.trail.contains("cart") == false })
            } else {
                #expect(try await race.outcome("cart") == "applied")
                #expect(try await race.shown() == ["home"], "the sweep has removed it")
            }
        }
    }

    @Test("S2: a session that keeps changing under it ends a dispatch as contended")
    func contended() async throws {
        try await Race.run { race in
            _ = try await race.client.signIn(user: "anna")
            var hold = try await race.hold("resolved", "A", event: "cart")
            try await race.send("cart", as: "cart")
            for round in 0..<8 {
                try await hold.caught()
                if round % 2 == 0 {
                    _ = try await race.client.signOut()
                } else {
                    _ = try await race.client.signIn(user: "anna")
                }
                // The hold for the next round has to be set first.
                let next = try await race.hold("resolved", "A", event: "cart")
                try await hold.release()
                hold = next
            }
            try await race.quiesce()
            #expect(try await race.outcome("cart") == "rejected: contended")
            #expect(try await race.records("dispatch.resolved", of: "cart").count == 8)
            try await hold.release()
        }
    }

    @Test("S3: a commit is swept before events that wait, and later events are judged by it", arguments: Order.allCases)
    func sweep(link: Order) async throws {
        try await Race.run { race in
            _ = try await race.client.signIn(user: "anna")
            try await race.open("cart")
            let hold = try await race.hold("admitted", "A", kind: "sweep")
            if link == .before {
                // Admitted before the commit, dispatched after the sweep.
                let gate = try await race.hold("admitted", "A", kind: "dispatch")
                try await race.send("order/o7", as: "order")
                try await gate.caught()
                _ = try await race.client.signOut(scene: "B")
                try await gate.release()
                try await hold.caught()
                #expect(try await race.outcome("order") == "gated: signedIn", "it began with the newest revision")
            } else {
                _ = try await race.client.signOut(scene: "B")
                try await hold.caught()
                try await race.send("order/o7", as: "order")
                #expect(try await race.outcome("order") == "admitted")
            }
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.shown().contains("cart") == false)
            #expect(try await race.outcome("order") == "gated: signedIn")
        }
    }

    @Test("S4: a resume sees the commit that allowed it, or a later one that stops it again")
    func commitBeforeNotify() async throws {
        try await Race.run { race in
            try await race.open("cart", as: "cart")
            let hold = try await race.hold("admitted", "A", kind: "resume")
            let allowed = try await race.client.signIn(user: "anna", scene: "B").revision
            try await hold.caught()
            _ = try await race.client.signOut(scene: "B")
            try await hold.release()
            try await race.quiesce()
            // Nobody is signed in again. The outcome is not gateUnsatisfied, because a later commit closed the gate.
            #expect(try await race.outcome("cart") == "gated: signedIn")
            #expect(try await race.shown() == ["home", "login"])
            let resumed = try await race.records("gate.resumed", of: "cart").compactMap { $0["revision"]?.integerValue }
            #expect(resumed == [allowed])
            let resolved = try await race.records("dispatch.resolved", of: "cart")
                .compactMap { $0["revision"]?.integerValue }
            #expect(resolved.count == 2 && resolved[1] > allowed)
            _ = try await race.client.signIn(user: "ben", scene: "B")
            try await race.quiesce()
            #expect(
                try await race.outcome("cart") == "applied",
                "no user had left, because nobody was signed in when it was parked"
            )
        }
    }

    @Test(
        "S5: a sign-in in B while A and C are parked on the same gate resumes each once, whichever sweeps first",
        arguments: ["A", "C"]
    )
    func servesAll(held: String) async throws {
        try await Race.run(windows: ["A", "B", "C"]) { race in
            for scene in ["A", "C"] { try await race.open("cart", in: scene, as: "cart-\(scene)") }
            let hold = try await race.hold("admitted", held, kind: "sweep")
            _ = try await race.client.signIn(user: "anna", scene: "B")
            try await hold.caught()
            let other = held == "A" ? "C" : "A"
            try await race.client.quiesce(scene: other, timeout: .seconds(120))
            #expect(try await race.outcome("cart-\(other)") == "applied")
            #expect(try await race.outcome("cart-\(held)") == "gated: signedIn")
            try await hold.release()
            try await race.quiesce()
            for scene in ["A", "C"] {
                #expect(try await race.outcome("cart-\(scene)") == "applied")
                #expect(try await race.shown(scene) == ["home", "cart"])
                #expect(try await race.records("dispatch.began", of: "cart-\(scene)").count == 2)
            }
        }
    }

    @Test("S5: the sign-in sheet is removed, and its late report commits nothing", arguments: Order.allCases)
    func lateReport(sweep: Order) async throws {
        try await Race.run { race in
            try await race.open("cart", as: "cart")
            let hold = try await race.hold("admitted", "A", kind: "dispatch")
            let report: JSONObject = ["flow": "auth", "result": "completed", "user": "late", "event": "late"]
            if sweep == .after {
                // The report's dispatch has begun when the sign-in in B comes, so the sweep has to wait.
                try await race.call("FinishFlow", report, wait: "admitted")
                try await hold.caught()
                _ = try await race.client.signIn(user: "anna", scene: "B")
            } else {
                _ = try await race.client.signIn(user: "anna", scene: "B")
                try await race.client.quiesce(scene: "A", timeout: .seconds(120))
                try await race.call("FinishFlow", report, wait: "admitted")
            }
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.outcome("late") == "rejected: noSuchFlow")
            #expect(try await race.outcome("cart") == "applied")
            let session = try await race.client.session()
            #expect(session.user == "anna" && session.revision == 1)
        }
    }

    @Test("S6: what was resolved for one user is not shown to the next, though the answer is the same")
    func epochFence() async throws {
        try await Race.run { race in
            _ = try await race.client.signIn(user: "anna")
            let hold = try await race.hold("planned", "A", event: "cart")
            try await race.send("cart", as: "cart")
            try await hold.caught()
            _ = try await race.client.signIn(user: "ben", scene: "B")
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.outcome("cart") == "applied")
            let resolved = try await race.records("dispatch.resolved", of: "cart")
            #expect(resolved.compactMap { $0["epoch"]?.integerValue } == [0, 1])
            let steps = try await race.records("navigation.step", of: "cart")
            #expect(steps.compactMap { $0["epoch"]?.integerValue } == [1])
        }
    }

    @Test(
        "S7: an event that anna had parked is abandoned when she leaves, even while it resumes",
        arguments: Order.allCases
    )
    func noInheritance(resume: Order) async throws {
        try await Race.run { race in
            _ = try await race.client.signIn(user: "anna", facts: ["cart": ["p1"]])
            try await race.open("checkout", as: "hers")
            #expect(try await race.outcome("hers") == "gated: paymentMethod")
            let hold = try await race.hold("admitted", "A", kind: resume == .before ? "resume" : "sweep")
            if resume == .before { _ = try await race.client.commit(set: ["paymentMethod": "card"]) }
            if resume == .before { try await hold.caught() }
            _ = try await race.client.signIn(user: "ben", facts: ["cart": ["p2"], "paymentMethod": "ben's"])
            if resume == .after { try await hold.caught() }
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.outcome("hers") == "abandoned: userLeft")
            #expect(try await race.shown() == ["home"])
        }
    }

    @Test("two windows that commit the cart with the same expected revision: one wins, the other is told")
    func sameExpectedRevision() async throws {
        try await Race.run { race in
            let other = try await race.daemon.client()
            let revision = try await race.client.session().revision
            async let first = Self.commit(["p1"], race.client, "A", expecting: revision)
            async let second = Self.commit(["p2"], other, "B", expecting: revision)
            let results = try await [first, second]
            #expect(results.compactMap { $0 }.count == 1)
            let conflict = try #require(results.first { $0 != nil } ?? nil)
            #expect(
                conflict
                    == .refused(
                        name: "io.scened.Session.RevisionConflict",
                        parameters: ["expected": .integer(revision), "actual": .integer(revision + 1)]
                    )
            )
            #expect(try await race.client.session().revision == revision + 1)
        }
    }

    /// - Returns: The refusal; `nil` if it was committed.
    private static func commit(
        _ products: [String],
        _ client: SceneClient,
        _ scene: String,
        expecting revision: Int
    ) async throws -> SceneClientError? {
        do throws(SceneClientError) {
            _ = try await client.commit(
                set: ["cart": .array(products.map(JSONValue.string))],
                expectedRevision: revision,
                scene: scene
            )
            return nil
        } catch {
            guard case .refused = error else { throw error }
            return error
        }
    }

    @Test(
        "a sign-out in B while A is inside checkout takes the checkout away, whether it was on its way or there",
        arguments: Order.allCases
    )
    func signOutInCheckout(arrival: Order) async throws {
        try await Race.run(["--transition", "5"]) { race in
            _ = try await race.client.signIn(user: "anna", facts: ["cart": ["p1"], "paymentMethod": "card"])
            let hold = try await race.hold(arrival == .before ? "settled" : "transition", "A", event: "checkout")
            try await race.send("checkout", as: "checkout")
            try await hold.caught()
            _ = try await race.client.signOut(scene: "B")
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.shown().contains("checkout") == false)
            #expect(try await race.client.scene("A").coordinators.contains("checkout") == false)
        }
    }

    @Test("a reload during a dispatch: the dispatch keeps its version, and the sweep brings the new one")
    func reloadInDispatch() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/tiny.yaml"
        func write(_ version: Int, news: Bool) throws {
            try ReloadingTests.manifest(version: version, withNews: news)
                .write(toFile: file, atomically: true, encoding: .utf8)
        }
        try write(1, news: true)
        try await Race.run(["--app", file]) { race in
            let hold = try await race.hold("planned", "A")
            let link = SceneClient.Delivery(scene: "A", event: "news", wait: .admitted)
            _ = try await race.client.openURL("tiny://news", link)
            try await hold.caught()
            // This one waits behind it, and its destination is gone when its turn comes.
            _ = try await race.client.openURL("tiny://news", .init(scene: "A", event: "gone", wait: .admitted))
            try write(2, news: false)
            _ = try await race.client.call("io.scened.Manager.Reload")
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.outcome("news") == "applied", "it kept the version it began with")
            #expect(try await race.outcome("gone") == "rejected: destinationGone")
            #expect(try await race.shown() == ["home"])
        }
    }

    @Test("a newer link while one is parked, by policy", arguments: ["supersede", "queue", "reject"])
    func newerWhileParked(policy: String) async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/shop.yaml"
        let shop = try await Program.run(Command.built("scenectl"), ["app", "print"]).output
        try shop.replacing("whileGated: supersede", with: "whileGated: \(policy)")
            .write(toFile: file, atomically: true, encoding: .utf8)
        try await Race.run(["--app", file]) { race in
            try await race.open("cart", as: "first")
            let second = try await race.open("order/o7", as: "second")
            switch policy {
            case "supersede":
                #expect(try await race.outcome("first") == "superseded: by second")
                #expect(second.outcome == .gated)
            case "queue":
                #expect(try await race.outcome("first") == "gated: signedIn")
                #expect(second.outcome == .gated)
            default:
                #expect(try await race.outcome("first") == "gated: signedIn")
                #expect(second.outcome == .rejected && second.reason == "gateBusy")
            }
            _ = try await race.client.signIn(user: "anna", scene: "B")
            try await race.quiesce()
            #expect(try await race.shown() == (policy == "reject" ? ["home", "cart"] : ["orders", "order(id: o7)"]))
            if policy == "queue" { #expect(try await race.outcome("first") == "applied") }
        }
    }
}
