/// A search for the smallest failing run, and the smallest one found so far.
struct ShrinkSearch<E: Error> {
    let kind: String
    let dependency: StepDependency
    let run: (any ExplorationStrategy, Set<Int>) throws(E) -> Trial

    private(set) var best: Trial
    /// The events that `best` was run without.
    private(set) var deleted: Set<Int> = []
    private(set) var trials = 0
    /// The steps of all trials.
    private(set) var stepsTaken = 0
    /// The most trials.
    var limit = 0 {
        didSet { stepLimit = stepsTaken + max(0, limit - trials) * Self.stepsPerTrial }
    }
    /// The most steps of all trials: as many as the trials that are left have if they are short.
    private var stepLimit = 0
    /// Longer runs make fewer trials, so that a run of ten times as many steps does not take ten times as long.
    static var stepsPerTrial: Int { 1_000 }
    /// Whether a trial was not made because the others were long.
    private(set) var isCutShort = false

    var schedule: RunSchedule { RunSchedule(following: best.steps) }
    /// Whether to be content with what was found.
    var isAskedToEnd: () -> Bool = { false }

    var hasBudget: Bool { trials < limit && stepsTaken < stepLimit && !isAskedToEnd() }

    init(
        kind: String,
        best: Trial,
        dependency: StepDependency,
        run: @escaping (any ExplorationStrategy, Set<Int>) throws(E) -> Trial
    ) {
        self.kind = kind
        self.best = best
        self.dependency = dependency
        self.run = run
    }

    /// Whether another run can be made, which would be one.
    mutating func goesOn() -> Bool {
        if trials < limit, stepsTaken >= stepLimit { isCutShort = true }
        return hasBudget
    }

    /// One run, if the budget allows it.
    mutating func attempt(_ strategy: any ExplorationStrategy, without deleted: Set<Int>) throws(E) -> Trial? {
        guard goesOn() else { return nil }
        trials += 1
        let trial = try run(strategy, deleted)
        stepsTaken += trial.steps.count
        return trial
    }

    /// One run with the events that are left.
    /// - Returns: nil if it does not fail in the same way.
    mutating func failing(_ strategy: any ExplorationStrategy) throws(E) -> Trial? {
        guard let trial = try attempt(strategy, without: deleted), trial.failure == kind else { return nil }
        return trial
    }

    mutating func accept(_ trial: Trial, without deleted: Set<Int>? = nil) {
        best = trial
        if let deleted { self.deleted = deleted }
    }

    /// Whether the run fails again.
    mutating func reproduce() throws(E) -> Bool {
        stepLimit = .max
        guard let trial = try failing(Replay(schedule)) else { return false }
        best = trial
        return true
    }

    /// Replays twice and compares, however long that takes.
    mutating func confirm() throws(E) -> Confirmation {
        for _ in 0..<2 {
            stepLimit = .max
            guard let trial = try failing(Replay(schedule)) else { return .notReproduced }
            if trial.steps == best.steps { continue }
            let same = zip(trial.steps, best.steps).prefix { $0 == $1 }.count
            return .diverged(step: same)
        }
        return .confirmed
    }
}

extension ShrinkSearch {
    /// How many schedules are drawn at random if no schedule like the old one fails without some events.
    private var draws: Int { 12 }

    /// Leaves out external events, from all to one at a time.
    mutating func leaveOutEvents(_ count: Int) throws(E) {
        guard count > 0 else { return }
        var kept = Array(0..<count)
        // `self` cannot be captured while it is changed, so the loop is given the search and takes it back.
        var search = self
        kept = try deltaDebug(kept) { (rest: [Int], _) throws(E) -> [Int]? in
            let gone = Set(0..<count).subtracting(rest)
            guard let trial = try search.likeBefore(without: gone) else { return nil }
            search.accept(trial, without: gone)
            return rest
        } while: {
            search.goesOn()
        }
        self = search
    }

    /// A failing run without some events: with the steps in the old order, with the old schedule, or with a random one.
    private mutating func likeBefore(without gone: Set<Int>) throws(E) -> Trial? {
        var strategies: [any ExplorationStrategy] = [FollowOrder(best.steps.map(\.choice.event)), Replay(schedule)]
        for draw in 0..<draws { strategies.append(Seeded(PartialOrderSampling(), seed: UInt64(draw))) }
        for strategy in strategies {
            if let trial = try attempt(strategy, without: gone), trial.failure == kind { return trial }
        }
        return nil
    }
}

/// A strategy with a fixed seed instead of the run's.
private struct Seeded<Base: ExplorationStrategy>: ExplorationStrategy {
    private var base: Base
    private let seed: UInt64

    init(_ base: Base, seed: UInt64) {
        self.base = base
        self.seed = seed
    }

    var name: String { base.name }

    mutating func begin(seed: UInt64, length: Int) { base.begin(seed: self.seed, length: length) }

    mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int { base.choose(among: choices, at: step) }

    mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses) { base.end(steps, accesses) }
}

/// Delta debugging: leaves out ever smaller parts of a list as long as the rest still fails. The result fails, and passes without any one of
/// its items, unless the test gave up before.
/// - Parameter remaining: Tests a shorter list; it is told how many items come before those that were left out. Returns nil if it passes; if it
///   fails, the list or a part of it that fails too.
/// - Parameter goesOn: Whether to test another list. A long list has so many shorter ones that even to make them takes long.
func deltaDebug<Item, E: Error>(
    _ items: [Item],
    _ remaining: ([Item], Int) throws(E) -> [Item]?,
    while goesOn: () -> Bool
) throws(E) -> [Item] {
    var items = items
    var size = items.count
    while size > 0 {
        var start = 0
        var isSmaller = false
        while start < items.count {
            guard goesOn() else { return items }
            let rest = Array(items[..<start] + items[min(start + size, items.count)...])
            if let left = try remaining(rest, start), left.count < items.count {
                items = left
                isSmaller = true
            } else {
                start += size
            }
        }
        // Single items are tried again as long as one could be left out: another may not be needed any more.
        size = size == 1 && isSmaller ? 1 : size / 2
    }
    return items
}
