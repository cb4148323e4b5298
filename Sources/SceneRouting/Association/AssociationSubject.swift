/// A text being matched with an association pattern. A set of positions, one bit each, moves through it.
struct AssociationSubject {
    private let scalars: [UInt32]
    private let words: Int
    /// Whether the last character is an added slash that the pattern need not match.
    private let endsOptionally: Bool
    /// The positions of each character, filled on demand.
    private var masks: [UInt32: [UInt64]] = [:]

    /// - Parameter endsOptionally: adds a slash that the pattern need not match, and that no `?` matches.
    init(_ scalars: [UInt32], endsOptionally: Bool) {
        self.scalars = endsOptionally ? scalars + [0x2F] : scalars
        self.endsOptionally = endsOptionally
        words = self.scalars.count / 64 + 1
    }

    /// Whether the tokens match the text from position `start` to its end. `start` is at most the text's length.
    mutating func matches(_ tokens: [AssociationPattern.Token], from start: Int) -> Bool {
        var positions = [UInt64](repeating: 0, count: words)
        positions[start / 64] = 1 << UInt64(start % 64)
        guard advance(&positions, tokens) else { return false }
        return has(scalars.count, in: positions) || endsOptionally && has(scalars.count - 1, in: positions)
    }

    /// Moves the positions over the tokens; returns `false` as soon as none is left.
    private mutating func advance(_ positions: inout [UInt64], _ tokens: [AssociationPattern.Token]) -> Bool {
        for token in tokens {
            switch token {
            case .literal(let scalar):
                let mask = mask(scalar)
                for index in 0..<words { positions[index] &= mask[index] }
                shift(&positions)
            case .any:
                clearEnd(&positions)
                shift(&positions)
            case .run: fill(&positions)
            case .ranges(let ranges):
                forEach(&positions) { scalar in ranges.contains { $0 ~= scalar } }
                shift(&positions)
            case .oneOf(let values):
                var reached = [UInt64](repeating: 0, count: words)
                for value in values {
                    if case .literal(let scalar) = value.first, !intersects(positions, mask(scalar)) { continue }
                    var branch = positions
                    guard advance(&branch, value) else { continue }
                    for index in 0..<words { reached[index] |= branch[index] }
                }
                positions = reached
            case .nothing: return false
            }
            guard positions.contains(where: { $0 != 0 }) else { return false }
        }
        return true
    }

    private func intersects(_ positions: [UInt64], _ mask: [UInt64]) -> Bool {
        for index in 0..<words where positions[index] & mask[index] != 0 { return true }
        return false
    }

    private mutating func mask(_ scalar: UInt32) -> [UInt64] {
        if let mask = masks[scalar] { return mask }
        var mask = [UInt64](repeating: 0, count: words)
        for (index, other) in scalars.enumerated() where other == scalar { mask[index / 64] |= 1 << UInt64(index % 64) }
        masks[scalar] = mask
        return mask
    }

    /// Keeps the positions before characters that satisfy the condition.
    private func forEach(_ positions: inout [UInt64], _ condition: (UInt32) -> Bool) {
        for index in 0..<words {
            var bits = positions[index]
            while bits != 0 {
                let bit = bits.trailingZeroBitCount
                bits &= bits - 1
                let position = index * 64 + bit
                if position >= scalars.count || !condition(scalars[position]) {
                    positions[index] &= ~(1 << UInt64(bit))
                }
            }
        }
    }

    private func has(_ position: Int, in positions: [UInt64]) -> Bool {
        positions[position / 64] >> UInt64(position % 64) & 1 == 1
    }

    private func clearEnd(_ positions: inout [UInt64]) {
        positions[scalars.count / 64] &= ~(1 << UInt64(scalars.count % 64))
        guard endsOptionally else { return }
        let last = scalars.count - 1
        positions[last / 64] &= ~(1 << UInt64(last % 64))
    }

    /// Moves every position one further. The end must have been cleared.
    private func shift(_ positions: inout [UInt64]) {
        var carry: UInt64 = 0
        for index in 0..<words {
            let next = positions[index] >> 63
            positions[index] = positions[index] << 1 | carry
            carry = next
        }
    }

    /// Adds every position from the first to the end.
    private func fill(_ positions: inout [UInt64]) {
        guard let first = positions.firstIndex(where: { $0 != 0 }) else { return }
        positions[first] = ~0 << UInt64(positions[first].trailingZeroBitCount)
        for index in (first + 1)..<max(words, first + 1) { positions[index] = ~0 }
        let bits = UInt64(scalars.count % 64)
        positions[words - 1] &= bits == 63 ? ~0 : (1 << (bits + 1)) - 1
    }
}
