import Foundation
import Interleaving
import SceneManifest
import SceneRaces
import SceneRouting
import StrictJSON
import Testing

/// What a scenario says of screens and facts that have secrets.
@Suite("Expected secrets", .timeLimit(.minutes(15)))
struct SecretExpectationTests {
    private static let apps = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Apps")

    /// The values, each of which would be found in any text.
    private static let (right, wrong) = ("QzRightValue", "QzWrongValue")

    /// A form of expectation: what it says with a value, and the step that puts the right one there.
    struct Form: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// With `VALUE` where the value stands.
        let expect: String
        let step: String
        var other = "{ openurl: \"safe://help\", scene: B, event: other }"
        var setup: [String] = []
        /// The app when it begins.
        var app = "secrets.yaml"

        static let link = "{ openurl: \"safe://invite?words=\(right)\", scene: A, event: link }"
        /// A gate whose flow gets the secret.
        static let gated = "{ openurl: \"safe://drawer/\(right)\", scene: A, event: link }"

        static let all = [
            Form("what is in front", "windows: { A: 'home › invite(words: VALUE)' }", link),
            Form("one of several", "windows: { A: [gone, 'home › invite(words: VALUE)', home] }", link),
            Form("every tab", "windows: { A: '*home: home › invite(words: VALUE) | help: help' }", link),
            Form("a flow's screen", "windows: { A: 'home › unlock[lid(code: VALUE)]' }", gated),
            Form("a flow's screen with its style", "windows: { A: 'home › sheet unlock[lid(code: VALUE)]' }", gated),
            Form("a fact", "session: { facts: { pin: VALUE } }", "{ set: { pin: \(right) } }"),
            Form(
                "a fact that is a list",
                "session: { facts: { opened: [a, VALUE] } }",
                "{ set: { opened: [a, \(right)] } }"
            ),
            Form(
                "beside an outcome",
                "{ results: { link: gated unlocked }, windows: { A: 'home › unlock[lid(code: VALUE)]' } }",
                gated
            ),
            Form(
                "one of several ends",
                "\n  - { session: { user: nobody, revision: 99 } }\n  - { windows: { A: 'home › invite(words: VALUE)' } }",
                link
            ),
            Form(
                "what was shown before another app",
                "windows: { A: 'home › invite(words: VALUE)' }",
                "{ openurl: \"safe://help\", scene: B, event: other }",
                reloaded: true
            ),
            Form(
                "a fact of another app",
                "session: { facts: { pin: VALUE } }",
                "{ set: { pin: \(right) } }",
                reloaded: true
            ),
        ]

        private init(_ name: String, _ expect: String, _ step: String, reloaded: Bool = false) {
            testDescription = name
            self.expect = expect
            self.step = step
            if reloaded {
                app = "open.yaml"
                setup = [Self.link]
                other = "{ reload: secrets.yaml }"
            }
        }

        /// The scenario in which `value` is expected.
        func scenario(expecting value: String, step: String? = nil) throws -> Scenario {
            let expect = step == nil ? expect.replacing("VALUE", with: value) : "{ session: { user: ada } }"
            let text = """
                name: secret
                description: A value that nobody may read.
                app: \(app)
                windows: { A: {}, B: {} }
                session: { user: ada }
                setup: [\(setup.joined(separator: ", "))]
                actors:
                  one:
                    - \(step ?? self.step)
                  other:
                    - \(other)
                expect:\(expect.hasPrefix("\n") || expect.hasPrefix("{") ? " \(expect)" : "\n  \(expect)")
                """
            return try Scenario.read(text, file: "secret.yaml") { path in
                let name = path.split(separator: "/").last.map(String.init) ?? path
                let manifest = try String(contentsOf: apps.appending(path: "secrets.yaml"), encoding: .utf8)
                guard name == "open.yaml" else { return manifest }
                return manifest.replacing(", secret: true", with: "")
            }
        }
    }

    @Test(
        "that come to be secrets while an event has them are concealed from then on, in every order",
        arguments: [Form.link, Form.gated]
    )
    func reloadedMeanwhile(link: String) async throws {
        var form = try #require(Form.all.first { $0.app == "open.yaml" })
        form.setup = []
        let text = try form.scenario(expecting: Self.right, step: link)
        let report = try await Race(text).search(.init(iterations: 200, seed: 3))
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
        #expect(report.exploration.runs > 1)
    }

    @Test("are met by their values", arguments: Form.all)
    func hold(_ form: Form) async throws {
        let report = try await Race(form.scenario(expecting: Self.right)).search(.init(iterations: 50, seed: 3))
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
    }

    @Test("are met by the placeholders of their values", arguments: Form.all)
    func placeholders(_ form: Form) async throws {
        let placeholder = "\"\(SecretKey.shared.placeholder(for: Self.right))\""
        let expected = form.expect.contains("'") ? placeholder.replacing("\"", with: "") : placeholder
        let report = try await Race(form.scenario(expecting: expected)).search(.init(iterations: 50, seed: 3))
        #expect(report.found == nil, "\(report.found?.findings ?? [])")
    }

    @Test("that are not met are told with placeholders, in everything that a race writes", arguments: Form.all)
    func differ(_ form: Form) async throws {
        let race = try Race(form.scenario(expecting: Self.wrong))
        let report = try await race.search(.init(iterations: 50, seed: 3, shrinks: true))
        let found = try #require(report.found)
        #expect(
            found.findings.contains { $0.contains(SecretKey.shared.placeholder(for: Self.wrong)) },
            "\(found.findings)"
        )
        let again = try #require(try await race.replay(found.code, shrinks: true).found)
        var written: [(String, String)] = []
        for (name, found, search) in [("search", found, Optional(report)), ("replay", again, nil)] {
            let page = found.report(of: "secret", search, replay: "scenectl race secret --replay \(found.code)")
            written += [
                ("findings", found.findings.joined()), ("text", page.text()), ("page", page.html),
                ("JSON", page.json.text()), ("code", "\(found.code)"),
                ("file", String(decoding: found.file(of: "secret").bytes, as: UTF8.self)),
            ].map { ("\(name): \($0.0)", $0.1) }
            // What was admitted before another app calls it secret is recorded as it was given.
            if form.app == "secrets.yaml" {
                written.append(("\(name): records", (found.failure?.records ?? []).joined()))
            }
        }
        for (name, text) in written {
            #expect(!text.contains(Self.wrong) && !text.contains(Self.right), "\(name): \(text.prefix(2_000))")
        }
    }

    @Test("that no window can show are refused without their values")
    func impossible() throws {
        let form = try #require(Form.all.first)
        let problems = try #require(throws: ManifestProblems.self) {
            try Scenario.read(
                """
                name: secret
                description: A value that is not allowed.
                app: secrets.yaml
                windows: { A: {}, B: {} }
                actors:
                  one:
                    - \(form.step)
                  other:
                    - \(form.other)
                expect: { windows: { A: 'home › reset(token: \(Self.wrong)9)' } }
                """,
                file: "secret.yaml"
            ) { _ in try String(contentsOf: Self.apps.appending(path: "secrets.yaml"), encoding: .utf8) }
        }
        #expect(problems.description.contains("no window shows 'reset(token: secret:"), "\(problems)")
        #expect(!problems.description.contains(Self.wrong), "\(problems)")
    }
}
