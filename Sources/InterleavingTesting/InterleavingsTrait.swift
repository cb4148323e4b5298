public import Interleaving
public import Testing

/// Runs a test in many orders of its tasks, until one fails.
///
/// The body of the test stays as it is. What fails is reported once, at its place in the test, with the line that runs the same
/// order again. The environment may say otherwise than the code: see ``Interleaving/Overrides``.
public struct InterleavingsTrait: TestTrait, SuiteTrait, TestScoping {
    public let options: ExplorationOptions

    public var isRecursive: Bool { true }

    public init(_ options: ExplorationOptions) {
        self.options = options
    }

    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let overrides = try Overrides.fromEnvironment()
        let issues = IssueFilter()
        try await lending(function) { function in
            let body: Body = { _ in try await function() }
            try await IssueHandlingTrait.compactMapIssues(issues.filter).provideScope(for: test, testCase: testCase) {
                if let code = overrides.replay {
                    issues.passAll(note: nil)
                    let run = try await replay(code.schedule, seed: code.seed, settings: options.settings, body: body)
                    record(run, of: test, issues: issues, note: "replay of \(code)")
                    return
                }
                let exploration = try await explore(options.overridden(by: overrides), body: body)
                guard let failure = exploration.failure else { return }
                let settings = options.settings
                let name = test.displayName ?? test.name
                let filter = test.filter
                let report = try await withRunner(settings, body: body) { runner in
                    try runner.report(on: failure, of: exploration, title: name) {
                        "INTERLEAVING_REPLAY=\($0) swift test --filter '\(filter)'"
                    }
                }
                let note = report.summary
                let schedule = report.failure.schedule
                issues.passAll(note: note)
                // What a worker died of would end the tests here.
                let run =
                    failure.verdict.isFatal
                    ? failure : try await replay(schedule, seed: failure.seed, settings: settings, body: body)
                if run.verdict.isFailure {
                    record(run, of: test, issues: issues, note: note)
                } else {
                    Issue.record(
                        "\(failure.verdict.description), but not again in the same order: the test depends on something that is not its seed. Found \(note)",
                        sourceLocation: test.sourceLocation
                    )
                }
            }
        }
    }

    /// Records a verdict that no expectation recorded itself.
    private func record(_ run: Run, of test: Test, issues: IssueFilter, note: String) {
        guard run.verdict.isFailure, !issues.passedAny else { return }
        Issue.record("\(run.verdict.description)\n\(note)", sourceLocation: test.sourceLocation)
    }
}

extension Trait where Self == InterleavingsTrait {
    /// Runs the test in many orders of its tasks.
    /// - Parameters:
    ///   - iterations: How many, at least 1.
    ///   - strategy: Who chooses the orders.
    ///   - seed: What they follow from; nil is a new one each time, which a failure names.
    ///   - settings: What may overtake what, and how long a run may be.
    public static func interleavings(
        iterations: Int = 1_000,
        strategy: StrategyName = .portfolio,
        seed: UInt64? = nil,
        timeLimit: Duration? = nil,
        settings: SimulationSettings = SimulationSettings()
    ) -> Self {
        InterleavingsTrait(
            ExplorationOptions(
                iterations: iterations,
                timeLimit: timeLimit,
                seed: seed,
                strategy: strategy,
                settings: settings
            )
        )
    }
}

extension ExplorationOptions {
    /// What the environment says wins.
    func overridden(by overrides: Overrides) -> ExplorationOptions {
        var options = self
        if let seed = overrides.seed { options.seed = seed }
        if let iterations = overrides.iterations { options.iterations = iterations }
        if let limit = overrides.timeLimit { options.timeLimit = limit }
        if let checks = overrides.determinismChecks { options.determinismChecks = checks }
        return options
    }
}

extension Test {
    /// What `swift test --filter` finds it by.
    fileprivate var filter: String {
        String(name.prefix { $0 != "(" })
    }
}
