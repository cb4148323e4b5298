/// A failing run made as small as possible, and the nearest passing run.
package struct ShrunkFailure: Sendable {
    /// The kind of failure, as the trials named it.
    package let kind: String
    /// The steps of the small run.
    package let steps: [RunStep]
    /// The order to replay, with ``deleted`` left out of the data.
    package let schedule: RunSchedule
    /// The numbers of the external events that the failure does not need.
    package let deleted: Set<Int>
    /// The steps of the run before it was made small.
    package let original: [RunStep]
    /// How many runs were made.
    package let trials: Int
    /// The steps of all these runs.
    package let stepsTaken: Int
    /// Whether more runs would have been made of a failure with fewer steps.
    package let isCutShort: Bool
    /// Whether all schedules with fewer deviations were tried, and none failed.
    package let isMinimal: Bool
    /// Whether replays of it fail alike.
    package let confirmation: Confirmation
    /// The nearest passing run, if one was found.
    package let passing: PassingRun?

    package init(
        kind: String,
        steps: [RunStep],
        schedule: RunSchedule,
        deleted: Set<Int> = [],
        original: [RunStep],
        trials: Int = 0,
        stepsTaken: Int = 0,
        isCutShort: Bool = false,
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
        self.stepsTaken = stepsTaken
        self.isCutShort = isCutShort
        self.isMinimal = isMinimal
        self.confirmation = confirmation
        self.passing = passing
    }
}

/// What two replays of a failure did.
package enum Confirmation: Hashable, Sendable {
    /// Two replays failed alike, step by step.
    case confirmed
    /// A replay passed, or failed in another way.
    case notReproduced
    /// Nobody has replayed it.
    case notTried
    /// A replay failed, but took other steps from this one on: something other than the strategy chooses.
    case diverged(step: Int)
}

/// The passing run nearest to a failing one.
package struct PassingRun: Sendable {
    /// What happened, in order.
    package let steps: [RunStep]
    /// The order of the run.
    package let schedule: RunSchedule
    /// The two steps whose order makes the difference, if there are such two.
    package let deciding: DecidingPair?
    /// Whether the failing run was too long to compare the order of all its steps, so that ``deciding`` is where the runs part.
    package let isTooLong: Bool

    package init(steps: [RunStep], schedule: RunSchedule, deciding: DecidingPair?, isTooLong: Bool = false) {
        self.steps = steps
        self.schedule = schedule
        self.deciding = deciding
        self.isTooLong = isTooLong
    }
}

/// Two steps whose order decides: the failing run has them in one order, the passing run in the other.
package struct DecidingPair: Hashable, Sendable {
    /// In the failing run, the index of the step that came first there.
    package let first: Int
    /// In the failing run, the index of the other step.
    package let second: Int
    /// In the passing run, the index of the step that came first in the failing run.
    package let passingFirst: Int
    /// In the passing run, the index of the other step; lower than `passingFirst`.
    package let passingSecond: Int

    package init(first: Int, second: Int, passingFirst: Int, passingSecond: Int) {
        self.first = first
        self.second = second
        self.passingFirst = passingFirst
        self.passingSecond = passingSecond
    }
}
