import Foundation
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("A virtual clock and resets on the live daemon", .timeLimit(.minutes(15)))
struct VirtualTimeTests {
    @Test("time advances as far as a client says, and no further")
    func advance() async throws {
        try await LiveDaemon.run(["--clock", "virtual", "--transition", "250"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://product/p1", .init(scene: "A", event: "e", wait: .admitted))
            #expect(try await client.advance(by: .milliseconds(0)) == .milliseconds(0))
            #expect(try await client.scene("A").window?.isTransitioning == true)
            let waits = try await client.call("io.scened.Control.Advance", ["milliseconds": 0])
            #expect(waits["now"] == 0 && waits["next"] == 250, "the transition's end")
            #expect(try await client.advance(by: .milliseconds(249)) == .milliseconds(249))
            #expect(try await client.receipt(of: "e").outcome == .admitted)
            #expect(try await client.advance(by: .milliseconds(1)) == .milliseconds(250))
            #expect(try await client.receipt(of: "e").outcome == .applied)
            let rests = try await client.call("io.scened.Control.Advance", ["milliseconds": 0])
            #expect(rests["now"] == 250 && rests["next"] == nil)
            let ended = try await daemon.record("dispatch.ended", event: "e")
            #expect(ended["monotonic"] == 250_000_000)

            _ = try await client.signIn(user: "anna", expiresIn: .milliseconds(1_000))
            try await client.advance(by: .milliseconds(999))
            #expect(try await client.session().user == "anna")
            try await client.advance(by: .milliseconds(1))
            #expect(try await client.session().user == nil)

            // A sign-in becomes stale before it expires: the window stays, the gate asks again, the same user goes on.
            _ = try await client.signIn(user: "anna", expiresIn: .milliseconds(1_000), staleIn: .milliseconds(400))
            _ = try await client.openURL("qcommerce://account/delete", .init(scene: "A", wait: .admitted))
            try await client.advance(by: .milliseconds(400))
            #expect(try await client.session().isStale)
            #expect(try await client.scene("A").window?.tabs.last?.stack.last?.id == "deleteAccount")
            let stale = try await daemon.record { $0["kind"] == "session.committed" && $0["stale"] != nil }
            #expect(stale["stale"] == ["freshSignIn"])
            try await client.advance(by: .milliseconds(600))
            let expired = try await client.session()
            #expect(expired.user == nil && !expired.isStale)
            let connection = try await daemon.connect()
            for wrong in [-1, 9_223_372_036_854_775_807] {
                #expect(
                    try await connection.refusal("io.scened.Control.Advance", ["milliseconds": .integer(wrong)])
                        == .invalidParameter("milliseconds")
                )
            }
        }
    }

    private static let travel = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Apps/travel.yaml").path

