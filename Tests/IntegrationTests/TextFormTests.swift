import Basics
import Foundation
import StrictJSON
import TestFixtures
import Testing
import Varlink

/// Swift takes two texts for one if only their normal forms in Unicode differ. The daemon must not (<doc:/SceneRuntime/Words>): what
/// it is sent after a text is as different from it as any other text, and what it brings into NFC is the same from then on.
@Suite("Two texts that look the same, to the live daemon", .serialized, .timeLimit(.minutes(15)))
struct TextFormTests {
    /// A text, one that Swift takes for the same, and two of as many bytes that it does not.
    private static let first = "\u{FC}"
    private static let twin = "u\u{308}"
    private static let strangers = ["v\u{308}", "q\u{308}"]

    private static let app = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Apps/texts.yaml").path

    /// Calls with a text, and with the same or another.
    private struct Probe: Sendable {
        let name: String
        var needsMore = false
        /// Whether the text is in NFC from then on, so that the twin is the same.
        var isNormalized = false
        let calls: @Sendable (_ text: String, _ other: String) -> [(method: String, parameters: JSONObject)]
    }

    private static func twice(
        _ method: String,
        isNormalized: Bool = false,
        _ parameters: @escaping @Sendable (JSONValue) -> JSONObject
    ) -> Probe {
        Probe(name: "\(method) \(JSONValue.object(parameters("…")).text())", isNormalized: isNormalized) {
            text,
            other in
            [text, other].map { ("io.scened.\(method)", parameters(.string($0))) }
        }
    }

    private static func once(
        _ method: String,
        isNormalized: Bool = false,
        _ parameters: @escaping @Sendable (JSONValue, JSONValue) -> JSONObject
    ) -> Probe {
        Probe(name: "\(method) \(JSONValue.object(parameters("…", "_")).text())", isNormalized: isNormalized) {
            text,
            other in
            [("io.scened.\(method)", parameters(.string(text), .string(other)))]
        }
    }

    private static func key(_ value: JSONValue) -> String { value.stringValue ?? "" }

    private static func push(_ payload: JSONObject, category: String = "NONE") -> JSONObject {
        var all: JSONObject = ["aps": ["alert": "x", "category": .string(category)]]
        for (key, value) in payload { all[key] = value }
        return ["payload": .object(all)]
    }

    private static func finish(_ reported: JSONObject) -> JSONObject {
        var call: JSONObject = ["scene": "a", "flow": "keep", "result": "completed"]
        for (key, value) in reported { call[key] = value }
        return call
    }

    /// What the types of the interfaces do not tell: formats of events, facts, what a manifest looks at, two texts in one call.
    private static let depths: [Probe] =
        [
            once("Events.Push") { push([key($0): 1, key($1): 2]) },
            once("Events.ContinueActivity") {
                ["activityType": "a", "userInfo": ["a": [key($1): [$0, $1]], key($1): 1]]
            },
            once("Events.OpenURLs") { one, other in
                let urls = [one, other].map { JSONValue.string("texts://home?\(key($0))") }
                return ["urls": .array(urls), "order": [1, 2]]
            },
            once("Session.Commit") { ["set": ["words": [$0, $1]]] }, twice("Session.Commit") { ["set": ["word": $0]] },
            twice("Session.SignIn") { ["user": "u", "facts": ["word": $0]] },
            twice("Routing.Resolve") { ["url": "texts://plain", "facts": ["word": $0]] },
            twice("Events.Push") { push(["aps": ["alert": "x", "target-content-id": $0], "word": "\u{FC}"]) },
            twice("Events.Push", isNormalized: true) { push(["noted": $0]) },
            twice("Events.FinishFlow", isNormalized: true) { finish(["values": ["word": $0]]) },
            twice("Events.FinishFlow") { finish(["facts": ["word": $0]]) },
            twice("Events.SendIntent") { ["scene": "a", "name": "undeclared", "parameters": ["word": $0]] },
            twice("Events.SendIntent", isNormalized: true) {
                ["scene": "a", "name": "noted", "parameters": ["word": $0]]
            },
            twice("Events.SendIntent", isNormalized: true) {
                ["scene": "a", "name": "kept", "parameters": ["word": $0]]
            },
            twice("Events.OpenURL", isNormalized: true) { ["url": .string("texts://note/\(key($0))")] },
            twice("Events.OpenURL", isNormalized: true) { ["url": .string("texts://drawer/\(key($0))")] },
            twice("Events.OpenURL", isNormalized: true) { ["url": .string("texts://choice/\(key($0))")] },
            once("Events.OpenURL", isNormalized: true) {
                ["url": .string("texts://tagged?tag=\(key($0))&tag=\(key($1))")]
            },
        ]
        + ["KEEP", "DROP"].map { action in
            twice("Events.Push", isNormalized: true) { text in
                var call = push(["word": text], category: "WORD")
                call["interaction"] = "action"
                call["action"] = .string(action)
                return call
            }
        }

