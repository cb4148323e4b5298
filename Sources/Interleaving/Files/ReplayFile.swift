/// A run as a file keeps it: its order, what its data came from, and what it was a run of.
///
/// Reading and writing are of bytes; files are the caller's. A file is read by any build, and ``mismatches(in:settings:test:)``
/// says what of it may not fit this one. A beginning of a schedule is a schedule, so a file may be cut down by hand.
public struct ReplayFile: Hashable, Sendable {
    /// The version that is written, and the only one that is read.
    public static let version = 1

    /// The name of the test, scenario or other body.
    public var test: String
    /// What the data of the run comes from.
    public var seed: UInt64
    public var schedule: Schedule
    /// The numbers of the external events that are left out of the data.
    public var deleted: [Int]
    /// What the order of the steps depends on; the limit of steps and of leaks are not kept in files.
    public var mailbox: MailboxPolicy
    public var control: SimulationSettings.Control
    public var faults: Faults
    public var build: Build
    /// The name of the strategy that found it, if known.
    public var strategy: String?
    /// The kind of verdict it ended with, if known: see ``Verdict/kind``.
    public var verdict: String?
    /// How many steps it took, if known.
    public var steps: Int?
    /// ``Run/traceHash``, if known.
    public var traceHash: UInt64?

    public init(
        test: String,
        seed: UInt64,
        schedule: Schedule,
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
        self.build = build
        self.strategy = strategy
        self.verdict = verdict
        self.steps = steps
        self.traceHash = traceHash
    }

    /// A file of a run that this process made.
    public init(test: String, run: Run, deleted: [Int] = [], settings: SimulationSettings) {
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

    /// The settings to replay it with, from those that are asked for otherwise.
    public func settings(_ base: SimulationSettings = SimulationSettings()) -> SimulationSettings {
        var settings = base
        settings.mailbox = mailbox
        settings.control = control
        settings.faults = faults
        return settings
    }

    /// The run in one word.
    public var code: ReplayCode { ReplayCode(seed: seed, schedule: schedule) }
}

extension ReplayFile {
    /// What of the file may not fit this build, a sentence each that says what to change. It can be replayed all the same.
    public func mismatches(in current: Build = .current, test name: String? = nil) -> [String] {
        var found: [String] = []
        if build.toolchain != current.toolchain {
            found.append(
                "it was made with \(build.toolchain), and this is \(current.toolchain): steps may have moved, so if it does not fail again, explore anew with seed \(seed)"
            )
        }
        if build.configuration != current.configuration {
            found.append(
                "it was made in a \(build.configuration) build, and this is a \(current.configuration) build, in which tasks hop elsewhere: build with --configuration \(build.configuration)"
            )
        }
        if let name, name != test { found.append("it is a run of '\(test)', not of '\(name)'") }
        return found
    }

    /// What a replay did other than the file says, a sentence each; nothing if it took the same steps to the same end.
    public func differences(from run: Run) -> [String] {
        var found: [String] = []
        if let verdict, verdict != run.verdict.kind {
            found.append("it ended as \(verdict), and now as \(run.verdict.kind)")
        }
        if let steps, steps != run.steps.count {
            found.append("it took \(steps) steps, and now \(run.steps.count)")
        } else if let traceHash, traceHash != run.traceHash {
            found.append("it took other steps")
        }
        let reached = schedule.deviations.count { deviation in
            run.steps.indices.contains(deviation.step) && run.steps[deviation.step].position == deviation.position
        }
        if reached < schedule.deviations.count {
            found.append(
                "\(schedule.deviations.count - reached) of its \(schedule.deviations.count) deviations fit no step"
            )
        }
        return found
    }
}
