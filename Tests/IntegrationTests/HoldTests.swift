import SceneClient
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// Holds at every point, on the live daemon.
@Suite("Holds at every point, for whatever passes a mailbox", .timeLimit(.minutes(15)))
struct HoldTests {
    static let points = ["admitted", "resolved", "planned", "transition", "settled"]

    /// The records of an attempt that is held at a point, and the first record that is not yet there.
    private static let told: [String: (last: String?, next: String?)] = [
        "admitted": (nil, "dispatch.began"), "resolved": ("dispatch.resolved", "dispatch.planned"),
        "planned": ("dispatch.planned", "navigation.step"), "transition": ("navigation.step", "dispatch.ended"),
        "settled": ("dispatch.ended", nil),
    ]

    /// Expects that an attempt has reached the point and has not passed it.
    private func expect(_ race: Race, attempt: Int, of event: String, at point: String) async throws {
        let kinds = try await race.daemon.records(scene: "A", event: event)
            .filter { $0["attempt"] == .integer(attempt) }.compactMap { $0["kind"]?.stringValue }
        let told = try #require(Self.told[point])
        if let last = told.last { #expect(kinds.contains(last)) }
        if let next = told.next { #expect(!kinds.contains(next)) }
    }

    @Test("has the name that it is given, or one that no other has; it is free again when the hold is released")
    func names() async throws {
        try await LiveDaemon.run { daemon in
            let (one, other) = (try await daemon.connect(), try await daemon.connect())
            func hold(_ client: VarlinkClient, _ name: String?) async throws -> JSONValue? {
                var parameters: JSONObject = ["point": "planned"]
                parameters["hold"] = name.map(JSONValue.string)
                return try await client.call("io.scened.Control.Hold", parameters)["hold"]
            }
            #expect(try await hold(one, "h2") == "h2")
            #expect(try await hold(one, nil) == "h1")
            #expect(try await hold(other, nil) == "h3", "another has that name")
            let refused = try await other.refusal("io.scened.Control.Hold", ["point": "settled", "hold": "h2"])
            #expect(refused == VarlinkError("io.scened.Control.HoldExists", ["hold": "h2"]))
            _ = try await other.call("io.scened.Control.Release", ["hold": "h2"])
            #expect(try await hold(other, "h2") == "h2")
            await other.close()
            func inputs() async throws -> [JSONValue] {
                try await one.call("io.scened.Recording.Read")["inputs"]?.arrayValue ?? []
            }
            try await until("its holds are gone") { try await inputs().count { $0["call"] == 0 } == 2 }
            #expect(try await one.refusal("io.scened.Control.Release", ["hold": "h3"]) != nil)
            // The calls as they can be made again: with the names, and what the connection's end has released.
            #expect(
                try await inputs().filter { $0["error"]?.isNull ?? true }.map {
                    "\($0["method"]?.stringValue?.split(separator: ".").last ?? "") \($0["parameters"]?["hold"]?.stringValue ?? "") \($0["call"] == 0)"
                } == [
                    "Hold h2 false", "Hold h1 false", "Hold h3 false", "Release h2 false", "Hold h2 false",
                    "Release h3 true",
                    "Release h2 true",
                ]
            )
        }
    }

    @Test("a dispatch", arguments: points)
    func dispatch(point: String) async throws {
        try await Race.run { race in
            let hold = try await race.hold(point, "A", kind: "dispatch")
            try await race.send("product/p1", as: "mine")
            let caught = try await hold.caught()
            #expect(caught == ["scene": "A", "ticket": 1, "event": "mine", "point": .string(point)])
            try await expect(race, attempt: 1, of: "mine", at: point)
            let isShown = point == "transition" || point == "settled"
            #expect(try await race.shown() == ["home"] + (isShown ? ["product(id: p1)"] : []))
            #expect(try await race.open("orders", in: "B").outcome == .applied, "no other window is held up")
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.outcome("mine") == "applied")
        }
    }

    @Test("a resume", arguments: points)
    func resume(point: String) async throws {
        try await Race.run { race in
            try await race.open("cart", as: "mine")
            let hold = try await race.hold(point, "A", kind: "resume")
            _ = try await race.client.signIn(user: "anna", scene: "B")
            let caught = try await hold.caught()
            #expect(caught == ["scene": "A", "ticket": 1, "event": "mine", "point": .string(point)])
            try await expect(race, attempt: 2, of: "mine", at: point)
            let isShown = point == "transition" || point == "settled"
            #expect(try await race.shown() == ["home"] + (isShown ? ["cart"] : []))
            #expect(try await race.open("orders", in: "B").outcome == .applied, "no other window is held up")
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.outcome("mine") == "applied")
        }
    }

    @Test("a sweep", arguments: points)
    func sweep(point: String) async throws {
        try await Race.run { race in
            _ = try await race.client.signIn(user: "anna")
            try await race.open("product/p2", as: "mine")
            try await race.quiesce()
            let hold = try await race.hold(point, "A", kind: "sweep")
            _ = try await race.client.commit(set: ["unavailable": ["p2"]])
            let caught = try await hold.caught()
            #expect(caught == ["scene": "A", "point": .string(point)], "a sweep has no ticket and no event")
            let isSwept = point == "transition" || point == "settled"
            #expect(try await race.shown() == ["home"] + (isSwept ? [] : ["product(id: p2)"]))
            let swept = try await race.daemon.records(scene: "A").count { $0["kind"] == "scene.swept" }
            #expect(swept == (point == "settled" ? 1 : 0))
            // Events that come meanwhile wait for their turn, in this window only.
            try await race.send("product/p1", as: "next")
            #expect(try await race.outcome("next") == "admitted")
            #expect(try await race.open("orders", in: "B").outcome == .applied)
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.outcome("next") == "applied")
            #expect(try await race.shown() == ["home", "product(id: p1)"])
        }
    }

    @Test(
        "a sweep that is held goes by the session as it is when it goes on",
        arguments: ["admitted", "resolved", "planned"]
    )
    func newestSession(point: String) async throws {
        try await Race.run { race in
            _ = try await race.client.commit(set: ["unavailable": ["p1"]])
            try await race.open("product/p2", as: "mine")
            try await race.quiesce()
            let hold = try await race.hold(point, "A", kind: "sweep")
            _ = try await race.client.commit(set: ["unavailable": ["p2"]])
            try await hold.caught()
            _ = try await race.client.commit(set: ["unavailable": ["p1"]])
            try await hold.release()
            try await race.quiesce()
            #expect(try await race.shown() == ["home", "product(id: p2)"])
            // The other way round: allowed when it was caught, refused when it goes on.
            let again = try await race.hold(point, "A", kind: "sweep")
            _ = try await race.client.commit(set: ["unavailable": ["p3"]])
            try await again.caught()
            _ = try await race.client.commit(set: ["unavailable": ["p2"]])
            try await again.release()
            try await race.quiesce()
            #expect(try await race.shown() == ["home"])
        }
    }
}
