/// A report about a failure: what failed, which two steps decide and where they are in the code, the failing run beside the nearest
/// passing one, and a line that runs it again.
///
/// It can be written as text for a terminal, as one HTML page, and as JSON. ``ExplorationRunner/report(on:of:title:budget:replay:)`` makes it.
public struct FailureReport: Sendable {
    /// How a failure was found.
    package struct Origin: Hashable, Sendable {
        /// The name of the strategy.
        package let strategy: String
        /// The seed of the exploration.
        package let seed: UInt64
        /// The number of the run, counted from 1.
        package let run: Int

        package init(strategy: String, seed: UInt64, run: Int) {
            self.strategy = strategy
            self.seed = seed
            self.run = run
        }
    }

    /// The name of the test, or of what else was explored.
    public let title: String
    /// What failed, such as the text of a failed expectation, in one line or several.
    public let message: String
    /// The command or setting that runs it again.
    public let replay: String
    /// The command that explores again what failed, where it reads `INTERLEAVING_SEED`; nil if there is none.
    package var search: String?
    /// Whether nobody has found out that its order does not repeat it, beside what ``failure`` says.
    var isRepeated = true
    package let failing: LabelledRun
    package let passing: LabelledRun?
    package let failure: ShrunkFailure
    package let origin: Origin?
    /// How much the exploration saw, if it measured that.
    public let coverage: ExplorationCoverage?

    /// - Parameters:
    ///   - labels: The labels of the shrunk run's steps.
    ///   - passingLabels: The labels of the passing run's steps.
    package init(
        title: String,
        message: String,
        replay: String,
        failure: ShrunkFailure,
        labels: [StepLabel] = [],
        passingLabels: [StepLabel] = [],
        origin: Origin? = nil,
        coverage: ExplorationCoverage? = nil
    ) {
        self.title = title
        self.message = message
        self.replay = replay
        self.failure = failure
        self.origin = origin
        self.coverage = coverage
        failing = LabelledRun(steps: failure.steps, labels: labels)
        passing = failure.passing.map { LabelledRun(steps: $0.steps, labels: passingLabels) }
    }
}

extension FailureReport {
    /// The two steps whose order decides, if they are known and both runs have them.
    var deciding: DecidingPair? {
        guard let pair = failure.passing?.deciding, let passing else { return nil }
        guard failing.steps.indices.contains(pair.first), failing.steps.indices.contains(pair.second) else {
            return nil
        }
        guard passing.steps.indices.contains(pair.passingFirst) else { return nil }
        return passing.steps.indices.contains(pair.passingSecond) ? pair : nil
    }

    /// The actor on which both deciding steps ran, if they ran on one.
    var decidingActor: String? {
        guard let pair = deciding else { return nil }
        let executors = [pair.first, pair.second].map { failing.steps[$0].choice.executor }
        guard executors[0] == executors[1], executors[0] != 0 else { return nil }
        return failing.labels[pair.first].actor
    }

    /// How it was found, and how small it was made, one sentence each.
    var remarks: [String] {
        var remarks: [String] = []
        if let origin {
            remarks.append("found by \(origin.strategy) in run \(origin.run), seed 0x\(String(origin.seed, radix: 16))")
        }
        let before = RunSchedule(following: failure.original).deviations.count
        let after = failure.schedule.deviations.count
        remarks.append(
            "shrunk from \(Self.count(before, "deviation")) in \(Self.count(failure.original.count, "step")) to "
                + "\(after) in \(failing.steps.count), in \(Self.count(failure.trials, "run"))"
                + (failure.isMinimal ? "; no schedule with fewer fails" : "")
        )
        if failure.isCutShort, !failure.isMinimal {
            remarks.append("its runs are long, so not all were made that might have made it smaller")
        }
        if failure.steps.count > HappensBefore.mostSteps {
            remarks.append(
                "too long to compare the order of its steps: runs of more than \(HappensBefore.mostSteps) steps are compared only up to where they part"
            )
        }
        if !failure.deleted.isEmpty { remarks.append("does not need \(Self.count(failure.deleted.count, "event"))") }
        switch failure.confirmation {
        case .confirmed: remarks.append("confirmed by two replays")
        case .notTried: break
        case .notReproduced:
            remarks.append("NOT confirmed: a replay of the same schedule did not fail alike")
            if failure.kind.hasPrefix("trapped") {
                remarks.append(
                    "what trapped keeps its locks: one that outlives the run stays locked; repeat it in a new process"
                )
            }
        case .diverged(let step):
            remarks.append(
                "NOT confirmed: replays differ from step \(step + 1) on, so something chooses that the explorer does not control"
            )
        }
        if let coverage {
            remarks.append("\(coverage)")
            remarks += coverage.warnings.map(\.description)
        }
        return remarks
    }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
