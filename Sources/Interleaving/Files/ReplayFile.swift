/// A run as it is stored in a file: its order, the seed of its data, and which body it was a run of.
///
/// It reads and writes bytes; the caller handles the file itself. Any build can read a file, and ``mismatches(in:test:)`` says what may not
/// fit this build. A prefix of a schedule is a schedule, so a file may be shortened by hand.
package struct ReplayFile: Hashable, Sendable {
    /// The version that is written, and the only one that is read.
    package static let version = 1

    /// The name of the test, scenario or other body.
    package var test: String
    /// The seed of the run's data.
    package var seed: UInt64
    /// The order of the run.
    package var schedule: RunSchedule
    /// The numbers of the external events that are left out of the data.
    package var deleted: [Int]
    /// As in ``SimulationSettings``, like the four that follow. The limit on steps and whether leaks are allowed are not stored.
    package var mailbox: MailboxPolicy
    /// How tasks got into the simulation.
    package var control: SimulationSettings.Control
    /// The faults that could happen.
    package var faults: SimulatedFaults
    /// How long steps took.
    package var workTakes: ClosedRange<Duration>
    /// Where jobs were stopped.
    package var granularity: SimulationSettings.Granularity
    /// The build that made the run.
    package var build: Build
    /// The name of the strategy that found it, if known.
    package var strategy: String?
    /// The kind of verdict it ended with, if known: see ``RunVerdict/kind``.
    package var verdict: String?
    /// How many steps it took, if known.
    package var steps: Int?
    /// ``ExploredRun/traceHash``, if known.
    package var traceHash: UInt64?

    /// - Parameters: As the properties.
    package init(
        test: String,
        seed: UInt64,
        schedule: RunSchedule,
        deleted: [Int] = [],
        settings: SimulationSettings = SimulationSettings(),
        build: Build = .current,
        strategy: String? = nil,
        verdict: String? = nil,
        steps: Int? = nil,
        traceHash: UInt64? = nil
    ) {
        self.test = test
        self.seed = seed
        self.schedule = schedule
        self.deleted = deleted
        mailbox = settings.mailbox
        control = settings.control
        faults = settings.faults
        workTakes = settings.workTakes
        granularity = settings.granularity
        self.build = build
        self.strategy = strategy
        self.verdict = verdict
        self.steps = steps
        self.traceHash = traceHash
    }

    /// The file for a run that this process made.
    package init(test: String, run: ExploredRun, deleted: [Int] = [], settings: SimulationSettings) {
        var settings = settings
        settings.granularity = run.granularity
        self.init(
            test: test,
            seed: run.seed,
            schedule: run.schedule,
            deleted: deleted,
            settings: settings,
            strategy: run.strategy,
            verdict: run.verdict.kind,
            steps: run.steps.count,
            traceHash: run.traceHash
        )
    }

    /// The settings to replay it with.
    /// - Parameter base: The settings that the file does not store.
    package func settings(_ base: SimulationSettings = SimulationSettings()) -> SimulationSettings {
        var settings = base
        settings.mailbox = mailbox
        settings.control = control
        settings.faults = faults
        settings.workTakes = workTakes
        settings.granularity = granularity
        return settings
    }

    /// The run as one word.
    package var code: ReplayCode { ReplayCode(seed: seed, schedule: schedule, granularity: granularity) }
}

extension ReplayFile {
    /// What in the file may not fit this build, one sentence each that says what to change. The run can be replayed nevertheless.
    package func mismatches(in current: Build = .current, test name: String? = nil) -> [String] {
        var found: [String] = []
        if build.toolchain != current.toolchain {
            found.append(
                "it was made with \(build.toolchain), and this is \(current.toolchain): steps may have moved, so if it does not fail again, explore anew with seed \(seed)"
            )
        }
        if build.configuration != current.configuration {
            found.append(
                "it was made in a \(build.configuration) build, and this is a \(current.configuration) build, in which tasks hop in other places: build with --configuration \(build.configuration)"
            )
        }
        if let name, name != test { found.append("it is a run of '\(test)', not of '\(name)'") }
        return found
    }

    /// How a replay differs from the file, one sentence each; empty if it took the same steps to the same end.
    package func differences(from run: ExploredRun) -> [String] {
        var found: [String] = []
        if let verdict, verdict != run.verdict.kind {
            found.append("it ended as \(verdict), and now as \(run.verdict.kind)")
        }
        if let steps, steps != run.steps.count {
            found.append("it took \(steps) steps, and now \(run.steps.count)")
        } else if let traceHash, traceHash != run.traceHash {
            found.append("it took other steps")
        }
        let missed = schedule.missed(by: run.steps)
        if missed > 0 { found.append("\(missed) of its \(schedule.deviations.count) deviations fit no step") }
        return found
    }
}
