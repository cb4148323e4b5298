/// Decides what happens next, over one run and from run to run.
///
/// A strategy is deterministic: what it chooses follows from the seeds it was given and the choices it was shown. It keeps what
/// it learns from run to run in itself. See <doc:Strategies>.
public protocol Strategy: Sendable {
    /// The name in traces, reports and flags, such as `pct-3`.
    var name: String { get }

    /// Begins a run.
    /// - Parameters:
    ///   - seed: What all randomness of this run comes from.
    ///   - length: How many steps a run is expected to take, from the runs before; at least 1.
    mutating func begin(seed: UInt64, length: Int)

    /// The index of what happens next.
    /// - Parameters:
    ///   - choices: What can happen, in the order it became possible; at least two.
    ///   - step: The index of the step, counted from 0; steps without a choice are counted, but not asked about.
    mutating func choose(among choices: Span<Choice>, at step: Int) -> Int

    /// Ends a run, with all it did.
    mutating func end(_ steps: Span<Step>)

    /// Whether a run depends on those before it only through the expected length, its number (``next(run:)``) and, if it
    /// learns, the first 16: then the runs can be divided among processes, each of which makes those first. false by default.
    var isDivisible: Bool { get }

    /// Tells, before `begin`, which run of the exploration comes next; 0 is the first-in-first-out run that is not the strategy's.
    mutating func next(run: Int)

    /// Whether every class of schedules was seen, so that more runs would show nothing new. Only exhaustive strategies ever are.
    var isExhausted: Bool { get }
}

extension Strategy {
    public mutating func end(_ steps: Span<Step>) {}
    public var isExhausted: Bool { false }
    public var isDivisible: Bool { false }
    public mutating func next(run: Int) {}
}

/// From how many runs after the first-in-first-out one a strategy may learn, and the length of a run is known: every process
/// of an exploration makes them.
let firstRuns = 16