    /// The same event with two texts: the second is another, whatever the text.
    private static func repeated(_ probe: Probe) -> Probe {
        Probe(name: "\(probe.name), by one ID", needsMore: probe.needsMore) { text, other in
            probe.calls(text, other).map { method, parameters in
                var parameters = parameters
                if method.hasPrefix("io.scened.Events."), parameters["event"] == nil { parameters["event"] = "once" }
                return (method, parameters)
            }
        }
    }

    private func probes(_ daemon: LiveDaemon) async throws -> [Probe] {
        let (texts, keys, _) = try await CallPart.all(daemon)
        let flat = (texts + keys).map { part in
            Probe(name: part.testDescription, needsMore: part.needsMore) { text, other in
                [text, other].map { (part.method, part.parameters(.string($0))) }
            }
        }
        let all = flat + Self.depths
        let sent = all.filter { probe in
            let calls = probe.calls("a", "b")
            return calls.count == 2 && calls[0].method.hasPrefix("io.scened.Events.")
        }
        return all + sent.map(Self.repeated)
    }

    /// All that the daemon says to these calls and knows after them, with `X` for the other text.
    private func answer(_ daemon: LiveDaemon, _ probe: Probe, _ other: String) async throws -> [String] {
        let client = try await daemon.connect()
        let host = try await client.call("io.scened.Control.Reset", ["seed": 1, "start": "2026-11-27"])["host"]
        _ = try await client.call("io.scened.Scenes.Connect", ["scene": "a"])
        var texts: [String] = []
        for (method, parameters) in probe.calls(Self.first, other) {
            let raw = try RawConnection(path: daemon.socket)
            let call: JSONObject = [
                "method": .string(method), "parameters": .object(parameters), "more": .bool(probe.needsMore),
            ]
            try await raw.write(bytes: Array(JSONValue.object(call).text().utf8) + [0])
            texts.append(try await raw.read(messages: 1))
        }
        for method in ["Control.Quiesce", "Session.Get", "Scenes.List"] {
            texts.append(JSONValue.object(try await client.call("io.scened.\(method)")).text())
        }
        texts += try await daemon.records().map { JSONValue.object($0).text() }
        let check = try await client.call("io.scened.Records.Check")
        #expect(check["conclusion"] == "holds", "\(probe.name): \(JSONValue.object(check).text())")
        return texts.map { text in
            var bytes = Array(text.utf8)
            let shown = probe.isNormalized ? [other, Self.first] : [other]
            for part in shown + shown.map(Self.escaped) { bytes.replace(Array(part.utf8), with: Array("X".utf8)) }
            if let host = host?.stringValue { bytes.replace(Array(host.utf8), with: Array("HOST".utf8)) }
            return String(decoding: bytes, as: UTF8.self).replacing(/"connection":[0-9]+/, with: "")
        }
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "%" + String($0, radix: 16, uppercase: true) }.joined()
    }

    @Test("a text is as different from its twin as from any other, in every parameter of every method and behind it")
    func twins() async throws {
        #expect(Self.first == Self.twin && Self.first.utf8.count != Self.twin.utf8.count)
        try await LiveDaemon.run(["--app", Self.app, "--clock", "virtual"]) { daemon in
            let probes = try await probes(daemon)
            #expect(probes.count > 150)
            var volatile: [String] = []
            for probe in probes {
                let strangers = [
                    try await answer(daemon, probe, Self.strangers[0]),
                    try await answer(daemon, probe, Self.strangers[1]),
                ]
                guard strangers[0].elementsEqual(strangers[1], by: { $0.hasSameBytes(as: $1) }) else {
                    volatile.append(probe.name)
                    continue
                }
                let expected = probe.isNormalized ? try await answer(daemon, probe, Self.first) : strangers[0]
                let found = try await answer(daemon, probe, Self.twin)
                for (one, other) in zip(expected, found) where !one.hasSameBytes(as: other) {
                    Issue.record("\(probe.name): expected \(one), found \(other)")
                    break
                }
                #expect(expected.count == found.count, "\(probe.name)")
            }
            #expect(volatile.count < 5, "\(volatile)")
        }
    }

    @Test(
        "a manifest's texts are met by texts of the same bytes",
        arguments: [("\u{FC}", "composed"), ("u\u{308}", "decomposed"), ("\u{FB}", nil)]
    )
    func manifest(word: String, destination: String?) async throws {
        try await LiveDaemon.run(["--app", Self.app]) { daemon in
            let client = try await daemon.connect()
            let resolved = try await client.call(
                "io.scened.Routing.Resolve",
                ["url": "texts://place", "facts": ["word": .string(word)]]
            )
            let target = resolved["resolution"]?["target"]?["path"]?.arrayValue?.last?["id"]
            #expect(target?.stringValue == destination ?? "place")
            let event: JSONObject = ["aps": ["alert": "x"], "word": .string(word)]
            let trial = try await client.call("io.scened.Adapters.Try", ["event": .object(event)])["trial"]
            #expect(trial?["request"]?["destination"]?["id"]?.stringValue == destination)
        }
    }
}
