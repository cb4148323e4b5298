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
        /// Tests of the whole daemon. They are asked about what nobody else has noticed.
        case daemon

        /// The test targets of the model and the unit tests.
        static let targets: Set<String> = [
            "SceneHistoryTests", "SceneRacesTests", "SceneNavigationTests", "SceneRuntimeTests", "SceneTestingTests",
        ]

        /// The tests, as `swift test --filter` takes them.
        var filter: String {
            switch self {
            case .model:
                "^SceneHistoryTests\\.(RandomWalk|RealHistory|Effect|Predicate|TakenUp)Tests"
                    + "|^SceneRacesTests\\.ShippedScenarioTests"
            case .units: "^(SceneNavigationTests|SceneRuntimeTests|SceneTestingTests)\\."
            case .daemon:
                "^IntegrationTests\\.(Scenes|Routing|InsideWindows|Outcome|Session|Lifecycle|Windows|Hold"
                    + "|Control|SceneChoice|AdapterKinds|VirtualTime|Reloading)Tests"
            }
        }
    }

    struct Result: Codable {
        var name: String
        /// The fingerprint of the sources that were judged.
        var print: String
        /// The fingerprint of the tests that judged.
        var tests: String?
        /// How each side that noticed it did: by failed tests, a crash, or by never ending.
        var noticed: [String: String]
        var seconds: Double
    }

    private let mutants: OperatorMutants
    private let build: OperatorBuild
    private let print: String
    private let tests: String

    /// How many seconds of the processor the tests of one side may take, which does not depend on what else the machine does;
    /// without a mutant they take a part of it.
    private static let patience = 240
    /// How many fifths of a second they may wait for nothing.
    private static let idlePatience = 200
    /// How many fifths of a second they may take at all.
    private static let wholePatience = 2_000

    init(_ mutants: OperatorMutants, root: URL, work: URL, isSample: Bool = false) throws {
        self.mutants = mutants
        build = OperatorBuild(root: root, work: work, isSample: isSample)
        print = try String(contentsOf: build.tree.appending(path: ".print"), encoding: .utf8)
        tests = try String(contentsOf: build.tree.appending(path: ".tests"), encoding: .utf8)
    }

    private var folder: URL { build.work.appending(path: "results") }

    private func file(of name: String) -> URL {
        folder.appending(path: name.replacingOccurrences(of: "/", with: "_") + ".json")
    }

    func result(of name: String) -> Result? {
        guard let data = try? Data(contentsOf: file(of: name)),
            let result = try? JSONDecoder().decode(Result.self, from: data), result.print == print,
            !result.noticed.isEmpty || result.tests == tests
        else { return nil }
        return result
    }

    /// All results for these sources.
    var results: [Result] { mutants.all.compactMap { result(of: $0.name) } }

    /// Judges what nobody has noticed yet once more, and more mutants, chosen by the seed.
    func judge(_ number: Int, seed: String) throws {
        let refused = build.refusedNames()
        let known = try OperatorResults(root: build.root).all
        let compiled = mutants.all.filter { !refused.contains($0.name) }
        let missed = OperatorMutants.chosen(number, of: compiled.filter { known[$0.name] == .noticed([]) }, by: seed)
        let new = OperatorMutants.chosen(number, of: compiled.filter { known[$0.name] == nil }, by: seed)
        let chosen = missed + new
        try prepare()
        for (place, mutant) in chosen.enumerated() where result(of: mutant.name) == nil {
            let began = Date()
            var noticed: [String: String] = [:]
            for side in Side.allCases where side != .daemon || noticed.isEmpty {
                noticed[side.rawValue] = try run(side, mutant)
            }
            let result = Result(
                name: mutant.name,
                print: print,
                tests: tests,
                noticed: noticed,
                seconds: Date().timeIntervalSince(began)
            )
            try JSONEncoder().encode(result).write(to: file(of: mutant.name))
            let words = noticed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            say("\(place + 1)/\(chosen.count) \(mutant.name): \(words.isEmpty ? "NOT NOTICED" : words)")
        }
    }

    /// Whether these, which were noticed before by the model and by the unit tests, still are. That the tests pass without them is
    /// for `make test` to say.
    func isNoticed(_ mutants: [OperatorMutant]) throws -> Bool {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var isNoticed = true
        for mutant in mutants {
            for side in [Side.model, .units] {
                let how = try run(side, mutant)
                say("operators: \(mutant.name), \(side.rawValue): \(how ?? "NOT NOTICED")")
                if how == nil { isNoticed = false }
            }
        }
        return isNoticed
    }

    /// Tests that fail by themselves would seem to notice every mutant.
    private func prepare() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for side in Side.allCases {
            if let how = try run(side, nil) {
                throw Program.Failure(description: "without a mutant: \(side.rawValue) \(how)")
            }
        }
    }

    /// Runs tests up to the first that fails, or until they seem never to end.
    private static let script = """
        exec 2> /dev/null
        # Or the first look below might find what the run before has left there.
        : > "$2"
        (
            ulimit -t \(patience)
            exec "$0" --testing-library swift-testing --filter "$1" > "$2" 2>&1
        ) &
        tests=$!
        whole=0
        idle=0
        used=
        while kill -0 "$tests" 2> /dev/null; do
            if grep --quiet '^✘ .* recorded an issue' "$2"; then
                kill "$tests"
                wait "$tests"
                exit 1
            fi
            now=$(cut -d ' ' -f 14,15 "/proc/$tests/stat")
            if [ "$now" = "$used" ]; then idle=$((idle + 1)); else idle=0; fi
            used=$now
            whole=$((whole + 1))
            if [ "$idle" -ge \(idlePatience) ] || [ "$whole" -ge \(wholePatience) ]; then
                kill -KILL "$tests"
                wait "$tests"
                exit 124
            fi
            sleep 0.2
        done
        wait "$tests"
        """

    /// How a side notices a mutant; `nil` if it does not.
    private func run(_ side: Side, _ mutant: OperatorMutant?) throws -> String? {
        let number = mutant.flatMap { mutants.number(of: $0.name) } ?? 0
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
        case 124, 137, 152: return "never ends"
        case 1: return "fails"
        default: return "crashes"
        }
    }

    private func say(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }
}
