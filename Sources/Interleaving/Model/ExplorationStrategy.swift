/// Decides at each step of a run what happens next.
///
/// A strategy is deterministic: its choices follow from the seeds it was given and the choices it was shown. What it learns from run to
/// run is part of its value. See <doc:Strategies>.
public protocol ExplorationStrategy: Sendable {
    /// The name in traces, reports and flags, such as `pct-3`.
    var name: String { get }

    /// Begins a run.
    /// - Parameters:
    ///   - seed: What all randomness of this run comes from.
    ///   - length: How many steps a run is expected to take, from the runs before; at least 1.
    mutating func begin(seed: UInt64, length: Int)

    /// The index of what happens next.
    /// - Parameters:
    ///   - choices: What can happen: jobs that are stopped, the last one first, and then all else in the order it became possible; at least two.
    ///   - step: The index of the step, counted from 0. Steps without a choice are counted, but the strategy is not asked.
    mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int

    /// Ends a run.
    /// - Parameters:
    ///   - steps: Everything that happened in it.
    ///   - accesses: What the steps did with what tasks share.
    mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses)

    /// Whether the runs can be divided among processes; false by default. For that, a run may depend on earlier ones only through the
    /// expected length, its number (``next(run:)``) and what the strategy learned from the first 16, which every process makes.
    var isDivisible: Bool { get }

    /// Says, before `begin`, which run of the exploration comes next. Run 0 is first in, first out, and does not use the strategy.
    mutating func next(run: Int)

    /// Whether every class of schedules was seen, so that more runs would show nothing new; false for strategies that are not exhaustive.
    var isExhausted: Bool { get }
}

extension ExplorationStrategy {
    /// Learns nothing.
    public mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses) {}
    /// Never, by default.
    public var isExhausted: Bool { false }
    /// Not, by default.
    public var isDivisible: Bool { false }
    /// Ignores the number.
    public mutating func next(run: Int) {}
}

/// How many runs after the first-in-first-out one every process of an exploration makes: strategies learn from them, and the
/// expected length of a run is known after them.
let firstRuns = 16
