/// What became possible first happens first: the run that all others are compared with.
public struct FirstInFirstOut: Strategy {
    public let name = "fifo"

    public init() {}

    public var isDivisible: Bool { true }

    public mutating func begin(seed: UInt64, length: Int) {}

    public mutating func choose(among choices: Span<Choice>, at step: Int) -> Int { 0 }
}
