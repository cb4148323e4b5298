import StrictJSON
import Testing
import Varlink

/// What the daemon gives out, it takes back: a message that is too long would close the connection.
@Suite("Handing back what the daemon gave out", .timeLimit(.minutes(15)))
struct HandingBackTests {
    /// Characters of which JSON makes one to twelve bytes, according to who writes it.
    static let units = ["a", "\"", "\u{1}", "\u{7F}", "é", "\u{20AC}", "\u{1F469}"]

    private static let message = 1 << 20

    /// The length of a call as a client sends it that escapes all that is not ASCII.
    private func length(_ parameters: JSONObject) -> Int {
        JSONValue.object(parameters).text().utf16.reduce(100) { $0 + ($1 < 0x80 ? 1 : 6) }
    }

    private func text(_ unit: String, _ bytes: Int) -> JSONValue {
        .string(String(repeating: unit, count: bytes / unit.utf8.count))
    }

    private func product(_ id: String, _ ref: JSONValue) -> JSONValue {
        ["id": "product", "parameters": ["id": .string(id), "ref": ref]]
    }

    @Test("a window that is as full as it gets, by whatever characters, can be restored", arguments: units)
    func windows(unit: String) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            // The largest that is accepted, and then whatever still fits.
            var bytes = 400_000
            while true {
                let home: JSONValue = ["id": "home", "parameters": [:]]
                let account: JSONValue = ["id": "account", "parameters": [:]]
                let tabs: JSONValue = [
                    ["id": "home", "stack": [home]],
                    ["id": "account", "stack": [account, product("p1", text(unit, bytes))]],
                ]
                let window: JSONValue = ["tabs": tabs, "selectedTab": "home", "modals": [], "transitioning": false]
                let call: JSONObject = ["scene": "A", "window": window]
                bytes = bytes * 9 / 10
                guard JSONValue.object(call).text().utf8.count < Self.message - 100 else { continue }
                guard let error = try await client.refusal("io.scened.Scenes.Connect", call) else { break }
                let reason = error.parameters["reason"]?.stringValue ?? ""
                #expect(error.name == "io.scened.Scenes.Malformed")
                #expect(reason.contains("window: takes ") && reason.hasSuffix("262144"), "\(reason.prefix(200))")
            }
            var outcomes: Set<String> = []
            for size in [100_000, 50_000, 20_000, 10_000, 4_000, 1_000, 400, 100, 40, 10, 4] {
                let activity: JSONObject = [
                    "scene": "A", "activityType": "com.example.shop.view",
                    "userInfo": ["destination": "product", "parameters": ["id": "p2", "ref": text(unit, size)]],
                ]
                do {
                    outcomes.insert(try await client.send("ContinueActivity", activity)["outcome"]?.stringValue ?? "")
                } catch let error as VarlinkError {
                    outcomes.insert(error.name)
                }
            }
            #expect(outcomes.contains("applied"))
            let given = try await client.call("io.scened.Scenes.Get", ["scene": "A"])["scene"]?["window"] ?? .null
            let call: JSONObject = ["scene": "B", "window": given]
            #expect(length(call) <= Self.message)
            let restored = try await client.call("io.scened.Scenes.Connect", call)["scene"]?["window"]
            #expect(restored == given, "\(restored?.text().utf8.count ?? 0) of \(given.text().utf8.count) bytes")
        }
    }

    @Test("facts as large as they get, of whatever characters, can be committed again in one call", arguments: units)
    func facts(unit: String) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            for size in [60_000, 20_000, 8_000, 2_000, 500, 100] {
                for fact in ["paymentMethod", "order", "market", "locale"] {
                    let error = try await client.refusal("io.scened.Session.Commit", ["set": [fact: text(unit, size)]])
                    let reason = error?.parameters["reason"]?.stringValue
                    #expect(reason?.contains("262144") ?? true || reason?.contains("65536") ?? true)
                }
                let list = JSONValue.array(Array(repeating: text(unit, 60), count: size / 60))
                _ = try await client.refusal("io.scened.Session.Commit", ["set": ["cart": list]])
            }
            let given = try await client.call("io.scened.Session.Get")["session"]?["facts"] ?? .null
            #expect(length(["set": given]) <= Self.message)
            _ = try await client.call("io.scened.Control.Reset")
            let again = try await daemon.connect().call("io.scened.Session.Commit", ["set": given])
            #expect(again["session"]?["facts"] == given)
        }
    }
}
