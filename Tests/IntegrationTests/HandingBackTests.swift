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

    @Test("a window that is as full as it gets, by whatever characters, can be restored", arguments: units)
    func windows(unit: String) async throws {
        try await LiveDaemon.run { daemon in
            let client = try await daemon.connect()
            // The largest that is accepted, on a screen of a flow, which takes any text, and then what still fits.
            var bytes = min(
                400_000,
                (Self.message - 1_000) * unit.utf8.count / (JSONValue.string(unit).text().utf8.count - 2)
            )
            while true {
                let account: JSONValue = ["id": "account", "parameters": [:]]
                let login: JSONValue = ["id": "login", "parameters": ["note": text(unit, bytes)]]
                let tabs: JSONValue = [
                    ["id": "home", "stack": [["id": "home", "parameters": [:]]]],
                    ["id": "account", "stack": [account, login]],
                ]
                let window: JSONValue = ["tabs": tabs, "selectedTab": "home", "modals": [], "transitioning": false]
                let error = try await client.refusal("io.scened.Scenes.Connect", ["scene": "A", "window": window])
                guard let error else { break }
                let reason = error.parameters["reason"]?.stringValue ?? ""
                #expect(error.name == "io.scened.Scenes.Malformed")
                #expect(reason.contains("window: takes ") && reason.hasSuffix("262144"), "\(reason.prefix(200))")
                bytes = bytes * 9 / 10
            }
            var outcomes: Set<String> = []
            for size in [500, 300, 100, 40, 10, 4] {
                for tab in ["home", "account"] {
                    let tap: JSONObject = ["scene": "A", "gesture": "selectTab", "tab": .string(tab)]
                    _ = try await client.send("Gesture", tap)
                    let activity: JSONObject = [
                        "scene": "A", "activityType": "com.example.shop.view",
                        "userInfo": ["destination": "product", "parameters": ["id": "p2", "ref": text(unit, size)]],
                    ]
                    outcomes.insert(try await client.send("ContinueActivity", activity)["outcome"]?.stringValue ?? "")
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
            func fill(_ fact: String, _ value: (Int) -> JSONValue) async throws {
                for size in [65_000, 60_000, 40_000, 20_000, 10_000, 5_000, 2_000, 500, 100, 20] {
                    let error = try await client.refusal("io.scened.Session.Commit", ["set": [fact: value(size)]])
                    guard let reason = error?.parameters["reason"]?.stringValue else { return }
                    #expect(
                        reason.hasSuffix("262144") || reason.hasSuffix("65536") || reason.hasSuffix("1000"),
                        "\(reason)"
                    )
                }
            }
            for fact in ["paymentMethod", "order", "market", "locale"] { try await fill(fact) { text(unit, $0) } }
            try await fill("cart") { .array(Array(repeating: text(unit, 60), count: $0 / 60)) }
            let given = try await client.call("io.scened.Session.Get")["session"]?["facts"] ?? .null
            #expect(length(["set": given]) <= Self.message)
            _ = try await client.call("io.scened.Control.Reset")
            let again = try await daemon.connect().call("io.scened.Session.Commit", ["set": given])
            #expect(again["session"]?["facts"] == given)
        }
    }
}
