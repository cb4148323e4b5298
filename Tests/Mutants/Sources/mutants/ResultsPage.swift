import Foundation
import Weaving

/// The table of what is noticed, as the documentation has it.
struct ResultsPage {
    let results: URL

    /// Writes the rows in place of those that follow the table's head.
    func write(_ mutants: [Mutant], to page: URL) throws {
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        guard let head = lines.firstIndex(where: { $0.hasPrefix("| mistake |") }) else {
            throw Program.Failure(description: "\(page.path) has no table that begins '| mistake |'")
        }
        let rest = lines[(head + 2)...].drop { $0.hasPrefix("| ") }
        let rows = try mutants.map { mutant in
            let file = results.appending(path: "\(mutant.name).json")
            guard let result = try? JSONDecoder().decode(Judge.Result.self, from: Data(contentsOf: file)) else {
                throw Program.Failure(description: "\(mutant.name) has not been judged")
            }
            return
                "| `\(mutant.name)` | \(Self.cited(mutant.rule)) | \(mutant.summary) | `\(mutant.scenario)` | \(result.kind ?? "not noticed") |"
        }
        try (lines[..<(head + 2)] + rows + rest).joined(separator: "\n").write(
            to: page,
            atomically: true,
            encoding: .utf8
        )
    }

    /// A rule of the session by a link to its page, as documentation cites it; anything else as it is.
    private static func cited(_ rule: String) -> String {
        rule.split(separator: ", ").map { word in
            word.first == "S" && Int(word.dropFirst()) != nil
                ? "\(word) of <doc:/SceneRuntime/TheSession>" : String(word)
        }.joined(separator: ", ")
    }
}
