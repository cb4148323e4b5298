internal import Basics

/// A hash table whose keys are a number and some bytes, and whose values are numbers. It is one flat array; a look-up
/// allocates nothing and, for keys of at most 16 bytes, reads one cache line.
struct ByteTable: Sendable {
    private struct Slot: Sendable {
        var hash: UInt32 = 0
        var owner: Int32 = -1
        var value: Int32 = -1
        var keyLength: UInt32 = 0
        /// The bytes of a short key; for a longer one `low` is its offset in ``ByteTable/keys``.
        var low: UInt64 = 0
        var high: UInt64 = 0
    }

    private static let inlineLength = 16

    private var slots = [Slot](repeating: Slot(), count: 16)
    private var keys: [UInt8] = []
    private(set) var count = 0

    /// Adds a key that the table does not have yet.
    mutating func insert(_ value: Int, owner: Int, key: [UInt8]) {
        if (count + 1) * 2 > slots.count { grow() }
        let digest = Self.digest(owner, key.elements, 0..<key.count, folds: false)
        var slot = Slot(
            hash: digest.hash,
            owner: Int32(owner),
            value: Int32(value),
            keyLength: UInt32(key.count),
            low: digest.low,
            high: digest.high
        )
        if key.count > Self.inlineLength {
            slot.low = UInt64(keys.count)
            keys += key
        }
        place(slot)
        count += 1
    }

    /// The value of the key `bytes[range]`, with ASCII letters in lower case if `folds`.
    @inline(__always)
    func value(owner: Int, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, folds: Bool) -> Int? {
        let digest = Self.digest(owner, bytes, range, folds: folds)
        let mask = slots.count - 1
        var index = Int(digest.hash) & mask
        while true {
            let slot = slots[index]
            guard slot.value >= 0 else { return nil }
            if slot.hash == digest.hash, Int(slot.owner) == owner, Int(slot.keyLength) == range.count {
                if range.count <= Self.inlineLength {
                    if slot.low == digest.low, slot.high == digest.high { return Int(slot.value) }
                } else if isKey(at: Int(slot.low), bytes, range, folds: folds) {
                    return Int(slot.value)
                }
            }
            index = (index + 1) & mask
        }
    }

    private func isKey(at start: Int, _ bytes: borrowing Span<UInt8>, _ range: Range<Int>, folds: Bool) -> Bool {
        var key = start
        for index in range {
            let byte = bytes[index]
            guard keys[key] == (folds ? ASCII.lowercased(byte) : byte) else { return false }
            key += 1
        }
        return true
    }

    /// A hash, and the first 16 bytes as two words. Each eight bytes are mixed in by a multiplication whose high and low
    /// halves are combined. It only has to spread the routes of one app well.
    @inline(__always)
    private static func digest(
        _ owner: Int,
        _ bytes: borrowing Span<UInt8>,
        _ range: Range<Int>,
        folds: Bool
    ) -> (hash: UInt32, low: UInt64, high: UInt64) {
        var state =
            (UInt64(truncatingIfNeeded: owner) ^ UInt64(truncatingIfNeeded: range.count) << 40)
            &* 0x9E37_79B9_7F4A_7C15
        var low: UInt64 = 0
        var high: UInt64 = 0
        var position = range.lowerBound
        while position < range.upperBound {
            var word: UInt64 = 0
            let end = min(position + 8, range.upperBound)
            var shift: UInt64 = 0
            for index in position..<end {
                let byte = bytes[index]
                word |= UInt64(folds ? ASCII.lowercased(byte) : byte) << shift
                shift += 8
            }
            if position == range.lowerBound { low = word } else if position == range.lowerBound + 8 { high = word }
            let product = (state ^ word).multipliedFullWidth(by: 0xA076_1D64_78BD_642F)
            state = product.high ^ product.low
            position = end
        }
        return (UInt32(truncatingIfNeeded: state ^ state >> 32), low, high)
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
