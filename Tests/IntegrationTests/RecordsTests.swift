import SceneClient
import StrictJSON
import Testing
import Varlink

@Suite("io.scened.Records on the live daemon", .timeLimit(.minutes(15)))
struct RecordsTests {
    @Test("pages continue where the last one ended, whatever their length")
    func pages() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for number in 1...5 { _ = try await client.openURL("qcommerce://product/p\(number)") }
            let all = try await daemon.records()
            #expect(all.map { $0["index"] } == (1...all.count).map { .integer($0) })
            #expect(all.first?["kind"] == "host.started")
            #expect(Set(all.map { $0["host"] }).count == 1)
            for limit in [1, 3, all.count] {
                var pieces: [JSONObject] = []
                var position = 0
                while true {
                    let (page, next) = try await client.records(after: position, limit: limit)
                    #expect(page.count <= limit)
                    pieces += page.map(\.reply)
                    guard next > position else { break }
                    position = next
                }
                #expect(pieces == all)
            }
            #expect(try await client.records(after: all.count + 1_000).records == [])
        }
    }

    @Test("records can be filtered by scene and by event")
    func filters() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B"] {
                _ = try await client.connect(scene: scene)
                for number in 1...3 {
                    let event = "\(scene)\(number)"
                    _ = try await client.openURL("qcommerce://product/p\(number)", .init(scene: scene, event: event))
                }
            }
            let all = try await daemon.records()
            #expect(try await daemon.records(scene: "B") == all.filter { $0["scene"] == "B" })
            let event = try await daemon.records(event: "A2")
            #expect(event == all.filter { $0["event"] == "A2" })
            #expect(
                event.compactMap { $0["kind"]?.stringValue }
                    == ["event.admitted", "dispatch.began", "dispatch.resolved", "dispatch.planned"]
                    + event.filter { $0["kind"] == "navigation.step" }.map { _ in "navigation.step" }
                    + ["dispatch.ended"]
            )
            #expect(try await daemon.records(scene: "A", event: "B1") == [])
            #expect(try await daemon.records(scene: "nowhere") == [])
        }
    }

    @Test("records can be filtered by kind and by family of kinds; an empty list means none")
    func kinds() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.openURL("qcommerce://cart")
            let all = try await daemon.records()
            func read(_ kinds: [String]) async throws -> [JSONObject] {
                try await client.records(named: kinds, limit: 10_000).records.map(\.reply)
            }
            func kind(_ record: JSONObject) -> String { record["kind"]?.stringValue ?? "" }
            #expect(try await read(["gate.parked"]) == all.filter { kind($0) == "gate.parked" })
            let two = try await read(["dispatch", "gate"])
            #expect(two == all.filter { kind($0).hasPrefix("dispatch.") || kind($0).hasPrefix("gate.") })
            #expect(two.count > 3)
            #expect(try await read(["violation", "gap"]) == [])
        }
    }

    static let unknownKinds: [(kinds: [JSONValue], unknown: JSONValue, suggestion: JSONValue?)] = [
        (["gate.praked"], "gate.praked", "gate.parked"), (["gate", "dispach"], "dispach", "dispatch"),
        (["Dispatch.Ended"], "Dispatch.Ended", "dispatch.ended"), (["nothing-of-ours"], "nothing-of-ours", nil),
        (["dispatch."], "dispatch.", "dispatch"),
    ]

    @Test("a kind that does not exist is refused with the one that was probably meant", arguments: unknownKinds)
    func unknownKind(kinds: [JSONValue], unknown: JSONValue, suggestion: JSONValue?) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            var parameters: JSONObject = ["kind": unknown]
            parameters["suggestion"] = suggestion
            let refusal = VarlinkError("io.scened.Records.UnknownKind", parameters)
            #expect(try await client.refusal("io.scened.Records.Read", ["kinds": .array(kinds)]) == refusal)
            // A follower gets the error too, instead of waiting for ever.
            let follower = try await daemon.connect()
            let error = await #expect(throws: VarlinkError.self) {
                for try await _ in follower.callMore("io.scened.Records.Read", ["kinds": .array(kinds)]) {}
            }
            #expect(error == refusal)
            try await daemon.expectService()
        }
    }

    @Test("a follower sees what there is and then everything that comes, once and in order")
    func following() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.client()
            _ = try await client.openURL("qcommerce://home")
            let stream = try await daemon.connect().callMore("io.scened.Records.Read", ["limit": 7])
            async let followed = Self.records(of: stream) { $0["event"] == "last" && $0["kind"] == "dispatch.ended" }
            for number in 1...50 { _ = try await client.openURL("qcommerce://product/p\(number)") }
            _ = try await client.openURL("qcommerce://home", .init(event: "last"))
            let seen = try await followed
            #expect(seen == Array(try await daemon.records().prefix(seen.count)))
        }
    }

    @Test("a reader of records that are no longer retained gets a gap with the number of missing records")
    func gap() async throws {
        // Few are retained, so that the events fit among those that may wait, however slow the daemon is.
        try await LiveDaemon.run(["--mailbox", "1000", "--set", "retainedRecords=2000"]) { daemon in
            // Each event leaves at least eight records.
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            let urls: [JSONValue] = ["qcommerce://product/p1", "qcommerce://orders"]
            for number in 0..<500 {
                try await client.oneway("io.scened.Events.OpenURL", ["url": urls[number % 2], "scene": "A"])
            }
            _ = try await client.send("OpenURL", ["url": "qcommerce://home", "scene": "A"])
            let reader = try await daemon.client()
            let (page, next) = try await reader.records(after: 10, limit: 5)
            let gap = try #require(page.first)
            #expect(gap.kind == .gap)
            let count = try #require(gap.missing)
            #expect(count > 0)
            #expect(page.dropFirst().first?.index == 10 + count + 1)
            #expect(page.dropFirst().map(\.index) == Array(11 + count...next))
            let rest = try await reader.records(after: next, limit: 1)
            #expect(rest.records.first?.index == next + 1, "read on from there, there is no gap")
        }
    }

    private static func records(
        of stream: VarlinkReplies,
        until isLast: (JSONValue) -> Bool
    ) async throws -> [JSONObject] {
        var seen: [JSONObject] = []
        for try await page in stream {
            for record in page["records"]?.arrayValue ?? [] {
                seen.append(try #require(record.objectValue))
                if isLast(record) { return seen }
            }
        }
        return seen
    }
}
