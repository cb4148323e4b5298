/// At each step any of the choices, with equal chances.
///
/// Good where many orders fail; it hardly ever keeps one task back for long, so what needs that it does not find.
public struct RandomWalk: Strategy {
    public let name = "random"
    private var random = SplitMix(seed: 0)

    public init() {}

    public var isDivisible: Bool { true }

    public mutating func begin(seed: UInt64, length: Int) {
        random = SplitMix(seed: seed)
    }

    public mutating func choose(among choices: Span<Choice>, at step: Int) -> Int {
        random.below(choices.count)
    }
}
