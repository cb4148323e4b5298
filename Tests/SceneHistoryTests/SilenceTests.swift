import SceneEntryPoints
import SceneHistory
import SceneManifest
import SceneNavigation
import SceneRouting
import SceneRuntime
import StrictJSON
import Testing

/// The checker notices lies about what is silent, who got it, and what brought a window to the front.
@Suite struct SilenceTests {
    /// Taps and silent events in a window that is in front, in the background and away; one is resumed, one handled.
    private static func history() async throws -> [JSONObject] {
        var manifest = try AppManifest.builtInShop()
        manifest.adapters.append(
            AdapterDeclaration(
                name: "done",
                priority: 100,
                kinds: ["url", "push"],
                conditions: [.present(path: "sourceApplication")],
                mapping: .handled
            )
        )
        let host = try SceneHost(id: "silence", manifest: manifest)
        try host.connect(scene: "A")
        let silent = try EntryEvent.push(payload: ["aps": ["content-available": 1]])
        let handled = try EntryEvent.url("qcommerce://home", sourceApplication: "com.example.mail")
        func send(_ event: EntryEvent) async throws {
            _ = await host.receipt(of: try host.admit(Submission(event, scene: "A")))
        }
        try await send(.url("qcommerce://cart"))
        try await host.setActivation(.foregroundInactive, of: "A")
        try await host.setActivation(.background, of: "A")
        try await send(silent)
        try await host.session.signIn(user: "mina")
        await host.quiesce()
        try await send(handled)
        try await host.disconnect(scene: "A")
        try await send(silent)
        try await send(.url("qcommerce://orders"))
        await host.drain()
        return host.records.read(after: 0).records.map(\.json)
    }

    private static func place(_ kind: String, _ fits: (JSONObject) -> Bool, in records: [JSONObject]) throws -> Int {
        try #require(records.firstIndex { $0["kind"]?.stringValue == kind && fits($0) })
    }

    @Test func `what is silent, and who gets it`() async throws {
        let records = try await Self.history()
        #expect(checked(records).conclusion == .holds, "\(checked(records).text)")
        let lies: [(name: String, place: Int, change: (inout JSONObject) -> Void)] = [
            (
                "a handled link", try Self.place("event.admitted", { $0["adapter"] != nil }, in: records),
                { $0["silent"] = true }
            ),
            (
                "a link", try Self.place("event.admitted", { $0["destination"] != nil }, in: records),
                { $0["silent"] = true }
            ),
            (
                "a silent push in the background",
                try Self.place("event.admitted", { $0["silent"] == true && $0["scene"] == "A" }, in: records),
                { $0["silent"] = nil }
            ),
            (
                "a push to the app",
                try Self.place("event.admitted", { $0["receiver"] == "app" }, in: records), { $0["silent"] = nil }
            ),
            (
                "who gets it",
                try Self.place("dispatch.began", { $0["receiver"] == "app" }, in: records),
                { ($0["receiver"], $0["scene"]) = (nil, "A") }
            ),
            (
                "how it ends", try Self.place("dispatch.ended", { $0["receiver"] == "app" }, in: records),
                { ($0["outcome"], $0["reason"]) = ("rejected", "unknownRoute") }
            ),
        ]
        for (name, place, change) in lies {
            var changed = records
            change(&changed[place])
            #expect(!checked(changed).violated.isEmpty, "\(name)")
        }
    }

    @Test func `what brings a window to the front, and what does not`() async throws {
        let records = try await Self.history()
        let resume = try Self.place("dispatch.began", { $0["item"] == "resume" }, in: records)
        let cold = try Self.place("scene.connected", { $0["event"] != nil }, in: records)
        func renumbered(_ records: [JSONObject]) -> [JSONObject] {
            records.enumerated().map { place, record in
                var record = record
                record["index"] = .integer(place + 1)
                return record
            }
        }
        func activation(_ from: String, _ to: String) -> JSONObject {
            [
                "host": "silence", "index": 1, "kind": "scene.activation",
                "monotonic": records[resume]["monotonic"] ?? 0,
                "scene": "A", "from": .string(from), "to": .string(to),
            ]
        }
        var comesForward = records
        comesForward.insert(
            contentsOf: [
                activation("background", "foregroundInactive"), activation("foregroundInactive", "foregroundActive"),
            ],
            at: resume + 1
        )
        var staysBehind = records
        staysBehind.removeLast(records.count - cold - 1)
        staysBehind += records[(cold + 1)...].filter { $0["kind"] != "scene.activation" }
        for lie in [comesForward, staysBehind] {
            #expect(checked(renumbered(lie)).violated.contains(.lifecycle))
        }
    }

    @Test func `records of a newer format are not judged`() async throws {
        var records = try await Self.history()
        records[0]["format"] = .integer(HistoryRecord.newestFormat + 1)
        let report = checked(records)
        #expect(report.conclusion == .unknown, "\(report.text)")
        #expect(report.text.contains("which is newer than \(HistoryRecord.newestFormat)"))
    }
}
