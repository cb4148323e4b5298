internal import Basics
public import Interleaving
public import Testing

/// A trait that runs a test in many orders of its tasks, until one fails.
///
/// The body of the test stays as it is. A failure is reported once, at its place in the test, with the line that repeats the same
/// order. These environment variables win over the code:
///
/// - `INTERLEAVING_SEED`: the seed, decimal, or hexadecimal after `0x`;
/// - `INTERLEAVING_ITERATIONS`: how many orders to run, at least 1;
/// - `INTERLEAVING_TIME_LIMIT`: how long to go on at most, such as `500ms`, `10s`, `5m` or `1h`;
/// - `INTERLEAVING_CHECK_DETERMINISM`: how many runs to repeat, from 0;
/// - `INTERLEAVING_REPLAY`: the one run to repeat, as a failure prints it;
/// - `INTERLEAVING_ARGUMENTS`: the only case of a parameterised test to run, as a failure prints its arguments. Others are left out, and if that
///   are all, the test fails.
public struct InterleavingsTrait: TestTrait, SuiteTrait, TestScoping {
    /// How much to explore, and how, unless the environment says otherwise.
    public let options: ExplorationOptions

    /// Whether the test fails unless every order was explored, by a strategy that can tell, such as `StrategyName.exhaustiveAll`.
    public let requiresComplete: Bool

    /// Applied to a suite, the trait applies to every test in it.
    public var isRecursive: Bool { true }

    /// - Parameters:
    ///   - options: How much to explore, and how.
    ///   - requiresComplete: Whether the test fails unless every order was explored.
    public init(_ options: ExplorationOptions, requiresComplete: Bool = false) {
        self.options = options
        self.requiresComplete = requiresComplete
    }

    /// Explores the test, and records what fails. A test that passes says on standard output what was explored, and warns where that says
    /// less than it seems to: where there was nothing to choose, or something that was not explored.
    /// - Throws: `ExplorationError`, or what is wrong with a variable of the environment.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let overrides = try Overrides.fromEnvironment()
        guard let testCase else { return try await choosing(overrides.arguments ?? "", of: test, function) }
        let issues = IssueFilter()
        let name = Name(of: test, testCase)
        // Where a case's arguments are not known, it runs.
        if let wanted = overrides.arguments, let arguments = name.arguments, arguments != wanted {
            return print("left out \(name): INTERLEAVING_ARGUMENTS is \(wanted)")
        }
        Self.chosen?.note()
        let selected = name.arguments.map { "INTERLEAVING_ARGUMENTS=\($0.shellWord) " } ?? ""
        let command = "\(selected)swift test --filter '\(test.filter)'"
        try await lending(function) { function in
            let body: ExplorationBody = { _ in try await function() }
            try await IssueHandlingTrait.compactMapIssues(issues.filter).provideScope(for: test, testCase: testCase) {
                if let code = overrides.replay {
                    issues.passAll(note: nil)
                    let run = try await replay(code, settings: options.settings, body: body)
                    record(run, of: test, issues: issues, note: "replay of \(code)")
                    print("repeated \(name) in the order \(code): \(run.verdict.kind)")
                    if let misfit = run.misfit(with: code, search: command) {
                        Issue.record(
                            Comment(rawValue: misfit),
                            severity: .warning,
                            sourceLocation: test.sourceLocation
                        )
                    }
                    return
                }
                let exploration = try await explore(options.overridden(by: overrides), body: body)
                guard let failure = exploration.failure else { return pass(exploration, of: test, name) }
                let settings = options.settings
                let title = test.displayName ?? test.name
                var report = try await withExplorationRunner(settings, body: body) { runner in
                    try runner.report(on: failure, of: exploration, title: title) {
                        "\(DeterministicHashing.prefix)INTERLEAVING_REPLAY=\($0) \(command)"
                    }
                }
                report.search = command
                let note = report.summary
                let schedule = report.failure.schedule
                issues.passAll(note: note)
                // A failure that ended a worker would also end this process, and one that is blocked would last as long again.
                let isLast = failure.endsItsProcess(with: settings) || failure.verdict.kind == "blocked"
                let run =
                    isLast
                    ? failure : try await replay(schedule, seed: failure.seed, settings: settings, body: body)
                if run.verdict.isFailure {
                    record(run, of: test, issues: issues, note: note)
                } else {
                    Issue.record(
                        "\(failure.ending()), but not when the same order was repeated: the test depends on something other than its seed. Found \(report.withoutRepetition.summary)",
                        sourceLocation: test.sourceLocation
                    )
                }
            }
        }
    }

    /// Also around all cases of a parameterised test, where one of them is chosen.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> InterleavingsTrait? {
        if testCase != nil { return self }
        guard !test.isSuite, test.isParameterized else { return nil }
        return (try? Overrides.fromEnvironment())?.arguments == nil ? nil : self
    }

    /// Runs the cases of a test, and fails it if none has the arguments that are wanted.
    private func choosing(
        _ wanted: String,
        of test: Test,
        _ cases: @Sendable () async throws -> Void
    ) async throws {
        let chosen = Chosen()
        try await Self.$chosen.withValue(chosen) { try await cases() }
        guard !chosen.isNoted else { return }
        Issue.record(
            "INTERLEAVING_ARGUMENTS=\(wanted): no case of this test has these arguments; the lines “left out” above name all that there are",
            sourceLocation: test.sourceLocation
        )
    }

    /// Whether a case was the one that is wanted.
    private final class Chosen: Sendable {
        private let state = Guarded(false)

        var isNoted: Bool { state.withLock(for: nil) { $0 } }

        func note() { state.withLock(for: nil) { $0 = true } }
    }

    @TaskLocal private static var chosen: Chosen?

    /// A test in words, with the arguments of its case.
    private struct Name: Sendable, CustomStringConvertible {
        let description: String
        let arguments: String?

        init(of test: Test, _ testCase: Test.Case) {
            arguments = testCase.argumentsText
            description = "“\(test.displayName ?? test.name)”" + (arguments.map { " with \($0)" } ?? "")
        }
    }

    /// Says once in a process what each test takes for granted.
    private static let saysWhatIsTakenForGranted: Void = print(
        "explored tests take for granted that \(Exploration.sharing)"
    )

    /// Says what was explored of a test that passed.
    private func pass(_ exploration: Exploration, of test: Test, _ name: Name) {
        Self.saysWhatIsTakenForGranted
        print("explored \(name): \(exploration.whatWasSeen)")
        if requiresComplete, let reason = exploration.reasonNotComplete(options) {
            Issue.record(Comment(rawValue: reason), sourceLocation: test.sourceLocation)
        } else if let warning = exploration.warning {
            Issue.record(Comment(rawValue: warning), severity: .warning, sourceLocation: test.sourceLocation)
        }
    }

    /// Records a verdict that no expectation has recorded.
    private func record(_ run: ExploredRun, of test: Test, issues: IssueFilter, note: String) {
        guard run.verdict.isFailure, !issues.passedAny else { return }
        Issue.record("\(run.ending())\n\(note)", sourceLocation: test.sourceLocation)
    }
}

