import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import TestFixtures
import Testing

/// `protocol/manifest.schema.json` is for editors. These tests keep it in line with the loader, which decides.
@Suite("The manifest's JSON Schema")
struct SchemaTests {
    let schema: JSONSchema

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../protocol/manifest.schema.json").standardized
        schema = JSONSchema(try JSONValue(parsing: String(contentsOf: file, encoding: .utf8)))
    }

    @Test("accepts the apps that ship", arguments: ExampleApp.allCases)
    func takesTheExamples(example: ExampleApp) throws {
        #expect(try schema.failures(JSONValue(parsing: AppManifest.json(of: example.text))) == [])
    }

    static let effects = [
        #""signOut""#, #"{"signOut": null}"#, #"{"remove": "list", "value": "a"}"#, #"{"add": "count", "value": -1}"#,
        #"{"add": "count", "value": {"parameter": "n"}, "when": {"fact": "count", "less": {"parameter": "n"}}}"#,
        #"{"push": "u", "parameters": {"n": {"parameter": "n"}}}"#, #"{"replace": "u", "parameters": {"n": "4"}}"#,
        #""popToRoot""#, #"{"popToRoot": null, "animated": false}"#, #"{"pop": 2}"#,
        #"{"popTo": "s", "animated": false}"#,
        #"{"back": null, "animated": false}"#, #"{"push": "t", "animated": true, "when": "signedIn"}"#,
        #"{"openWindow": "h"}"#,
        #"{"openWindow": "h", "parameters": {}, "configuration": "default", "when": "signedIn"}"#,
        #""closeWindow""#, #"{"closeWindow": null, "when": "signedIn"}"#, #"{"closeWindow": "h", "parameters": {}}"#,
        #""refreshWindow""#, #"{"refreshWindow": null}"#, #"{"refreshWindow": "h", "when": "signedIn"}"#,
        #"{"cancel": null, "when": "signedIn"}"#, #"{"complete": null, "when": {"not": "signedIn"}}"#,
    ]

    @Test("accepts every effect, with and without a condition", arguments: effects)
    func takesEffects(effect: String) throws {
        let text = """
            {"name": "a", "facts": {"list": {"type": "strings"}, "count": {"type": "integer"}}, "tabs": {"h": "h"},
            "destinations": {"h": {"tab": "h"}}, "flows": {"f": {"screens": ["s", "t", {"id": "u", "parameters": {"n": {"type": "integer", "optional": true}}}],
            "start": [{"when": {"not": "signedIn"}, "screen": "t"}], "intents": {"i": {"parameters": {"n":
            {"type": "integer"}}, "effects": [\(effect)]}}}}}
            """
        #expect(try schema.failures(JSONValue(parsing: text)) == [])
        #expect(!AppManifest.problems(in: text).contains { $0.severity == .error })
    }

    @Test("accepts variants of a destination")
    func takesVariants() throws {
        let text = """
            {"name": "a", "facts": {"arm": {"type": "string"}}, "tabs": {"h": "h"}, "destinations": {"h": {"tab": "h"},
            "o": {"ancestry": ["h"], "variants": [{"when": {"fact": "arm", "equals": "b"}, "destination": "p"}]},
            "p": {"ancestry": ["h"]}}}
            """
        #expect(try schema.failures(JSONValue(parsing: text)) == [])
        #expect(!AppManifest.problems(in: text).contains { $0.severity == .error })
    }

    static let wrong: [(String, String)] = [
        (#"{"name": "a", "destinations": {"x": {"variants": [{"when": "signedIn"}]}}}"#, ".destinations.x"),
        (#"{"name": "a", "destinations": {"x": {"variants": [{"destination": "y"}]}}}"#, ".destinations.x"),
        (#"{"name": "a", "tab": {}}"#, ".tab"),
        (#"{"tabs": {}}"#, ".name"),
        (#"{"name": "a", "facts": {"x": {"type": "list"}}}"#, ".facts.x.type"),
        (#"{"name": "a", "destinations": {"x": {"route": []}}}"#, ".destinations.x"),
        (#"{"name": "a", "intents": {"x": {"effects": [{"add": "count"}]}}}"#, ".intents.x.effects[0]"),
        (#"{"name": "a", "intents": {"x": {"effects": [{"signOut": 1}]}}}"#, ".intents.x.effects[0]"),
        (
            #"{"name": "a", "flows": {"f": {"screens": ["s"], "intents": {"x": {"effects": [{"pop": 0}]}}}}}"#,
            ".flows.f.intents.x.effects[0]"
        ),
        (#"{"name": "a", "policies": {"maximumScenes": 0}}"#, ".policies.maximumScenes"),
    ]

    @Test("refuses the same mistakes as the loader", arguments: wrong)
    func refuses(text: String, place: String) throws {
        #expect(try schema.failures(JSONValue(parsing: text)).contains(place))
        #expect(AppManifest.problems(in: text).contains { $0.severity == .error })
    }

    // MARK: - Whatever the schema forbids

    static let predicates = [
        #""signedIn""#, #"{"present": "list"}"#, #"{"fact": "text", "equals": "a"}"#,
        #"{"fact": "text", "equals": {"parameter": "who"}}"#, #"{"fact": "count", "notEquals": 1}"#,
        #"{"fact": "count", "less": 1}"#, #"{"fact": "count", "lessOrEqual": 1}"#,
        #"{"fact": "count", "greater": {"parameter": "n"}}"#, #"{"fact": "count", "greaterOrEqual": 1}"#,
        #"{"fact": "list", "contains": "a"}"#, #"{"fact": "list", "contains": {"parameter": "who"}}"#,
        #"{"fact": "text", "oneOf": ["a", "b"]}"#, #"{"appVersion": {"greaterOrEqual": "2.1"}}"#,
        #"{"period": {"from": "2026-01-01T00:00:00Z", "until": "2030-01-01T00:00:00Z"}}"#,
        #"{"period": {"from": {"fact": "day", "minus": "24h"}, "until": {"fact": "day", "plus": "1d90m500ms"}}}"#,
        #"{"period": {"from": {"parameter": "at"}, "until": "2030-01-01"}}"#, #"{"fact": "day", "less": "2030-01-01"}"#,
        #"{"all": ["signedIn", {"present": "list"}]}"#, #"{"any": ["signedIn", {"present": "list"}]}"#,
        #"{"not": {"present": "list"}}"#,
    ]

    static let everyEffect = [
        #""closeWindow""#, #"{"route": "item", "parameters": {"id": {"parameter": "who"}}, "when": "signedIn"}"#,
        #"{"openWindow": "item", "parameters": {"id": "a"}, "configuration": "default", "when": "signedIn"}"#,
        #"{"set": "text", "value": {"fact": "text"}, "when": "signedIn"}"#,
        #"{"append": "list", "value": {"parameter": "who"}, "when": "signedIn"}"#,
        #"{"remove": "list", "value": "a", "when": "signedIn"}"#,
        #"{"add": "count", "value": {"parameter": "n"}, "when": "signedIn"}"#,
        #"{"answer": {"a": {"fact": "list"}, "b": 1}, "when": "signedIn"}"#, #"{"reset": "list", "when": "signedIn"}"#,
        #"{"push": "u", "parameters": {"n": {"parameter": "n"}}, "animated": false, "when": "signedIn"}"#,
        #"{"start": "g", "parameters": {"n": "4"}, "animated": false, "when": "signedIn"}"#,
        #"{"replace": "u", "parameters": {"n": {"fact": "count"}}, "animated": false, "when": "signedIn"}"#,
        #"{"pop": 2, "animated": false, "when": "signedIn"}"#,
        #"{"popTo": "s", "animated": false, "when": "signedIn"}"#,
        #"{"complete": {"user": "who", "result": {"r": "a"}}, "when": "signedIn"}"#,
        #"{"signOut": null, "when": "signedIn"}"#, #"{"markStale": null, "when": "signedIn"}"#,
        #"{"back": null, "animated": false, "when": "signedIn"}"#,
        #"{"popToRoot": null, "animated": false, "when": "signedIn"}"#, #"{"cancel": null, "when": "signedIn"}"#,
        #"{"closeWindow": null, "when": "signedIn"}"#, #"{"refreshWindow": null, "when": "signedIn"}"#,
        #"{"closeWindow": "item", "parameters": {"id": "a"}, "when": "signedIn"}"#,
        #"{"refreshWindow": "item", "parameters": {"id": "a"}, "when": "signedIn"}"#,
    ]

    /// An app in which every sample is right.
    private static func app(effect: JSONValue) -> JSONValue {
        let flow: JSONValue = [
            "screens": ["s", "t", ["id": "u", "parameters": ["n": ["type": "integer", "optional": true]]]],
            "result": ["r": ["type": "string", "optional": true]],
            "intents": [
                "i": [
                    "parameters": ["n": ["type": "integer"], "who": ["type": "string"], "at": "date"],
                    "effects": .array([effect]),
                ]
            ],
        ]
        return [
            "name": "a",
            "facts": [
                "list": ["type": "strings"], "count": ["type": "integer"], "text": ["type": "string"],
                "day": ["type": "date"],
            ],
            "tabs": ["h": "h"],
            "destinations": ["h": ["tab": "h"], "item": ["ancestry": ["h"], "parameters": ["id": "string"]]],
            "flows": [
                "f": flow,
                "g": ["screens": [["id": "v", "parameters": ["n": ["type": "integer", "optional": true]]]]],
            ],
        ]
    }

    /// Every value that the value becomes when one part of it, or all of it, is replaced, left out or added to.
    private static func mistakes(in value: JSONValue) -> [JSONValue] {
        var wrong: [JSONValue] = [
            nil, true, 7, -1, 1.5, "", "x", [], ["x"], [nil], [[:]], [:], ["x": 1], ["parameter": nil],
            ["parameter": 1, "fact": "text"], [["x": 1]],
        ]
        if case .object(let members) = value {
            for key in members.keys {
                var less = members
                less[key] = nil
                wrong.append(.object(less))
                for mistake in mistakes(in: members[key] ?? .null) {
                    var other = members
                    other[key] = mistake
                    wrong.append(.object(other))
                }
            }
            var more = members
            more["x"] = "x"
            wrong.append(.object(more))
        }
        if case .array(let elements) = value {
            for index in elements.indices {
                for mistake in mistakes(in: elements[index]) {
                    var other = elements
                    other[index] = mistake
                    wrong.append(.array(other))
                }
            }
        }
        return wrong
    }

    /// Every effect, and every predicate as the condition of one.
    private static func samples() throws -> [JSONValue] {
        try everyEffect.map { try JSONValue(parsing: $0) }
            + predicates.map { ["signOut": nil, "when": try JSONValue(parsing: $0)] }
    }

    @Test("forbids nothing in a condition or an effect that the loader takes")
    func forbids() throws {
        for (name, samples) in [("predicate", Self.predicates), ("effect", Self.everyEffect)] {
            // Each way to write one has its sample.
            for choice in schema.schema["$defs"]?[name]?["anyOf"]?.arrayValue ?? [] {
                var only: JSONObject = ["$defs": schema.schema["$defs"] ?? .null]
                for (key, value) in choice.objectValue ?? [:] { only[key] = value }
                let way = JSONSchema(.object(only))
                #expect(try samples.contains { try way.failures(JSONValue(parsing: $0)) == [] }, "\(choice.text())")
            }
        }
        var count = 0
        let effect = JSONSchema(["$defs": schema.schema["$defs"] ?? .null, "$ref": "#/$defs/effect"])
        for sample in try Self.samples() {
            let right = Self.app(effect: sample)
            #expect(try schema.failures(right) == [], "\(sample.text())")
            let problems = AppManifest.problems(in: right.text()).filter { $0.severity == .error }
            #expect(problems == [], "\(sample.text())")
            for mistake in Self.mistakes(in: sample) {
                guard try effect.failures(mistake) != [] else { continue }
                count += 1
                let isRefused = AppManifest.problems(in: Self.app(effect: mistake).text()).contains {
                    $0.severity == .error
                }
                #expect(isRefused, "the schema forbids \(mistake.text()), and the loader takes it")
            }
        }
        #expect(count > 1_000, "\(count)")
    }
}
