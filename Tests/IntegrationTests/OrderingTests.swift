import StrictJSON
import Testing
import Varlink

@Suite("Order on the live daemon", .timeLimit(.minutes(15)))
struct OrderingTests {
    private static let connections = 8
    private static let events = 1_000
    private static let scenes = ["A", "B", "C", "D"]

    @Test("8 connections with 1,000 events each to 4 windows: tickets in order, no overlap, send order kept")
    func order() async throws {
        try await LiveDaemon.run(["--mailbox", "10000"]) { daemon in
            let client = try await daemon.connect()
            for scene in Self.scenes {
                _ = try await client.call("io.scened.Scenes.Connect", ["scene": .string(scene)])
            }
            try await withThrowingTaskGroup { group in
                for number in 0..<Self.connections {
                    let connection = try await daemon.connect()
                    group.addTask { try await Self.send(from: number, on: connection) }
                }
                try await group.waitForAll()
            }
            for scene in Self.scenes {
                // After everything that was sent to the window.
                _ = try await client.send("OpenURL", ["url": "qcommerce://home", "scene": .string(scene)])
            }
            try check(try await daemon.records())
        }
    }

    /// Sends events to the windows in turn, with IDs that say who sent them and in which order, and waits for the last.
    private static func send(from connection: Int, on client: VarlinkClient) async throws {
        let links = ["product/p\(connection + 1)", "orders", "category/tea", "account", "cart"]
        for number in 0..<events {
            let event: JSONObject = [
                "url": .string("qcommerce://\(links[number % links.count])"),
                "scene": .string(scenes[number % scenes.count]), "event": .string("\(connection).\(number)"),
            ]
            if number < events - 1 {
                try await client.oneway("io.scened.Events.OpenURL", event)
            } else {
                _ = try await client.send("OpenURL", event)
            }
        }
    }

    /// Collects problems, because an expectation for each of so many records would be slow.
    private func check(_ records: [JSONObject]) throws {
        #expect(records.map { $0["index"] } == (1...records.count).map { .integer($0) }, "nothing is missing")
        var tickets: [String: Int] = [:]
        var began: [String: Int] = [:]
        var running: [String: Int] = [:]
        var lastSent: [String: Int] = [:]
        var admitted = 0
        var offences: [String] = []
        for record in records {
            guard let scene = record["scene"]?.stringValue, let kind = record["kind"]?.stringValue else { continue }
            let ticket = record["ticket"]?.integerValue
            func require(_ condition: Bool, _ rule: String) {
                if !condition { offences.append("\(rule): \(JSONValue.object(record))") }
            }
            switch kind {
            case "event.admitted":
                tickets[scene, default: 0] += 1
                require(ticket == tickets[scene], "tickets have no gaps")
                let parts = record["event"]?.stringValue?.split(separator: ".").compactMap { Int($0) } ?? []
                guard parts.count == 2 else { continue }
                admitted += 1
                let sender = "\(parts[0]) to \(scene)"
                require(parts[1] > lastSent[sender] ?? -1, "admitted in the order sent")
                lastSent[sender] = parts[1]
            case "dispatch.began":
                require(running[scene] == nil, "one dispatch at a time")
                running[scene] = ticket
                guard record["attempt"] == 1 else { continue }
                require(ticket == began[scene, default: 0] + 1, "first attempts begin in ticket order")
                began[scene] = ticket
            case "dispatch.resolved", "dispatch.planned":
                require(running[scene] == ticket, "within its dispatch")
            case "dispatch.ended":
                require(running[scene] == ticket, "ends what began")
                running[scene] = nil
            case "violation", "gap": require(false, kind)
            default: continue
            }
        }
        #expect(offences.prefix(5) == [])
        #expect(running.isEmpty)
        #expect(admitted == Self.connections * Self.events, "nothing was dropped")
        #expect(tickets == began)
        #expect(tickets.values.reduce(0, +) == Self.connections * Self.events + Self.scenes.count)
        #expect(lastSent.count == Self.connections * Self.scenes.count)
    }
}
