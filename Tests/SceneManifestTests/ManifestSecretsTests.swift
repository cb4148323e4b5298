import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import Testing

@Suite("A manifest's secrets")
struct ManifestSecretsTests {
    /// An app with a secret in every place that can have one.
    private static let good = """
        format: 3
        name: Safe
        schemes: [safe]
        facts:
          pin: { type: string, secret: true }
          codes: { type: strings, secret: true }
          name: { type: string }
        conditions:
          known: { holds: { fact: codes, contains: { parameter: code } }, reason: It is not known. }
        tabs: { home: home }
        destinations:
          home: { tab: home, routes: ["safe://home"] }
          drawer:
            ancestry: [home]
            parameters: { code: { type: string, secret: true } }
            conditions: [known]
            routes: ["safe://drawer/{code}"]
        flows:
          unlock:
            screens: [lid]
            result: { code: { type: string, secret: true } }
            intents:
              turned:
                parameters: { code: { type: string, secret: true }, user: { type: string } }
                effects: [{ append: codes, value: { parameter: code } }, { complete: { user: user, result: { code: { parameter: code } } } }]
        intents:
          asked:
            parameters: { code: { type: string, secret: true }, plain: { type: string } }
            effects: [{ set: pin, value: { parameter: code } }, { route: drawer, parameters: { code: { fact: pin } } }]
        adapters:
          - { name: push, kinds: [push], destination: drawer, parameters: { code: "{payload.code}" } }
        """

    private static func problems(_ text: String) -> [String] {
        AppManifest.problems(in: text, file: "safe.yaml").filter { $0.severity == .error }.map(\.description)
    }

    @Test("are allowed everywhere, and come back from JSON")
    func allowed() throws {
        #expect(Self.problems(Self.good) == [])
        let manifest = try AppManifest.read(Self.good, file: "safe.yaml").manifest
        #expect(manifest.hasSecrets)
        let again = try AppManifest.read(JSONValue.object(manifest.json).text(), file: "safe.json").manifest
        #expect(again == manifest)
        let plain = try AppManifest.read(Self.good.replacing(", secret: true", with: ""), file: "safe.yaml").manifest
        #expect(!plain.hasSecrets && plain.digest != manifest.digest)
    }

    typealias Leak = (from: String, to: String, key: String, words: String)

    static let leaks: [Leak] = [
        ("pin: { type: string, secret", "pin: { type: integer, secret", "facts.pin.type", "cannot have a placeholder"),
        (
            "pin: { type: string,", "pin: { type: string, default: x,", "facts.pin.default",
            "what stands in a manifest is none"
        ),
        (
            "holds: { fact: codes, contains: { parameter: code } }",
            "holds: { period: { until: { parameter: code, plus: 1h } } }",
            "conditions.known.holds.period.until", "'code' is secret, and when a period begins or ends would show it"
        ),
        ("pin: { type: string, secret", "pin: { type: date, secret", "facts.pin.type", "cannot have a placeholder"),
        ("contains: { parameter: code }", "contains: x", "conditions.known.holds", "compared with what is none"),
        ("fact: codes, contains", "fact: pin, less", "conditions.known.holds", "or by its order"),
        ("fact: codes, contains", "fact: name, equals", "conditions.known.holds", "compared with what is none"),
        (
            "{ fact: codes, contains: { parameter: code } }", "{ fact: pin, oneOf: [a] }", "conditions.known.holds",
            "compared"
        ),
        (
            "parameters: { code: { type: string, secret: true } }\n    conditions",
            "parameters: { code: string }\n    conditions", "destinations.drawer.parameters.code",
            "between parameters of one name"
        ),
        (
            "result: { code: { type: string, secret: true } }", "result: { code: string }", "flows.unlock.result.code",
            "one name"
        ),
        ("safe://drawer/{code}", "safe://drawer/x-{code}", "pattern", "shares a segment"),
        ("safe://drawer/{code}", "safe://drawer/{code**}", "pattern", "takes several"),
        (
            "\"safe://drawer/{code}\"", "{ pattern: \"safe://drawer\", parameters: { code: x } }", "parameters.code",
            "what stands in a manifest"
        ),
        (
            "{ append: codes, value: { parameter: code } }", "{ append: codes, value: x }", "effects[0].value",
            "in a manifest"
        ),
        (
            "append: codes, value: { parameter: code }", "append: codes, value: { parameter: user }",
            "effects[0].value", "is not"
        ),
        (
            "set: pin, value: { parameter: code }", "set: name, value: { parameter: code }", "effects[0].value",
            "is secret, and 'name'"
        ),
        (
            "{ code: { fact: pin } }", "{ code: { fact: name } }", "effects[1].parameters.code",
            "takes its value from is not"
        ),
        ("{ code: { fact: pin } }", "{ code: x }", "effects[1].parameters.code", "in a manifest"),
        ("user: user, result", "user: code, result", "effects[1].complete.user", "who is signed in is shown"),
        (
            "{ set: pin, value: { parameter: code } }", "{ answer: { pin: { fact: pin } } }", "effects[0].answer.pin",
            "an answer is shown"
        ),
        ("\"{payload.code}\"", "\"c-{payload.code}\"", "adapters[0].parameters.code", "in a manifest"),
        (
            "parameters: { code: { type: string, secret: true }, plain",
            "parameters: { code: { type: string, secret: true, default: x }, plain",
            "intents.asked.parameters.code.default", "in a manifest"
        ),
        (
            "name: Safe\n", "name: Safe\nfallback: { destination: drawer, parameters: { code: x } }\n",
            "fallback.parameters.code", "in a manifest"
        ),
        (
            "{ set: pin, value", "{ set: pin, when: { fact: pin, equals: x }, value", "effects[0].when",
            "compared with what is none"
        ),
    ]

    @Test("are refused where they would be seen, or where no placeholder can be", arguments: leaks)
    func refused(from: String, to: String, key: String, words: String) {
        let text = Self.good.replacing(from, with: to)
        #expect(text != Self.good)
        let problems = Self.problems(text)
        #expect(problems.contains { $0.contains(key) && $0.contains(words) }, "\(problems)")
    }

    static let accepted: [(from: String, to: String)] = [
        ("{ set: pin, value: { parameter: code } }", "{ set: name, when: { present: pin }, value: x }"),
        ("pin: { type: string, secret", "pin: { type: strings, default: [], secret"),
        ("{ route: drawer, parameters: { code: { fact: pin } } }", "{ set: name, value: { parameter: plain } }"),
    ]

    @Test("may be asked for, and stand beside what is none", arguments: accepted)
    func harmless(from: String, to: String) {
        let text = Self.good.replacing(from, with: to)
        #expect(text != Self.good)
        let problems = Self.problems(text).filter { $0.contains("secret") }
        #expect(problems == [])
    }
}
