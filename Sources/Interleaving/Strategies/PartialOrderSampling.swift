/// Partial order sampling: each pending event has a random priority and the highest goes first. The events that it raced with, which
/// wait for the same serial executor, then draw new priorities.
///
/// So orders of independent steps do not affect how often a difference is seen. Source: Yuan, Yang,
/// Gu, *Partial Order Aware Concurrency Sampling*, CAV 2018.
package struct PartialOrderSampling: ExplorationStrategy {
    package let name = "pos"
    private var seed: UInt64 = 0
    /// By executor: a value that changes whenever the events that wait for it draw new priorities.
    private var draws: [UInt64] = []

    package init() {}

    package var isDivisible: Bool { true }

    package mutating func begin(seed: UInt64, length: Int) {
        self.seed = SplitMix.mix(seed &+ SplitMix.golden)
        draws.removeAll(keepingCapacity: true)
    }

    package mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
        var highest = 0
        var best: UInt64 = 0
        for index in choices.indices {
            // The priority is a hash of the event, the seed and the draw, so that nothing is kept for an event.
            let priority = SplitMix.mix(choices[index].event.word ^ seed &+ draw(of: choices[index].executor))
            if priority > best { (highest, best) = (index, priority) }
        }
        let executor = choices[highest].executor
        if executor > 0 { draws[executor] &+= 0x9E37_79B9_7F4A_7C15 }
        return highest
    }

    private mutating func draw(of executor: Int) -> UInt64 {
        while draws.count <= executor { draws.append(0) }
        return draws[executor]
    }
}
