/// A hash table from a number and some bytes to a number: one flat array, no allocation for a look-up.
struct ByteTable: Sendable {
    private struct Slot {
        var hash: UInt32 = 0
        var owner: Int32 = -1
        var value: Int32 = -1
        var keyStart: UInt32 = 0
        var keyLength: UInt32 = 0
    }

    private var slots = [Slot](repeating: Slot(), count: 16)
    private var keys: [UInt8] = []
    private(set) var count = 0

    /// Sets the value of a key that is not there yet.
    mutating func insert(_ value: Int, owner: Int, key: [UInt8]) {
        if (count + 1) * 2 > slots.count { grow() }
        let slot = Slot(
            hash: Self.hash(owner, key.span, 0..<key.count, folds: false),
            owner: Int32(owner),
            value: Int32(value),
            keyStart: UInt32(keys.count),
            keyLength: UInt32(key.count)
        )
        keys += key
        place(slot)
        count += 1
    }

    /// The value of `bytes[range]`, looked up in lower case (of ASCII) if `folds`.
    @inline(__always)
    func value(owner: Int, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, folds: Bool) -> Int? {
        let hash = Self.hash(owner, bytes, range, folds: folds)
        let mask = slots.count - 1
        var index = Int(hash) & mask
        while true {
            let slot = slots[index]
            guard slot.value >= 0 else { return nil }
            if slot.hash == hash, Int(slot.owner) == owner, Int(slot.keyLength) == range.count,
                isKey(at: Int(slot.keyStart), bytes, range, folds: folds)
            {
                return Int(slot.value)
            }
            index = (index + 1) & mask
        }
    }

    @inline(__always)
    private func isKey(at start: Int, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, folds: Bool) -> Bool {
        var key = start
        for index in range {
            let byte = bytes[index]
            guard keys[key] == (folds ? ASCII.lowercased(byte) : byte) else { return false }
            key += 1
        }
        return true
    }

    /// FNV-1a, with the owner's number mixed in before and all bits stirred after.
    @inline(__always)
    private static func hash(_ owner: Int, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, folds: Bool) -> UInt32 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(truncatingIfNeeded: owner) &* 0x9E37_79B9_7F4A_7C15
        for index in range {
            let byte = bytes[index]
            hash = (hash ^ UInt64(folds ? ASCII.lowercased(byte) : byte)) &* 0x0000_0100_0000_01B3
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: old.count * 2)
        for slot in old where slot.value >= 0 { place(slot) }
    }

    private mutating func place(_ slot: Slot) {
        let mask = slots.count - 1
        var index = Int(slot.hash) & mask
        while slots[index].value >= 0 { index = (index + 1) & mask }
        slots[index] = slot
    }
}
