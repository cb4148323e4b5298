/// SplitMix64 (Steele, Lea and Flood: Fast Splittable Pseudorandom Number Generators, 2014): numbers that depend on their
/// seed alone, so that whatever they decided can be decided again. One word of state, a few instructions a number, and any
/// seed is a good one.
public struct SplitMix: RandomNumberGenerator, Hashable, Sendable {
    @usableFromInline var state: UInt64

    /// The numbers of this seed.
    @inlinable
    public init(seed: UInt64) { state = seed }

    /// The next number.
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= Self.golden
        return Self.mix(state)
    }

    /// A number from 0 to below `limit`, which is at least 1, by the high half of a product: the bias is below `limit` in
    /// 2⁶⁴.
    @inlinable
    public mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: limit)).high)
    }

    /// One of several, of which there is at least one.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// A generator of its own, independent of what this one yields from here on.
    public mutating func split() -> SplitMix { SplitMix(seed: next()) }

    /// The golden ratio's fraction of 2⁶⁴, odd: its multiples visit every number.
    @inlinable
    public static var golden: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// The finisher: every bit of the result depends on every bit of the input.
    @inlinable
    public static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
