/// Several strategies in turn, since none finds everything: after one first-in-first-out run, which tells how long a run is,
/// a random walk, partial order sampling, priority changes of depth 2, 3 and 5, and a uniform walk, then again.
public struct Portfolio: Strategy {
    public let name = "portfolio"

    private enum Member: Int, CaseIterable {
        case fifo, random, pos, pct2, pct3, pct5, urw
    }

    // Each its own property rather than one array of existentials, so that a choice is made in place and copies nothing.
    private var fifo = FirstInFirstOut()
    private var random = RandomWalk()
    private var pos = PartialOrderSampling()
    private var pct2 = PriorityChanges(depth: 2)
    private var pct3 = PriorityChanges(depth: 3)
    private var pct5 = PriorityChanges(depth: 5)
    private var urw = UniformWalk()

    private var current = Member.fifo
    private var runs = 0
    /// The longest of the first runs.
    private var longest = 1

    public init() {}

    /// The name of the member that the last run followed.
    public var member: String {
        switch current {
        case .fifo: fifo.name
        case .random: random.name
        case .pos: pos.name
        case .pct2: pct2.name
        case .pct3: pct3.name
        case .pct5: pct5.name
        case .urw: urw.name
        }
    }

    public var isDivisible: Bool { true }

    public mutating func next(run: Int) { runs = run }

    public mutating func begin(seed: UInt64, length: Int) {
        let others = Member.allCases.dropFirst()
        current = runs == 0 ? .fifo : others[others.startIndex + (runs - 1) % others.count]
        runs += 1
        let length = max(length, longest)
        switch current {
        case .fifo: fifo.begin(seed: seed, length: length)
        case .random: random.begin(seed: seed, length: length)
        case .pos: pos.begin(seed: seed, length: length)
        case .pct2: pct2.begin(seed: seed, length: length)
        case .pct3: pct3.begin(seed: seed, length: length)
        case .pct5: pct5.begin(seed: seed, length: length)
        case .urw: urw.begin(seed: seed, length: length)
        }
    }

    public mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
        switch current {
        case .fifo: fifo.choose(among: choices, at: step)
        case .random: random.choose(among: choices, at: step)
        case .pos: pos.choose(among: choices, at: step)
        case .pct2: pct2.choose(among: choices, at: step)
        case .pct3: pct3.choose(among: choices, at: step)
        case .pct5: pct5.choose(among: choices, at: step)
        case .urw: urw.choose(among: choices, at: step)
        }
    }

    public mutating func end(_ steps: Span<Step>) {
        if runs <= firstRuns + 1 { longest = max(longest, steps.count) }
        // The only member that learns learns from all runs.
        urw.end(steps)
    }
}
