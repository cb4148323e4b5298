import Foundation
import Weaving

/// Runs the scenarios that have to notice mutants, and stores each result, so that an interrupted judgement can be resumed.
struct Judge {
    /// The folder of the programs that contain the mutants.
    let programs: URL
    /// A folder with a file for each result.
    let results: URL

    /// The result of judging a mutant.
    struct Result: Codable {
        /// The fingerprint of the sources that were judged.
        var print: String
        /// The kind of failure; `nil` if the scenario did not fail.
        var kind: String?
        /// How many orders were run.
        var orders: Int
        var seconds: Double
    }

    /// The most orders and the longest time to try: what takes longer to find counts as not noticed.
    static let limits = ["--iterations", "1000", "--time", "60s", "--seed", "5"]
    /// The same for a scenario without a mutant, which other tests search thoroughly.
    static let silentLimits = ["--iterations", "100", "--seed", "5"]

    /// - Returns: Whether each mutant was noticed and showed as expected.
    func judge(_ mutants: [Mutant]) throws -> Bool {
        try FileManager.default.createDirectory(at: results, withIntermediateDirectories: true)
        let print = try Self.print(of: programs)
        var isGood = try areSilentWithoutMutant(Set(mutants.map(\.scenario)), print)
        for mutant in mutants {
            let file = results.appending(path: "\(mutant.name).json")
            let kept = (try? JSONDecoder().decode(Result.self, from: Data(contentsOf: file))).flatMap {
                $0.print == print ? $0 : nil
            }
            let result = try kept ?? race(mutant.scenario, mutant: mutant.name, print)
            if kept == nil { try JSONEncoder().encode(result).write(to: file) }
            let isNoticed = result.kind.map { mutant.shows.contains($0) } ?? false
            isGood = isGood && isNoticed
            let outcome = result.kind.map {
                isNoticed ? "noticed, \($0)" : "shows as \($0), expected \(mutant.shows.joined(separator: " or "))"
            }
            say(
                "\(isNoticed ? "✔" : "✘") \(mutant.name): \(outcome ?? "NOT NOTICED") by \(mutant.scenario), \(result.orders) orders"
            )
        }
        return isGood
    }

    /// Whether the scenarios pass without a mutant. A scenario that fails by itself would seem to notice every mutant.
    private func areSilentWithoutMutant(_ scenarios: Set<String>, _ print: String) throws -> Bool {
        let file = results.appending(path: "silent.txt")
        var silent = Set(
            (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
        )
        if !silent.contains(print) { silent = [print] }
        var isGood = true
        for scenario in scenarios.sorted() where !silent.contains(scenario) {
            if let kind = try race(scenario, mutant: nil, print).kind {
                say("✘ \(scenario) fails without a mutant: \(kind)")
                isGood = false
            } else {
                silent.insert(scenario)
            }
        }
        try silent.sorted().joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        return isGood
    }

    private func race(_ scenario: String, mutant: String?, _ print: String) throws -> Result {
        let began = Date()
        let (status, output) = try Program.run(
            [programs.appending(path: "scenectl").path, "race", scenario, "--json"] + Self.limits,
            environment: mutant.map { [Weaver.variable: $0] } ?? [:]
        )
        guard let json = try? JSONSerialization.jsonObject(with: output) as? [String: Any], status == 0 || status == 1
        else {
            throw Program.Failure(
                description: "scenectl race \(scenario) with \(mutant ?? "no mutant") ended with status \(status)"
            )
        }
        guard let isRace = json["race"] as? Bool, isRace == (status == 1) else {
            throw Program.Failure(
                description: "scenectl race \(scenario): status \(status) contradicts its output"
            )
        }
        return Result(
            print: print,
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
