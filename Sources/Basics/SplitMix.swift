/// SplitMix64 (Steele, Lea and Flood: Fast Splittable Pseudorandom Number Generators, 2014): numbers that depend only on their
/// seed, so that random decisions can be repeated. It has one word of state, takes a few instructions for each number, and any
/// seed is good.
public struct SplitMix: RandomNumberGenerator, Hashable, Sendable {
    /// The seed, before the first number.
    @usableFromInline package private(set) var state: UInt64

    /// A generator of the numbers of this seed.
    @inlinable
    public init(seed: UInt64) { state = seed }

    /// The next number.
    @inlinable
    public mutating func next() -> UInt64 {
        state &+= Self.golden
        return Self.mix(state)
    }

    /// A number from 0 to below `limit`, which must be at least 1, from the high half of a product; the bias is below `limit` in
    /// 2⁶⁴.
    @inlinable
    public mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: limit)).high)
    }

    /// A random element; `elements` must not be empty.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    /// A new generator, independent of this one's further numbers.
    public mutating func split() -> SplitMix { SplitMix(seed: next()) }

    /// 2⁶⁴ divided by the golden ratio, made odd, so that its multiples visit every number.
    @inlinable
    public static var golden: UInt64 { 0x9E37_79B9_7F4A_7C15 }

    /// Mixes a value so that every bit of the result depends on every bit of the input.
    @inlinable
    public static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
