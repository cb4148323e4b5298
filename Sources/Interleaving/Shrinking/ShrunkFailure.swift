/// A failing run made as small as it could be made, and the passing run nearest to it.
public struct ShrunkFailure: Sendable {
    /// The kind of failure, as the trials named it.
    public let kind: String
    /// The run that is left.
    public let steps: [Step]
    /// What to replay, with ``deleted`` left out of the data.
    public let schedule: Schedule
    /// The numbers of the external events that the failure does not need.
    public let deleted: Set<Int>
    /// The run it began with.
    public let original: [Step]
    /// How many runs were made.
    public let trials: Int
    /// Whether no schedule with fewer deviations fails: all of them were tried.
    public let isMinimal: Bool
    public let confirmation: Confirmation
    /// A run that passes and differs as little as was found, if any passes.
    public let passing: PassingRun?

    public init(
        kind: String,
        steps: [Step],
        schedule: Schedule,
        deleted: Set<Int> = [],
        original: [Step],
        trials: Int = 0,
        isMinimal: Bool = false,
        confirmation: Confirmation,
        passing: PassingRun? = nil
    ) {
        self.kind = kind
        self.steps = steps
        self.schedule = schedule
        self.deleted = deleted
        self.original = original
        self.trials = trials
        self.isMinimal = isMinimal
        self.confirmation = confirmation
        self.passing = passing
    }
}

/// Whether a shrunk failure is one, when run again.
public enum Confirmation: Hashable, Sendable {
    /// Two replays failed alike, step by step.
    case confirmed
    /// A replay passed, or failed in another way.
    case notReproduced
    /// A replay failed, but from a step on by another way: something chooses that no strategy was asked about.
    case diverged(step: Int)
}

/// A run that passes and differs from a failing one as little as was found.
public struct PassingRun: Sendable {
    public let steps: [Step]
    public let schedule: Schedule
    /// What makes the difference, if it is an order.
    public let deciding: DecidingPair?

    public init(steps: [Step], schedule: Schedule, deciding: DecidingPair?) {
        self.steps = steps
        self.schedule = schedule
        self.deciding = deciding
    }
}

/// Two steps whose order decides: the failing run has them in one order, the passing run in the other.
public struct DecidingPair: Hashable, Sendable {
    /// The indices in the failing run of the one that came first there, and of the other.
    public let first: Int
    public let second: Int
    /// The indices of the same two in the passing run, where `passingSecond` is the lower.
    public let passingFirst: Int
    public let passingSecond: Int

    public init(first: Int, second: Int, passingFirst: Int, passingSecond: Int) {
        self.first = first
        self.second = second
        self.passingFirst = passingFirst
        self.passingSecond = passingSecond
    }
}