extension Trait where Self == InterleavingsTrait {
    /// Runs the test in many orders of its tasks.
    /// - Parameters:
    ///   - iterations: How many orders to run, at least 1.
    ///   - strategy: The strategy that chooses the orders.
    ///   - seed: The seed of the orders; nil draws a new one each time, which a failure names.
    ///   - timeLimit: How long to go on at most, in real time; nil sets no limit.
    ///   - settings: What is the same in every run, such as the mailbox policy and the longest run.
    ///   - requiresComplete: Whether the test fails unless every order was explored, by a strategy that can tell.
    public static func interleavings(
        iterations: Int = 1_000,
        strategy: StrategyName = .portfolio,
        seed: UInt64? = nil,
        timeLimit: Duration? = nil,
        settings: SimulationSettings = SimulationSettings(),
        requiresComplete: Bool = false
    ) -> Self {
        InterleavingsTrait(
            ExplorationOptions(
                iterations: iterations,
                timeLimit: timeLimit,
                seed: seed,
                strategy: strategy,
                settings: settings
            ),
            requiresComplete: requiresComplete
        )
    }
}

extension Test.Case {
    /// The longest text of a case's arguments, in characters.
    private static let longest = 200

    /// The arguments as swift-testing prints them; `nil` of a test without any. They are not public, so whoever stores them otherwise
    /// has none here, and a repeated run is repeated in all cases.
    var argumentsText: String? {
        guard isParameterized else { return nil }
        var found: [String] = []
        func look(at value: Any, _ depth: Int) {
            for child in Mirror(reflecting: value).children {
                if "\(type(of: child.value))" == "Argument",
                    let own = Mirror(reflecting: child.value).descendant("value")
                {
                    found.append(String(describingForTest: own))
                } else if depth > 0 {
                    look(at: child.value, depth - 1)
                }
            }
        }
        look(at: self, 4)
        return found.isEmpty ? nil : String(found.joined(separator: ", ").prefix(Self.longest))
    }
}

extension Test {
    /// The pattern by which `swift test --filter` finds it.
    fileprivate var filter: String {
        String(name.prefix { $0 != "(" })
    }
}
