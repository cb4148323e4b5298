/// Several strategies in turn, because no single one finds everything. After a first-in-first-out run, which shows how long a run is, it
/// cycles through a random walk, partial order sampling, priority changes of depth 2, 3 and 5, and a uniform walk.
package struct Portfolio: ExplorationStrategy {
    package let name = "portfolio"

    private enum Member: Int, CaseIterable {
        case fifo, random, pos, pct2, pct3, pct5, urw
    }

    // Properties rather than an array of existentials, so that a choice copies nothing.
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

    package init() {}

    /// The name of the member that the last run followed.
    package var member: String {
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

    package var isDivisible: Bool { true }

    package mutating func next(run: Int) { runs = run }

    package mutating func begin(seed: UInt64, length: Int) {
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

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
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

    package mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses) {
        if runs <= firstRuns + 1 { longest = max(longest, steps.count) }
        // The only member that learns, and it learns from all runs.
        urw.end(steps, accesses)
    }
}
