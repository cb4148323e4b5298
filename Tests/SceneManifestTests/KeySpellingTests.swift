import Foundation
import SceneManifest
import SceneRouting
import StrictJSON
import TestFixtures
import Testing

@Suite("A key of a manifest that is misspelt by one letter", .timeLimit(.minutes(15)))
struct KeySpellingTests {
    /// Every name of a member that the schema has anywhere.
    static func keys(in schema: JSONValue) -> Set<String> {
        var keys: Set<String> = []
        switch schema {
        case .object(let members):
            for (name, member) in members {
                if name == "properties", let properties = member.objectValue { keys.formUnion(properties.keys) }
                keys.formUnion(self.keys(in: member))
            }
        case .array(let elements): for element in elements { keys.formUnion(self.keys(in: element)) }
        default: break
        }
        return keys
    }

    @Test("is answered with the right key and its place", arguments: ExampleApp.allCases)
    func suggestion(example: ExampleApp) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../protocol/manifest.schema.json").standardized
        let known = Self.keys(in: try JSONValue(parsing: String(contentsOf: file, encoding: .utf8)))
        var seen: [String: Int] = [:]
        for key in Misspelling.Key.all(of: try AppManifest.json(of: example.text)) where known.contains(key.name) {
            let count = seen[key.name] ?? 0
            // Twice, in case a name of the app is called like a key.
            guard count < 2, Self.problem(in: key.replaced(by: "zzqxzz"), "zzqxzz", key) != nil else { continue }
            seen[key.name] = count + 1
            let slips = Misspelling.all(of: key.name).filter { !known.contains($0) }
            guard !slips.isEmpty else { continue }
            let slip = slips[(key.line + count * 7) % slips.count]
            let problem = Self.problem(in: key.replaced(by: slip), slip, key)
            // What is said of an association file has the suggestion in its message.
            let suggestion =
                problem?.suggestion
                ?? problem?.message.firstMatch(of: /did you mean '([^']+)'/).map { String($0.1) } ?? "none"
            #expect(
                suggestion == key.name || known.contains(suggestion) && Misspelling.areOneApart(slip, suggestion),
                "\(slip) at \(key.line):\(key.column): \(problem.map { "\($0)" } ?? "no problem there")"
            )
        }
        #expect(seen.count > 15, "\(seen)")
    }

    /// The problem about `word` in the place of the key.
    private static func problem(in text: String, _ word: String, _ key: Misspelling.Key) -> ManifestProblem? {
        AppManifest.problems(in: text, readFile: { _ in "{}" }).first { problem in
            problem.line == key.line && problem.column == key.column && problem.message.contains("'\(word)'")
        }
    }
}
