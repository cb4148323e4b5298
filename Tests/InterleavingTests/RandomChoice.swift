import Interleaving

/// Chooses with equal chances, for tests that only need different orders.
struct RandomChoice: Strategy {
    var generator = SplitMix(seed: 0)
    let name = "random-choice"

    mutating func begin(seed: UInt64, length: Int) {
        generator = SplitMix(seed: seed)
    }

    mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
        Int.random(in: 0..<choices.count, using: &generator)
    }
}
