import Foundation
import Weaving

/// The table in the documentation that shows how each mutant was noticed.
struct ResultsPage {
    let results: URL

    /// Replaces the rows after the table's head.
    func write(_ mutants: [Mutant], to page: URL) throws {
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        guard let head = lines.firstIndex(where: { $0.hasPrefix("| mistake |") }) else {
            throw Program.Failure(description: "\(page.path) has no table that begins with '| mistake |'")
        }
        let rest = lines[(head + 2)...].drop { $0.hasPrefix("| ") }
        let rows = try mutants.map { mutant in
            let file = results.appending(path: "\(mutant.name).json")
            guard let result = try? JSONDecoder().decode(Judge.Result.self, from: Data(contentsOf: file)) else {
                throw Program.Failure(description: "\(mutant.name) has not been judged")
            }
            let finder =
                switch mutant.finder {
                case .scenario(let scenario, let granularity):
                    "`\(scenario)`\(granularity.map { " with stops at \($0.rawValue)" } ?? "")"
                case .kills(let history): "`make kills`, `\(history)`"
                }
            return
                "| `\(mutant.name)` | \(Self.cited(mutant.rule)) | \(mutant.summary) | \(finder) | \(result.kind ?? "not noticed") |"
        }
        try (lines[..<(head + 2)] + rows + rest).joined(separator: "\n").write(
            to: page,
            atomically: true,
            encoding: .utf8
        )
    }

    /// The rule as the documentation cites it: rules of the session link to their page.
    private static func cited(_ rule: String) -> String {
        rule.split(separator: ", ").map { word in
            word.first == "S" && Int(word.dropFirst()) != nil
                ? "\(word) of <doc:/SceneRuntime/TheSession>" : String(word)
        }.joined(separator: ", ")
    }
}
