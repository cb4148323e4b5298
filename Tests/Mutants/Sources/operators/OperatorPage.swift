import Foundation
import MutationOperators
import Weaving

/// The table of the documentation: how many of the mutants that were judged each side noticed.
struct OperatorPage {
    private static let head = "| operator | mutants | judged | by model and scenarios | by unit tests | by either |"

    private let mutants: OperatorMutants
    private let judge: OperatorJudge
    private let build: OperatorBuild
    private let page: URL

    init(_ mutants: OperatorMutants, root: URL, work: URL) throws {
        self.mutants = mutants
        judge = try OperatorJudge(mutants, root: root, work: work)
        build = OperatorBuild(root: root, work: work)
        page = root.appending(path: "Sources/SceneRaces/SceneRaces.docc/SceneRaces.md")
    }

    func write() throws {
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        guard let place = lines.firstIndex(of: Self.head) else {
            throw Program.Failure(description: "\(page.path) has no table that begins with '\(Self.head)'")
        }
        let rest = lines[place...].drop { $0.hasPrefix("|") }
        let refused = build.refusedNames()
        let results = Dictionary(uniqueKeysWithValues: judge.results.map { ($0.name, $0) })
        let compiled = mutants.all.filter { !refused.contains($0.name) }
        let rows = OperatorMutant.Operator.allCases.map { kind in
            row(kind.rawValue, compiled.filter { $0.kind == kind }, results)
        }
        let table = [Self.head, "|---|---:|---:|---:|---:|---:|"] + rows + [row("all", compiled, results)]
        try (lines[..<place] + table + rest).joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
        for mutant in compiled {
            guard let result = results[mutant.name], result.noticed.isEmpty else { continue }
            print("not noticed: \(mutant.name) \(mutant.file):\(mutant.lines.lowerBound): \(mutant.text)")
        }
    }

    private func row(_ name: String, _ mutants: [OperatorMutant], _ results: [String: OperatorJudge.Result]) -> String {
        let judged = mutants.compactMap { results[$0.name] }
        func share(_ fits: (OperatorJudge.Result) -> Bool) -> String {
            let count = judged.count(where: fits)
            return judged.isEmpty ? "–" : "\((count * 1_000 / judged.count + 5) / 10) %"
        }
        let cells = [
            name, "\(mutants.count)", "\(judged.count)", share { $0.noticed["model"] != nil },
            share { $0.noticed["units"] != nil }, share { !$0.noticed.isEmpty },
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}
