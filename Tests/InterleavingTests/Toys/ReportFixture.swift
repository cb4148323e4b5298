import Interleaving
import Testing

/// A failure with labels: two windows and one sign-out.
enum ReportFixture {
    /// Window B commits in the session's next turn; the sign-out may come before it.
    static let program = ToyProgram(
        tasks: [
            [.init(executor: 0, begins: [1, 2, 3])],
            [.init(executor: 2), .init(executor: 2), .init(executor: 1)],
            [.init(executor: 3), .init(executor: 1) { $0.values[0] = 1 }, .init(executor: 3)],
            [
                .init(executor: 4), .init(executor: 4), .init(executor: 4),
                .init(executor: 1) { if $0.values[0] == 0 { $0.failure = "committed after the sign-out" } },
            ],
        ]
    )

    static let names = ["test", "window A", "window B", "sign-out"]
    static let actors = [nil, "Session", "Scene A", "Scene B", "Settings"]
    static let functions = ["body()", "SceneA.open(_:)", "SceneB.commit(_:)", "Session.signOut()"]

    static func label(_ step: RunStep) -> StepLabel {
        StepLabel(
            task: names[step.choice.task],
            actor: actors[step.choice.executor],
            function: functions[step.choice.task],
            file: "Sources/App/\(["Test", "SceneA", "SceneB", "Session"][step.choice.task]).swift",
            line: 10 * (step.choice.task + 1) + Int(step.choice.event.ordinal)
        )
    }

    static func shrunk() throws -> ShrunkFailure {
        let failing = try #require(program.firstFailure(seed: 7))
        return Shrinker(dependency: .executors(.fifo)).shrink(failing, run: program.trial)
    }

    static func report(
        label: (RunStep) -> StepLabel = label,
        title: String = "two windows, one logout",
        withPassing: Bool = true,
        kind: String? = nil,
        confirmation: Interleaving.Confirmation = .notReproduced
    ) throws -> FailureReport {
        var failure = try shrunk()
        if !withPassing {
            failure = ShrunkFailure(
                kind: kind ?? failure.kind,
                steps: failure.steps,
                schedule: failure.schedule,
                deleted: [0, 1],
                original: failure.original,
                trials: failure.trials,
                isMinimal: false,
                confirmation: confirmation,
                passing: nil
            )
        }
        var coverage = ExplorationCoverage(dependency: .executors(.fifo))
        var random = RandomWalk()
        for seed: UInt64 in 0..<200 {
            coverage.add(program.run(&random, seed: seed).steps.span, failed: false)
        }
        return FailureReport(
            title: title,
            message: "Expectation failed: committed after the sign-out",
            replay: "INTERLEAVING_REPLAY='3:1' swift test --filter 'two windows, one logout'",
            failure: failure,
            labels: failure.steps.map(label),
            passingLabels: failure.passing?.steps.map(label) ?? [],
            origin: .init(strategy: "pos", seed: 0xC0FFEE, run: 12),
            coverage: coverage
        )
    }
}
