extension Sequence<UInt8> {
    /// Tells these bytes from others: 16 hexadecimal digits, their 64-bit FNV-1a. It does not protect against who wants two texts to have
    /// the same.
    package var digest: String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in self { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
