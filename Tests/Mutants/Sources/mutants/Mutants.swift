import Foundation
import Weaving

/// Writes the mutants into a copy of the sources, and judges whether the scenarios notice them. `.ci/mutants` calls it.
@main
struct Mutants {
    static let usage = """
        usage: mutants names [NUMBER SEED]             lists the mutants; only NUMBER of them, chosen by SEED
               mutants weave ROOT TREE                 copies the repository ROOT to TREE, with all mutants in it
               mutants judge PROGRAMS RESULTS [NAME…]  checks that the scenarios notice them; PROGRAMS are built from TREE
               mutants page RESULTS PAGE               writes the table in the documentation
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("mutants: \(error)\n".utf8))
            exit(error is Usage ? 2 : 1)
        }
    }

    struct Usage: Error, CustomStringConvertible {
        let description = Mutants.usage
    }

    /// The folder of the mutants, beside this tool.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Mutants")
        .standardized

    static func run(_ words: [String]) throws {
        let mutants = try Mutant.all(in: folder)
        switch (words.first, words.dropFirst().map { $0 }) {
        case ("names", let rest) where rest.isEmpty:
            for mutant in mutants { print(mutant.name) }
        case ("names", let rest) where rest.count == 2:
            guard let number = Int(rest[0]), number > 0 else { throw Usage() }
            for name in chosen(number, of: mutants.map(\.name), by: rest[1]) { print(name) }
        case ("weave", let rest) where rest.count == 2:
            try ScratchCopy(root: URL(filePath: rest[0]), tree: URL(filePath: rest[1])).write { read, _ in
                try Weaver(mutants).woven(read: read)
            }
        case ("judge", let rest) where rest.count >= 2:
            let judge = Judge(programs: URL(filePath: rest[0]), results: URL(filePath: rest[1]))
            let named = try rest.dropFirst(2).map { name in
                guard let mutant = mutants.first(where: { $0.name == name }) else { throw Unknown(name: name) }
                return mutant
            }
            guard try judge.judge(named.isEmpty ? mutants : named) else { exit(1) }
        case ("page", let rest) where rest.count == 2:
            try ResultsPage(results: URL(filePath: rest[0])).write(mutants, to: URL(filePath: rest[1]))
        default: throw Usage()
        }
    }

    struct Unknown: Error, CustomStringConvertible {
        let name: String
        var description: String { "there is no mutant '\(name)'; 'mutants names' lists them" }
    }

    /// A selection of names that depends only on the text.
    static func chosen(_ number: Int, of names: [String], by text: String) -> [String] {
        names.map { (name: $0, key: digest("\(text) \($0)")) }.sorted { $0.key < $1.key }.prefix(number).map(\.name)
    }
}
