/// IDs of hosts, by which records of different runs are told apart.
enum HostID {
    /// 128 bits in hexadecimal: random, or for a seed always the same.
    static func make(seed: Int?) -> String {
        guard let seed else {
            var generator = SystemRandomNumberGenerator()
            return make(&generator)
        }
        var generator = SplitMix(state: UInt64(bitPattern: Int64(seed)))
        return make(&generator)
    }

    private static func make(_ generator: inout some RandomNumberGenerator) -> String {
        let digits = (0..<2).map { _ in
            let half = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - half.count) + half
        }
        return digits.joined()
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014): enough to spread a seed over an ID.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
