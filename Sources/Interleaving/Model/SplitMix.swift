/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014): one word of state, a few
/// instructions a number, and any seed is a good one.
public struct SplitMix: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= Self.golden
        return Self.mix(state)
    }

    /// A number below a bound above 0, by the high half of a product: the bias is below `bound` in 2⁶⁴.
    public mutating func below(_ bound: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: bound)).high)
    }

    /// A generator of its own, independent of what this one yields from here on.
    public mutating func split() -> SplitMix {
        SplitMix(seed: next())
    }

    /// The golden ratio's fraction of 2⁶⁴, odd: its multiples visit every number.
    @inline(__always)
    static var golden: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// The finisher: every bit of the result depends on every bit of the input.
    @inline(__always)
    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension EventID {
    /// The event in one word, well mixed.
    var word: UInt64 {
        SplitMix.mix(task &+ UInt64(ordinal) &* SplitMix.golden)
    }
}
