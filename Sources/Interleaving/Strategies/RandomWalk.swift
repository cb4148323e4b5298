/// Takes any choice with equal probability at each step.
///
/// It is good if many orders fail. It hardly ever holds one task back for long, so it misses bugs that need that.
package struct RandomWalk: ExplorationStrategy {
    package let name = "random"
    private var random = SplitMix(seed: 0)

    package init() {}

    package var isDivisible: Bool { true }

    package mutating func begin(seed: UInt64, length: Int) {
        random = SplitMix(seed: seed)
    }

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        random.below(choices.count)
    }
}
