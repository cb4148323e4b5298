import Foundation
import SceneClient
import StrictJSON
import TestFixtures
import Testing
import Varlink

@Suite("What clients make the daemon keep", .timeLimit(.minutes(15)))
struct MemoryLimitTests {
    /// The daemon's resident memory, in bytes.
    private func resident(_ daemon: LiveDaemon) throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(daemon.processID)/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 4_096
    }

    private func memory(_ client: VarlinkClient, _ use: String) async throws -> Int {
        try await client.call("io.scened.Manager.GetStatus")["memory"]?[use]?.integerValue ?? -1
    }

    @Test(
        "intents that wait are bounded by bytes, counted for their user, and gone when their client is and they have ended"
    )
    func waiting() async throws {
        try await LiveDaemon.run(["--log-level", "error"]) { daemon in
            let client = try await daemon.connect()
            let other = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            _ = try await client.call("io.scened.Control.Hold", ["point": "admitted", "scene": "A"])
            let before = try resident(daemon)
            func refusal(_ bytes: Int) async throws -> VarlinkError? {
                let parameters: JSONObject = [
                    "name": "unheardOf", "parameters": ["x": .string(String(repeating: "x", count: bytes))],
                    "scene": "A", "wait": "admitted",
                ]
                return try await client.refusal("io.scened.Events.SendIntent", parameters)
            }
            for _ in 0..<20 {
                #expect(try await refusal(1_000_000)?.name == "io.scened.Events.ValidationFailed")
            }
            var sent = 0
            var refused: VarlinkError?
            while refused == nil, sent < 500 {
                refused = try await refusal(100_000)
                if refused == nil { sent += 1 }
            }
            #expect(refused?.name == "io.scened.Events.TooMuchWaiting")
            #expect(refused?.parameters["scope"] == "user" && refused?.parameters["limit"] == .integer(16 << 20))
            let waiting = try await memory(other, "waiting")
            #expect(waiting >= sent * 100_000 && waiting <= 16 << 20)
            let grown = try resident(daemon) - before
            // The events, and as many of them among the inputs.
            #expect(grown < 3 * waiting + (48 << 20), "\(grown) bytes for \(waiting)")
            let user = JSONValue.integer(Int(getuid()))
            let status = try await other.call("io.scened.Manager.GetStatus")
            let use = status["users"]?.arrayValue?.first { $0["user"] == user }
            #expect(use?["uses"]?["waitingBytes"] == .integer(waiting))
            let metrics = try await other.call("io.scened.Manager.GetMetrics")["openMetrics"]?.stringValue ?? ""
            #expect(metrics.contains("scened_user_memory_bytes{use=\"waiting\",user=\"\(getuid())\"} \(waiting)\n"))
            // The hold goes with its connection.
            await client.close()
            try await until("nothing waits") { try await memory(other, "waiting") == 0 }
        }
    }

    @Test(
        "a stack grown by intents ends at its limit, and its history takes memory for its steps, as the daemon counts it"
    )
    func steps() async throws {
        try await LiveDaemon.run(["--log-level", "error"]) { daemon in
            let client = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            let before = (try resident(daemon), try await memory(client, "records"))
            var outcomes: [String: Int] = [:]
            for number in 1...3_000 {
                let receipt = try await client.call(
                    "io.scened.Events.SendIntent",
                    ["name": "productSelected", "parameters": ["id": .string("p\(number)")], "scene": "A"]
                )["receipt"]
                outcomes[(receipt?["reason"] ?? receipt?["outcome"])?.stringValue ?? "", default: 0] += 1
            }
            #expect(outcomes == ["applied": 99, "stackFull": 2_901])
            let grown = try resident(daemon) - before.0
            let counted = try await memory(client, "records") + memory(client, "receipts") - before.1
            #expect(grown < 4 * counted + (32 << 20) && grown < 64 << 20, "\(grown) bytes for \(counted)")
            #expect(try await memory(client, "windows") < 32 << 10)
        }
    }

    @Test("calls that wait are counted for their user while they do, with their timers")
    func waiters() async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            let waiter = try await daemon.connect()
            _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
            let hold = try await client.call("io.scened.Control.Hold", ["point": "admitted", "scene": "A"])
            func counts() async throws -> [Int] {
                let users = try await client.call("io.scened.Manager.GetStatus")["users"]?.arrayValue
                let use = users?.first { $0["user"] == .integer(Int(getuid())) }
                return ["waiters", "timers"].map { use?["uses"]?[$0]?.integerValue ?? 0 }
            }
            async let receipt = waiter.call(
                "io.scened.Events.OpenURL",
                ["url": "qcommerce://product/p1", "scene": "A"]
            )
            try await until("an event waits") { try await counts() == [1, 0] }
            let quiet = try await daemon.connect()
            async let answer = quiet.call("io.scened.Control.Quiesce", ["timeoutMilliseconds": 3_600_000])
            try await until("so does a call") { try await counts() == [2, 1] }
            _ = try await client.call("io.scened.Control.Release", hold)
            _ = try await (receipt, answer)
            try await until("nothing waits") { try await counts() == [0, 0] }
        }
    }
}
