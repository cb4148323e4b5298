internal import Basics

/// Makes IDs of hosts, which distinguish the records of different runs.
enum HostID {
    /// 128 bits in hexadecimal: random, or always the same for the same seed.
    static func make(seed: Int?) -> String {
        guard let seed else {
            var generator = SystemRandomNumberGenerator()
            return make(&generator)
        }
        var generator = SplitMix(seed: UInt64(bitPattern: Int64(seed)))
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
