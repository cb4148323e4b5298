/// What all processes of an exploration have in common.
struct ExplorationPlan: Sendable {
    let options: ExplorationOptions
    let seed: UInt64
    let deadline: ContinuousClock.Instant?
    /// The interval of runs that are repeated: every `checked`th; 0 means none.
    private let checked: Int

    init(_ options: ExplorationOptions, seed: UInt64, deadline: ContinuousClock.Instant?) {
        self.options = options
        self.seed = seed
        self.deadline = deadline
        checked = options.determinismChecks > 0 ? max(1, options.iterations / options.determinismChecks) : 0
    }

    func strategy(_ settings: SimulationSettings) -> any ExplorationStrategy {
        if let strategy = options.strategy { return strategy }
        let strategy = options.strategyName.strategy(mailboxes: settings.mailbox)
        // An exhaustive search tries every fault everywhere, and first in, first out takes none.
        if settings.faults.isEmpty || strategy is ExhaustiveSearch || strategy is FirstInFirstOut { return strategy }
        return FaultInjection(strategy, limit: settings.faults.limit)
    }

    /// An exploration without runs.
    func exploration(_ settings: SimulationSettings) -> Exploration {
        var exploration = Exploration(seed: seed)
        if options.measuresCoverage {
            exploration.coverage = ExplorationCoverage(
                dependency: options.coverageDependency ?? .unisolated(settings.mailbox)
            )
        }
        return exploration
    }

    /// The seed of a run's data.
    func seed(of iteration: Int) -> UInt64 { options.dataSeed ?? mix(seed, UInt64(iteration)) }

    func isChecked(_ iteration: Int) -> Bool { checked > 0 && iteration % checked == 0 }
}

/// The part of an exploration's runs that one of several machines makes: every `count`th from `index` on, of those that it is to make now.
package struct ExplorationPart: Hashable, Sendable {
    /// The number of the part, from 0.
    package let index: Int
    /// How many parts there are, at least 1.
    package let count: Int
    /// The numbers of the runs that are to be made now. Those before them were made.
    package var runs = 0..<Int.max

    /// All runs.
    package static let whole = ExplorationPart(index: 0, count: 1)

    package init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }
}

/// The part of an exploration's runs that one process makes: every `count`th, so that all parts find about as much.
///
/// A run follows from the seed of the exploration and the number of the run, whichever process makes it.
struct WorkerShare: Hashable, Sendable {
    let index: Int
    let count: Int
    /// Runs that were already made, or that ended the process that made them.
    var done: Set<Int> = []
    /// The first run of the part that has not been made.
    var first: Int

    /// The share of one of several processes in a part of the runs.
    init(of part: ExplorationPart, worker: Int = 0, of workers: Int = 1) {
        index = part.index + part.count * worker
        count = part.count * workers
        first = part.runs.lowerBound
    }

    /// Whether a run belongs to the part and has not been made.
    func contains(_ iteration: Int) -> Bool {
        iteration % count == index && iteration >= first && !done.contains(iteration)
    }

    /// Whether the process has to make a run: because it belongs to the part, or because strategies learn from it.
    func includes(_ iteration: Int) -> Bool {
        contains(iteration) || iteration <= firstRuns && !done.contains(iteration)
    }

    /// The number of the run that the process makes next, of those after a number. There may be as many as one likes.
    func next(after iteration: Int) -> Int {
        var next = iteration + 1
        while true {
            if next > firstRuns {
                next = max(next, first)
                next += (index - next % count + count) % count
            }
            if includes(next) { return next }
            next += 1
        }
    }
}