    @Test("a check-in opens a day before a departure, to the second, and moves with it")
    func checkIn() async throws {
        let arguments = ["--app", Self.travel, "--clock", "virtual", "--start", "2026-11-27T08:00Z"]
        try await LiveDaemon.run(arguments) { daemon in
            let client = try await daemon.client()
            func scenectl(_ arguments: String..., status: Int32 = 0) async throws -> String {
                let run = try await Program.run(Command.built("scenectl"), arguments + ["--socket", daemon.socket])
                #expect(run.status == .exited(status), "\(run.errors)")
                return run.output + run.errors
            }
            func checkIn() async throws -> String {
                let receipt = try await client.openURL("travel://checkin", .init(scene: "A"))
                return receipt.reason ?? (receipt.outcome == .applied ? "applied" : "not applied")
            }
            _ = try await client.connect(scene: "A")
            #expect(try await client.openURL("travel://checkin", .init(scene: "A")).precondition == "booked")
            _ = try await client.signIn(user: "anna", facts: ["departure": "2026-11-28T09:00Z", "seat": "1a"])
            #expect(try await client.session().facts["departure"] == "2026-11-28T09:00:00Z")
            try await client.quiesce()
            #expect(try await checkIn() == "checkIn")
            try await client.advance(toDate: "2026-11-27T08:59:59Z")
            #expect(try await checkIn() == "checkIn")
            let early = try await scenectl("resolve", "--explain", "travel://checkin")
            let limits =
                "only from 2026-11-27T09:00:00Z (departure minus 1d) until 2026-11-28T08:20:00Z (departure minus 40m); "
                + "it is 2026-11-27T08:59:59Z"
            #expect(early.contains("checkIn  the check-in is not open: \(limits)"), "\(early)")
            _ = try await client.openURL("travel://checkin", .init(scene: "A", event: "early"))
            #expect(try await scenectl("why", "early").contains(limits))
            // As if the session were another; what opening does is up to the present one.
            let supposed = try await scenectl(
                "resolve",
                "--explain",
                "travel://checkin",
                "--facts",
                #"{"departure": "2026-11-28T08:00Z", "seat": "1a"}"#
            )
            #expect(supposed.contains("✓ condition    checkIn"), "\(supposed)")
            #expect(
                supposed.contains("Opened now, in the present session, it is admitted and ends rejected as checkIn"),
                "\(supposed)"
            )
            let nobody = try await scenectl(
                "resolve",
                "--explain",
                "travel://checkin",
                "--facts",
                #"{"departur": 1}"#,
                status: 1
            )
            #expect(nobody.contains("'departur'") && nobody.contains("departure"), "\(nobody)")
            try await client.advance(by: .seconds(1))
            #expect(try await checkIn() == "applied")
            // Nothing waits for a time that only a period has.
            let advanced = try await client.call("io.scened.Control.Advance", ["milliseconds": 0])
            #expect(advanced["next"] == nil)
            _ = try await scenectl("intent", "--scene", "A", "delayed", "at=2026-11-28T10:00Z")
            try await client.quiesce()
            #expect(try await client.scene("A").window?.trail == ["trips"])
            #expect(try await checkIn() == "checkIn")
            try await client.advance(toDate: "2026-11-27T10:00Z")
            #expect(try await checkIn() == "applied")

            let refused = try await scenectl("session", "set", "departure=soon", status: 1)
            #expect(refused.contains("expected a date in UTC, such as 2026-11-27"), "\(refused)")
            let link = try await scenectl("openurl", "--scene", "A", "travel://event/soon", status: 1)
            #expect(link.contains("'soon' is not a date in UTC, such as 2026-11-27"), "\(link)")
            #expect(try await scenectl("check").contains("hold"))
        }
    }

    @Test("time begins with a date, goes to a date, and a reset goes back to it or takes another")
    func dates() async throws {
        try await LiveDaemon.run(["--clock", "virtual", "--start", "2026-11-27T08:00Z"]) { daemon in
            let (client, connection) = (try await daemon.client(), try await daemon.connect())
            func clock() async throws -> JSONValue? {
                try await connection.call("io.scened.Manager.GetStatus")["clock"]
            }
            #expect(try await clock() == ["now": 0, "date": "2026-11-27T08:00:00Z", "virtual": true])
            #expect(try await client.advance(toDate: "2026-11-27T09:00:30Z") == .seconds(3_630))
            #expect(try await client.advance(to: .seconds(3_631)) == .seconds(3_631))
            #expect(try await clock()?["date"] == "2026-11-27T09:00:31Z")
            for past in [["date": "2026-11-27T09:00Z"], ["time": 5]] as [JSONObject] {
                #expect(
                    try await connection.refusal("io.scened.Control.Advance", past)
                        == VarlinkError(
                            "io.scened.Control.TimePassed",
                            ["now": 3_631_000, "date": "2026-11-27T09:00:31Z"]
                        )
                )
            }
            for (wrong, parameter) in [
                ([:], "milliseconds"), (["date": "tomorrow"], "date"), (["date": "9999-01-01"], "date"),
                (["time": -1], "time"), (["milliseconds": 1, "date": "2027-01-01"], "milliseconds"),
            ] as [(JSONObject, JSONValue)] {
                let refusal = try await connection.refusal("io.scened.Control.Advance", wrong)
                #expect(refusal?.name == "org.varlink.service.InvalidParameter", "\(wrong)")
                #expect(refusal?.parameters["parameter"] == parameter, "\(wrong)")
            }
            #expect(try await clock()?["now"] == 3_631_000, "what is refused moves nothing")

            _ = try await client.reset(start: "2026-12-24T18:00Z")
            #expect(try await clock() == ["now": 0, "date": "2026-12-24T18:00:00Z", "virtual": true])
            _ = try await client.reset()
            #expect(try await clock()?["date"] == "2026-11-27T08:00:00Z")
            let refusal = try await connection.refusal("io.scened.Control.Reset", ["start": "soon"])
            #expect(refusal?.parameters["parameter"] == "start")
        }
    }

    @Test("a real clock has no start")
    func realStart() async throws {
        let started = try await Program.run(
            Command.built("scened"),
            ["--config", "/dev/null", "--check-config", "--start", "2026-11-27T08:00Z"]
        )
        #expect(started.status == .exited(78))
        #expect(started.errors == "scened: --start: start: a real clock cannot be set; expected clock: virtual\n")
        try await LiveDaemon.run { daemon in
            let connection = try await daemon.connect()
            let refusal = try await connection.refusal("io.scened.Control.Reset", ["start": "2026-11-27"])
            #expect(refusal == VarlinkError("io.scened.Control.RealClock"))
            let clock = try await connection.call("io.scened.Manager.GetStatus")["clock"]
            #expect(clock?["virtual"] == false && clock?["date"]?.stringValue?.hasSuffix("Z") == true)
        }
    }

    @Test("a daemon whose clock stands still can be stopped, also while an event is waited for with more")
    func stopsWithMore() async throws {
        try await LiveDaemon.run(["--clock", "virtual", "--transition", "250"]) { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            let parameters: JSONObject = ["url": "qcommerce://product/p1", "scene": "A", "event": "e"]
            var replies = client.callMore("io.scened.Events.OpenURL", parameters).makeAsyncIterator()
            #expect(try await replies.next()?["receipt"]?["outcome"] == "admitted")
            let waits = try await daemon.connect().call("io.scened.Events.Get", ["event": "e"])["waits"]
            #expect(waits?["ahead"] == 0 && waits?["virtual"] == true && waits?["now"] == 0)
            daemon.stop()
            // Stopping hurries what is in progress, so that it ends.
            #expect(try await replies.next()?["receipt"]?["outcome"] == "applied")
            #expect(try await replies.next() == nil)
        }
    }

    @Test("a daemon whose clock stands still can be stopped")
    func stops() async throws {
        try await LiveDaemon.run(["--clock", "virtual", "--transition", "250"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://product/p1", .init(scene: "A", wait: .admitted))
        }
    }

    @Test("the real clock cannot be advanced")
    func realClock() async throws {
        try await LiveDaemon.run { daemon in
            let connection = try await daemon.connect()
            let refusal = try await connection.refusal("io.scened.Control.Advance", ["milliseconds": 1])
            #expect(refusal == VarlinkError("io.scened.Control.RealClock"))
        }
    }

    @Test("a reset starts over, ends followers of the old history, and is the same but for the host's ID")
    func reset() async throws {
        try await LiveDaemon.run(["--clock", "virtual"]) { daemon in
            let client = try await daemon.client()
            func story() async throws -> [JSONObject] {
                _ = try await client.connect(scene: "A")
                _ = try await client.openURL("qcommerce://cart", .init(scene: "A", event: "cart"))
                try await client.advance(by: .milliseconds(10))
                _ = try await client.signIn(user: "anna")
                try await client.quiesce(timeout: .seconds(120))
                return try await daemon.records().filter { $0["kind"] != "host.quiet" }
                    .map { JSONObject($0.filter { $0.key != "connection" && $0.key != "call" && $0.key != "origin" }) }
            }
            try await client.advance(by: .milliseconds(5))
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("qcommerce://cart", .init(scene: "A", event: "old"))
            let lever = try await daemon.connect()
            let hold = try await lever.call("io.scened.Control.Hold", ["point": "planned"])["hold"] ?? .null
            async let held = daemon.client().openURL("qcommerce://orders", .init(scene: "A", event: "held"))
            _ = try await lever.call("io.scened.Control.Await", ["hold": hold])
            let waiting = try await daemon.client()
            _ = try await waiting.openURL("qcommerce://home", .init(scene: "A", event: "queued", wait: .admitted))
            async let queued = waiting.openURL("qcommerce://home", .init(scene: "A", event: "queued"))
            var history = try await daemon.connect().callMore("io.scened.Records.Read").makeAsyncIterator()
            _ = try await history.next()

            let first = try await client.reset(seed: 7)
            #expect(try await held.outcome == .applied, "what has begun is finished")
            let abandoned = try await queued
            #expect(abandoned.outcome == .abandoned && abandoned.reason == "shutdown")
            var last: JSONValue?
            while let page = try await history.next() { last = page["records"]?.arrayValue?.last ?? last }
            #expect(last?["kind"] == "host.stopped", "the follower saw the history's end")
            #expect(try await client.scenes().isEmpty)
            #expect(try await client.session().revision == 0)
            let refusal = try await lever.refusal("io.scened.Control.Release", ["hold": hold])
            #expect(refusal?.name == "io.scened.Control.UnknownHold")
            let before = try await story()
            #expect(before.first?["host"]?.stringValue == first)
            #expect(before.first?["index"] == 1)

            // A host's ID is never given again, whatever the seed; all else is as before.
            let others = [try await client.reset(seed: 7), try await client.reset(), try await client.reset(seed: 7)]
            #expect(Set(others + [first]).count == 4)
            func withoutHost(_ story: [JSONObject]) -> [JSONObject] {
                story.map { JSONObject($0.filter { $0.key != "host" }) }
            }
            #expect(withoutHost(try await story()) == withoutHost(before))
            try await daemon.expectService()
        }
    }
}
