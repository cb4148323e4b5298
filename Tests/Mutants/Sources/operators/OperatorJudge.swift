import Foundation
import MutationOperators
import Weaving

/// Runs the tests with mutants switched on, and stores each result, so that a judgement that was interrupted goes on.
struct OperatorJudge {
    /// Who may notice a mutant.
    enum Side: String, CaseIterable, Codable {
        /// Random walks and random hosts, judged by the invariants and the model, and the scenarios.
        case model
        /// The unit tests of the runtime.
        case units

        /// The tests, as `swift test --filter` takes them.
        var filter: String {
            switch self {
            case .model:
                "^SceneHistoryTests\\.(RandomWalkTests|RealHistoryTests)|^SceneRacesTests\\.ShippedScenarioTests"
            case .units: "^(SceneNavigationTests|SceneRuntimeTests|SceneTestingTests)\\."
            }
        }
    }

    struct Result: Codable {
        var name: String
        /// The fingerprint of the sources that were judged.
        var print: String
        /// How each side that noticed it did: by failed tests, a crash, or by never ending.
        var noticed: [String: String]
        var seconds: Double
    }

    private let mutants: OperatorMutants
    private let build: OperatorBuild
    private let print: String

    /// How long the tests of one side may take; without a mutant they take a small part of it.
    private static let patience = 75

    init(_ mutants: OperatorMutants, root: URL, work: URL) throws {
        self.mutants = mutants
        build = OperatorBuild(root: root, work: work)
        print = try String(contentsOf: build.tree.appending(path: ".print"), encoding: .utf8)
    }

    private var folder: URL { build.work.appending(path: "results") }

    private func file(of name: String) -> URL {
        folder.appending(path: name.replacingOccurrences(of: "/", with: "_") + ".json")
    }

    func result(of name: String) -> Result? {
        guard let data = try? Data(contentsOf: file(of: name)),
            let result = try? JSONDecoder().decode(Result.self, from: data), result.print == print
        else { return nil }
        return result
    }

    /// All results for these sources.
    var results: [Result] { mutants.all.compactMap { result(of: $0.name) } }

    func judge(_ number: Int, seed: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let refused = build.refusedNames()
        let all = mutants.all.filter { !refused.contains($0.name) }
        let chosen = all.map { (mutant: $0, key: digest("\(seed) \($0.name)")) }.sorted { $0.key < $1.key }
            .prefix(number).map(\.mutant)
        // Tests that fail by themselves would seem to notice every mutant.
        for side in Side.allCases {
            if let how = try run(side, 0) {
                throw Program.Failure(description: "without a mutant: \(side.rawValue) \(how)")
            }
        }
        for (place, mutant) in chosen.enumerated() where result(of: mutant.name) == nil {
            let began = Date()
            var noticed: [String: String] = [:]
            for side in Side.allCases { noticed[side.rawValue] = try run(side, mutants.number(of: mutant.name) ?? 0) }
            let result = Result(
                name: mutant.name,
                print: print,
                noticed: noticed,
                seconds: Date().timeIntervalSince(began)
            )
            try JSONEncoder().encode(result).write(to: file(of: mutant.name))
            let words = Side.allCases.map { "\($0.rawValue): \(noticed[$0.rawValue] ?? "NOT NOTICED")" }
            say("\(place + 1)/\(chosen.count) \(mutant.name): \(words.joined(separator: ", "))")
        }
    }

    /// Runs tests up to the first that fails.
    private static let script = """
        timeout --kill-after=5 \(patience) "$0" --testing-library swift-testing --filter "$1" > "$2" 2>&1 &
        tests=$!
        while kill -0 "$tests" 2> /dev/null; do
            if grep --quiet '^✘ .* recorded an issue' "$2"; then
                kill "$tests"
                wait "$tests"
                exit 1
            fi
            sleep 0.2
        done
        wait "$tests"
        """

    /// How a side notices a mutant; `nil` if it does not.
    private func run(_ side: Side, _ number: Int) throws -> String? {
        let tests = build.scratch.appending(path: "debug/scenedPackageTests.xctest")
        let log = build.work.appending(path: "log-\(ProcessInfo.processInfo.processIdentifier)")
        let (status, _) = try Program.run(
            ["sh", "-c", Self.script, tests.path, side.filter, log.path],
            environment: [
                OperatorWeaver.variable: "\(number)", "TEST_WALK_SEED": "1", "TEST_WALK_STEPS": "12000",
                "SWIFT_BACKTRACE": "enable=no",
            ]
        )
        switch status {
        case 0: return nil
        case 124, 137: return "never ends"
        case 1: return "fails"
        default: return "crashes"
        }
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
