import Foundation
import MutationOperators
import Weaving

/// Keeps the results, and writes the table of the documentation: how many of the mutants that were judged each side noticed.
struct OperatorPage {
    private static let head =
        "| operator | mutants | judged | of these change nothing | noticed by model and scenarios | by unit tests | by either | by these or by tests of the daemon |"

    private let mutants: OperatorMutants
    private let judge: OperatorJudge
    private let build: OperatorBuild
    private let root: URL

    init(_ mutants: OperatorMutants, root: URL, work: URL) throws {
        self.mutants = mutants
        self.root = root
        judge = try OperatorJudge(mutants, root: root, work: work)
        build = OperatorBuild(root: root, work: work)
    }

    func write() throws {
        let page = root.appending(path: "Sources/SceneRaces/SceneRaces.docc/SceneRaces.md")
        let lines = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n")
        guard let place = lines.firstIndex(of: Self.head) else {
            throw Program.Failure(description: "\(page.path) has no table that begins with '\(Self.head)'")
        }
        let rest = lines[place...].drop { $0.hasPrefix("|") }
        let refused = build.refusedNames()
        let compiled = mutants.all.filter { !refused.contains($0.name) }
        var results = try OperatorResults(root: root)
        results.add(judge.results)
        try results.write(Set(compiled.map(\.name)))
        let rows = OperatorMutant.Operator.allCases.map { kind in
            row(kind.rawValue, compiled.filter { $0.kind == kind }, results.all)
        }
        let table =
            [Self.head, "|---|---:|---:|---:|---:|---:|---:|---:|"] + rows + [row("all", compiled, results.all)]
        try (lines[..<place] + table + rest).joined(separator: "\n").write(to: page, atomically: true, encoding: .utf8)
        for mutant in compiled where results.all[mutant.name] == .noticed([]) {
            print("not noticed: \(mutant.name) \(mutant.file):\(mutant.lines.lowerBound): \(mutant.text)")
        }
    }

    private func row(_ name: String, _ mutants: [OperatorMutant], _ results: [String: OperatorResults.Result]) -> String
    {
        let judged = mutants.compactMap { results[$0.name] }
        let noticed: [[OperatorJudge.Side]] = judged.compactMap { result in
            if case .noticed(let sides) = result { sides } else { nil }
        }
        func share(_ fits: ([OperatorJudge.Side]) -> Bool) -> String {
            let count = noticed.count(where: fits)
            return noticed.isEmpty ? "–" : "\((count * 1_000 / noticed.count + 5) / 10) %"
        }
        let cells = [
            name, "\(mutants.count)", "\(judged.count)", "\(judged.count - noticed.count)",
            share { $0.contains(.model) }, share { $0.contains(.units) },
            share { $0.contains(.model) || $0.contains(.units) }, share { !$0.isEmpty },
        ]
        return "| \(cells.joined(separator: " | ")) |"
    }
}
