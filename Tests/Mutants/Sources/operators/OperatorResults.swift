import Foundation

/// What became of the mutants that were judged, in a file that stays: a line for each, with who noticed it, or why nobody can.
///
/// A name contains a digest of the line that is changed. So a result is valid until that line changes, and the sample grows
/// with every run.
struct OperatorResults {
    enum Result: Hashable {
        /// By these sides; by none if it is empty.
        case noticed([OperatorJudge.Side])
        /// It changes nothing that anybody could notice, for this reason.
        case equivalent(String)
    }

    private(set) var all: [String: Result] = [:]
    private let file: URL

    private static let head = """
        # What `make operators` found. Each line: a mutant, a tab, who noticed it: model, units, daemon, or nobody.
        # Whoever finds that a mutant changes nothing writes `equivalent: why` instead.

        """

    /// - Throws: ``Program/Failure`` if a line cannot be read.
    init(root: URL) throws {
        file = root.appending(path: "Tests/Mutants/Operators.txt")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return }
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard parts.count == 2, let result = Result(String(parts[1])) else {
                throw Malformed(line: String(line))
            }
            all[String(parts[0])] = result
        }
    }

    struct Malformed: Error, CustomStringConvertible {
        let line: String
        var description: String {
            "Operators.txt: '\(line)'; expected a mutant, a tab, and model, units, daemon, nobody, or equivalent: why"
        }
    }

    /// Takes up results. What was found to change nothing stays so.
    mutating func add(_ results: [OperatorJudge.Result]) {
        for result in results {
            if case .equivalent = all[result.name] { continue }
            all[result.name] = .noticed(OperatorJudge.Side.allCases.filter { result.noticed[$0.rawValue] != nil })
        }
    }

    /// Writes the results of mutants that still exist.
    func write(_ names: Set<String>) throws {
        let lines = all.filter { names.contains($0.key) }.sorted { $0.key < $1.key }.map { "\($0)\t\($1.text)\n" }
        try (Self.head + lines.joined()).write(to: file, atomically: true, encoding: .utf8)
    }
}

extension OperatorResults.Result {
    fileprivate init?(_ text: String) {
        if text.hasPrefix("equivalent: ") {
            self = .equivalent(String(text.dropFirst("equivalent: ".count)))
        } else if text == "nobody" {
            self = .noticed([])
        } else {
            let words = text.split(separator: " ")
            let sides = words.compactMap { OperatorJudge.Side(rawValue: String($0)) }
            guard !words.isEmpty, sides.count == words.count else { return nil }
            self = .noticed(sides)
        }
    }

    fileprivate var text: String {
        switch self {
        case .equivalent(let reason): "equivalent: \(reason)"
        case .noticed([]): "nobody"
        case .noticed(let sides): sides.map(\.rawValue).joined(separator: " ")
        }
    }
}
