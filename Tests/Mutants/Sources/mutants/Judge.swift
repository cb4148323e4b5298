import Foundation
import Weaving

/// Runs the scenarios and the histories that have to notice mutants, and stores each result, so that an interrupted judgement can be resumed.
struct Judge {
    /// The folder of the programs that contain the mutants.
    let programs: URL
    /// A folder with a file for each result.
    let results: URL

    /// The result of judging a mutant.
    struct Result: Codable {
        /// The fingerprint of the sources that were judged.
        var print: String
        /// The words of the search.
        var search: String
        /// The kind of failure; `nil` if the scenario did not fail.
        var kind: String?
        /// The kind of failure that whole jobs show; `nil` if they show none, or the search was one by whole jobs.
        var wholeJobs: String?
        /// How many orders were run.
        var orders: Int
        var seconds: Double
    }

    /// What is searched for a mutant.
    private typealias Search = Mutant.Finder

    /// The most orders and the longest time to try: what takes longer to find counts as not noticed.
    static let limits = ["--iterations", "1000", "--time", "60s", "--seed", "5"]
    /// The same for a scenario without a mutant, which other tests search thoroughly.
    static let silentLimits = ["--iterations", "100", "--seed", "5"]

    /// - Returns: Whether each mutant was noticed and showed as expected, and those that need a granularity were not noticed without.
    func judge(_ mutants: [Mutant]) throws -> Bool {
        try FileManager.default.createDirectory(at: results, withIntermediateDirectories: true)
        let print = try Self.print(of: programs)
        var isGood = try areSilentWithoutMutant(Set(mutants.map(\.finder)), print)
        for mutant in mutants {
            let file = results.appending(path: "\(mutant.name).json")
            let search = mutant.finder
            let kept = (try? JSONDecoder().decode(Result.self, from: Data(contentsOf: file))).flatMap {
                $0.print == print && $0.search == search.text ? $0 : nil
            }
            let result = try kept ?? result(of: search, mutant, print)
            if kept == nil { try JSONEncoder().encode(result).write(to: file) }
            let isNoticed = result.kind.map { mutant.shows.contains($0) } ?? false
            let isRightlyNoticed = isNoticed && result.wholeJobs == nil
            isGood = isGood && isRightlyNoticed
            var outcome =
                result.kind.map {
                    isNoticed ? "noticed, \($0)" : "shows as \($0), expected \(mutant.shows.joined(separator: " or "))"
                } ?? "NOT NOTICED"
            outcome += " by \(search.text), \(result.orders) orders"
            if let kind = result.wholeJobs {
                outcome += "; whole jobs find it too, as \(kind): the line 'granularity: …' does not belong there"
            }
            say("\(isRightlyNoticed ? "✔" : "✘") \(mutant.name): \(outcome)")
        }
        return isGood
    }

    private func result(of search: Search, _ mutant: Mutant, _ print: String) throws -> Result {
        var result = try run(search, mutant: mutant.name, print)
        if case .scenario(let scenario, .some) = search {
            result.wholeJobs = try run(.scenario(scenario, nil), mutant: mutant.name, print).kind
        }
        return result
    }

    /// Whether the scenarios pass without a mutant. A scenario that fails by itself would seem to notice every mutant.
    private func areSilentWithoutMutant(_ searches: Set<Search>, _ print: String) throws -> Bool {
        let file = results.appending(path: "silent.txt")
        var silent = Set(
            (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
        )
        if !silent.contains(print) { silent = [print] }
        var isGood = true
        for search in searches.sorted(by: { $0.text < $1.text }) where !silent.contains(search.text) {
            if let kind = try run(search, mutant: nil, print).kind {
                say("✘ \(search.text) fails without a mutant: \(kind)")
                isGood = false
            } else {
                silent.insert(search.text)
            }
        }
        try silent.sorted().joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        return isGood
    }

    private func run(_ search: Search, mutant: String?, _ print: String) throws -> Result {
        switch search {
        case .scenario: try race(search, mutant: mutant, print)
        case .kills(let history): try kill(history, search, mutant: mutant, print)
        }
    }

    /// Has the daemon be ended and go on, as the history says.
    private func kill(_ history: String, _ search: Search, mutant: String?, _ print: String) throws -> Result {
        let began = Date()
        let kept = results.appending(path: "kills")
        var words = ["/usr/bin/python3", "Tests/Kills/kills.py", "--again", "--only", history, "--results", kept.path]
        for program in ["scened", "shop-daemon"] { words += ["--\(program)", programs.appending(path: program).path] }
        let (status, output) = try Program.run(words, environment: mutant.map { [Weaver.variable: $0] } ?? [:])
        guard status == 0 || status == 1 else {
            throw Program.Failure(
                description: "kills.py \(history) with \(mutant ?? "no mutant") ended with status \(status): "
                    + String(decoding: output, as: UTF8.self)
            )
        }
        return Result(
            print: print,
            search: search.text,
            kind: status == 1 ? Search.history : nil,
            orders: 1,
            seconds: Date().timeIntervalSince(began)
        )
    }

    private func race(_ search: Search, mutant: String?, _ print: String) throws -> Result {
        let began = Date()
        let (status, output) = try Program.run(
            [programs.appending(path: "scenectl").path, "race"] + search.words + ["--json"] + Self.limits,
            environment: mutant.map { [Weaver.variable: $0] } ?? [:]
        )
        guard let json = try? JSONSerialization.jsonObject(with: output) as? [String: Any], status == 0 || status == 1
        else {
            throw Program.Failure(
                description: "scenectl race \(search.text) with \(mutant ?? "no mutant") ended with status \(status)"
            )
        }
        guard let isRace = json["race"] as? Bool, isRace == (status == 1) else {
            throw Program.Failure(
                description: "scenectl race \(search.text): status \(status) contradicts its output"
            )
        }
        return Result(
            print: print,
            search: search.text,
            kind: isRace ? json["kind"] as? String ?? "?" : nil,
            orders: json["runs"] as? Int ?? 0,
            seconds: Date().timeIntervalSince(began)
        )
    }

    /// The fingerprint of the sources of the programs.
    static func print(of programs: URL) throws -> String {
        try String(contentsOf: programs.appending(path: "print"), encoding: .utf8)
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}

extension Mutant.Finder {
    /// The words that name it on a command line.
    fileprivate var words: [String] {
        switch self {
        case .scenario(let scenario, let granularity):
            [scenario] + (granularity.map { ["--granularity", $0.rawValue] } ?? [])
        case .kills(let history): ["kills", history]
        }
    }

    fileprivate var text: String { words.joined(separator: " ") }
}
