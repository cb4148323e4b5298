/// The smallest failing run found so far, and how it is made smaller.
struct ShrinkSearch<E: Error> {
    let kind: String
    let dependency: Dependency
    let run: (any Strategy, Set<Int>) throws(E) -> Trial

    private(set) var best: Trial
    /// What `best` was run without.
    private(set) var deleted: Set<Int> = []
    private(set) var trials = 0
    /// No more trials than this.
    var limit = 0

    var schedule: Schedule { Schedule(following: best.steps) }
    var hasBudget: Bool { trials < limit }

    init(
        kind: String,
        best: Trial,
        dependency: Dependency,
        run: @escaping (any Strategy, Set<Int>) throws(E) -> Trial
    ) {
        self.kind = kind
        self.best = best
        self.dependency = dependency
        self.run = run
    }

    /// One run, if the budget allows it.
    mutating func attempt(_ strategy: any Strategy, without deleted: Set<Int>) throws(E) -> Trial? {
        guard hasBudget else { return nil }
        trials += 1
        return try run(strategy, deleted)
    }

    /// One run with the events that are left, given back if it fails as it should.
    mutating func failing(_ strategy: any Strategy) throws(E) -> Trial? {
        guard let trial = try attempt(strategy, without: deleted), trial.failure == kind else { return nil }
        return trial
    }

    mutating func accept(_ trial: Trial, without deleted: Set<Int>? = nil) {
        best = trial
        if let deleted { self.deleted = deleted }
    }

    /// Whether the run fails again at all.
    mutating func reproduce() throws(E) -> Bool {
        guard let trial = try failing(Replay(schedule)) else { return false }
        best = trial
        return true
    }

    /// Replays twice and compares.
    mutating func confirm() throws(E) -> Confirmation {
        for _ in 0..<2 {
            guard let trial = try failing(Replay(schedule)) else { return .notReproduced }
            if trial.steps == best.steps { continue }
            let same = zip(trial.steps, best.steps).prefix { $0 == $1 }.count
            return .diverged(step: same)
        }
        return .confirmed
    }
}

extension ShrinkSearch {
    /// How many schedules are drawn at random when nothing like the old one fails without some events.
    private var draws: Int { 12 }

    /// Leaves out external events, from all to one at a time.
    mutating func leaveOutEvents(_ count: Int) throws(E) {
        guard count > 0 else { return }
        var kept = Array(0..<count)
        // `self` cannot be captured while it is changed, so the loop is given the search and takes it back.
        var search = self
        kept = try deltaDebug(kept) { (rest: [Int]) throws(E) -> [Int]? in
            let gone = Set(0..<count).subtracting(rest)
            guard let trial = try search.likeBefore(without: gone) else { return nil }
            search.accept(trial, without: gone)
            return rest
        }
        self = search
    }

    /// A failing run without some events: by the names of the steps it had, by their places, or by luck.
    private mutating func likeBefore(without gone: Set<Int>) throws(E) -> Trial? {
        var strategies: [any Strategy] = [FollowOrder(best.steps.map(\.choice.event)), Replay(schedule)]
        for draw in 0..<draws { strategies.append(Seeded(PartialOrderSampling(), seed: UInt64(draw))) }
        for strategy in strategies {
            if let trial = try attempt(strategy, without: gone), trial.failure == kind { return trial }
        }
        return nil
    }
}

/// A strategy with a seed of its own, whatever the run has.
private struct Seeded<Base: Strategy>: Strategy {
    private var base: Base
    private let seed: UInt64

    init(_ base: Base, seed: UInt64) {
        self.base = base
        self.seed = seed
    }

    var name: String { base.name }

    mutating func begin(seed: UInt64, length: Int) { base.begin(seed: self.seed, length: length) }

    mutating func choose(among choices: Span<Choice>, at step: Int) -> Int { base.choose(among: choices, at: step) }

    mutating func end(_ steps: Span<Step>) { base.end(steps) }
}
