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
        #""closeWindow""#, #"{"closeWindow": null, "when": "signedIn"}"#,
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
}
