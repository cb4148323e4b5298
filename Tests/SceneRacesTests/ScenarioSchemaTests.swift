import Foundation
import SceneManifest
import SceneRaces
import SceneRouting
import StrictJSON
import TestFixtures
import Testing

/// Keeps `protocol/scenario.schema.json`, which is for editors, consistent with the reader.
@Suite("The scenario's JSON Schema")
struct ScenarioSchemaTests {
    let schema: JSONSchema

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../protocol/scenario.schema.json").standardized
        schema = JSONSchema(try JSONValue(parsing: String(contentsOf: file, encoding: .utf8)))
    }

    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: AppManifest.json(of: text)) }

    private func keys(_ part: JSONValue?) -> Set<String> { Set(part?["properties"]?.objectValue?.keys ?? []) }

    @Test("accepts every scenario that ships, as the reader does", arguments: ShippedScenarios.names)
    func takes(name: String) throws {
        let text = try #require(ShippedScenarios.text(of: name))
        #expect(try schema.failures(json(text)) == [])
    }

    @Test("has exactly the members that the reader accepts")
    func members() throws {
        let file = schema.schema
        let parts = file["properties"]
        #expect(keys(file) == Set(ScenarioWords.file))
        #expect(Set((file["required"]?.arrayValue ?? []).compactMap(\.stringValue)) == Set(ScenarioWords.required))
        #expect(keys(parts?["settings"]) == Set(ScenarioWords.settings))
        #expect(keys(parts?["session"]) == Set(ScenarioWords.session))
        #expect(keys(parts?["windows"]?["additionalProperties"]) == Set(ScenarioWords.window))
        let reload = self.file("step")["anyOf"]?.arrayValue?.compactMap { $0["properties"]?["reload"] }.first
        #expect(keys(reload?["anyOf"]?.arrayValue?.last) == Set(ScenarioWords.reload))
        let expectation = file["$defs"]?["expectation"]
        #expect(keys(expectation) == Set(ScenarioWords.expectation))
        #expect(keys(expectation?["properties"]?["session"]) == Set(ScenarioWords.expectedSession))
    }

    @Test("has the steps that the reader accepts, with their members")
    func steps() throws {
        let steps = file("step")["anyOf"]?.arrayValue ?? []
        let described = steps.compactMap { step -> (String, Set<String>)? in
            (step["required"]?.arrayValue?.first?.stringValue).map { ($0, keys(step)) }
        }
        #expect(described.map(\.0) == ScenarioWords.verbs.map(\.verb))
        for ((verb, members), known) in zip(described, ScenarioWords.verbs) {
            #expect(members == Set(known.members + [verb, "as"]), "\(verb)")
        }
        #expect(steps.first?["enum"]?.arrayValue?.compactMap(\.stringValue) == ScenarioWords.bareVerbs)
    }

    @Test("and the page on notation name every step, and what it was called before")
    func page() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/SceneRuntime/SceneRuntime.docc/WindowNotation.md").standardized
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("|") }
        func isNamed(_ verb: String, before: String? = nil) -> Bool {
            rows.contains { row in
                let cells = row.split(separator: "|")
                guard cells.count > 2 else { return false }
                let isStep = [cells[0], cells[1]].contains { $0.contains("`\(verb)`") || $0.contains("`\(verb):") }
                return isStep && (before.map { cells[2].contains("`\($0)`") } ?? true)
            }
        }
        for (verb, _) in ScenarioWords.verbs where verb != "read" && verb != "wait" {
            #expect(isNamed(verb), "\(verb)")
        }
        for (before, today) in ScenarioWords.olderVerbs { #expect(isNamed(today, before: before), "\(before)") }
        #expect(Set(ScenarioWords.olderVerbs.values).isSubset(of: ScenarioWords.verbs.map(\.verb)))
    }

    private func file(_ definition: String) -> JSONValue { schema.schema["$defs"]?[definition] ?? .null }

    static let wrong: [(String, String, String)] = [
        ("name: demo", "name: de mo", ".name"),
        ("scene: A, event", "scene: A, evnet", ".actors.link[0]"),
        ("tap: orders", "swipe: up", ".actors.link[1]"),
        ("- { wait: [10, 20] }", "- { wait: [10] }", ".actors.user[0]"),
        ("basedOnRead: true", "basedOnRead: perhaps", ".actors.user[2]"),
        ("- sign-out", "- signout", ".actors.user[3]"),
        ("results: {", "result: {", ".expect"),
        ("results: {", "activation: { A: backgroud }\n  results: {", ".expect"),
        ("- sign-out", "- { connect: C, background: perhaps }", ".actors.user[3]"),
        ("- sign-out", "- { reload: { open: signedIn } }", ".actors.user[3]"),
        ("windows: { A: {}", "windows: { A: { size: 2 }", ".windows.A.size"),
        ("session: { user: mina, ", "session: { name: mina, ", ".session.name"),
    ]

    @Test("refuses what the reader refuses", arguments: wrong)
    func refuses(good: String, bad: String, place: String) throws {
        #expect(try schema.failures(json(ScenarioProblemTests.good)) == [])
        let text = ScenarioProblemTests.good.replacing(good, with: bad, maxReplacements: 1)
        #expect(text != ScenarioProblemTests.good)
        #expect(try schema.failures(json(text)).contains(place))
        #expect(throws: ManifestProblems.self) { try Scenario.read(text, file: "demo.yaml") }
    }

    @Test("describes every member")
    func describesAll() {
        func undescribed(_ value: JSONValue, _ path: String) -> [String] {
            guard let object = value.objectValue else {
                return (value.arrayValue ?? []).enumerated().flatMap { undescribed($1, "\(path)[\($0)]") }
            }
            let properties = (value["properties"]?.objectValue).map(Array.init) ?? []
            let bare = properties.filter { $0.value["description"] == nil && $0.value["$ref"] == nil }
            return bare.map { "\(path).\($0.key)" } + object.flatMap { undescribed($0.value, "\(path).\($0.key)") }
        }
        #expect(undescribed(schema.schema, "") == [])
    }
}
