import Foundation
import MutationOperators
import Weaving

/// Generates mutants of the runtime by operators, builds them all at once, and judges who notices them. `.ci/operators` calls it.
@main
struct Operators {
    static let usage = """
        usage: operators list ROOT                        lists the mutants
               operators build ROOT WORK [PRODUCT…]       builds the programs, or the tests, with all mutants in them
               operators judge ROOT WORK NUMBER SEED      judges NUMBER of them, chosen by SEED, that are not judged yet
               operators page ROOT WORK                   keeps the results, and writes the table of the documentation
               operators sample ROOT WORK NUMBER SEED     builds and judges NUMBER of those that were noticed before
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("operators: \(error)\n".utf8))
            exit(error is Usage ? 2 : 1)
        }
    }

    struct Usage: Error, CustomStringConvertible {
        let description = Operators.usage
    }

    static func run(_ words: [String]) throws {
        guard words.count >= 2 else { throw Usage() }
        let root = URL(filePath: words[1])
        let mutants = try OperatorMutants(root: root)
        switch (words[0], words.count) {
        case ("list", 2): for mutant in mutants.all { print("\(mutant.name)\t\(mutant.text)") }
        case ("build", 3...):
            try OperatorBuild(root: root, work: URL(filePath: words[2]))
                .build(mutants, mutants.all, Array(words.dropFirst(3)))
        case ("judge", 5):
            guard let number = Int(words[3]), number > 0 else { throw Usage() }
            try OperatorJudge(mutants, root: root, work: URL(filePath: words[2])).judge(number, seed: words[4])
        case ("sample", 5):
            guard let number = Int(words[3]), number > 0 else { throw Usage() }
            let known = try OperatorResults(root: root).all
            let chosen = OperatorMutants.chosen(
                number,
                of: mutants.all.filter { known[$0.name] == .noticed([.model, .units]) },
                by: words[4]
            )
            let work = URL(filePath: words[2])
            try OperatorBuild(root: root, work: work, isSample: true).build(mutants, chosen, [])
            guard try OperatorJudge(mutants, root: root, work: work, isSample: true).isNoticed(chosen) else { exit(1) }
        case ("page", 3): try OperatorPage(mutants, root: root, work: URL(filePath: words[2])).write()
        default: throw Usage()
        }
    }
}

/// All mutants of the runtime. Each has a number, from 1, that depends only on the sources.
struct OperatorMutants {
    /// The modules that are changed.
    static let modules = ["SceneNavigation", "SceneRuntime"]

    let all: [OperatorMutant]

    init(root: URL) throws {
        all = try Self.modules.flatMap { module in
            let folder = root.appending(path: "Sources/\(module)")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".swift")
            }
            return try paths.sorted().flatMap { path in
                OperatorFinder.mutants(
                    of: try String(contentsOf: folder.appending(path: path), encoding: .utf8),
                    file: "Sources/\(module)/\(path)"
                )
            }
        }
        let names = Dictionary(grouping: all, by: \.name).filter { $0.value.count > 1 }.keys.sorted()
        guard names.isEmpty else {
            throw Program.Failure(
                description: "several mutants have the names \(names.prefix(5).joined(separator: ", "))"
            )
        }
    }

    /// A selection that depends only on the seed.
    static func chosen(_ number: Int, of mutants: [OperatorMutant], by seed: String) -> [OperatorMutant] {
        mutants.map { (mutant: $0, key: digest("\(seed) \($0.name)")) }.sorted { $0.key < $1.key }.prefix(number)
            .map(\.mutant)
    }

    func number(of name: String) -> Int? { all.firstIndex { $0.name == name }.map { $0 + 1 } }
}
