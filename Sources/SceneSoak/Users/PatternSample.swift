internal import Basics

/// Generates texts that match a pattern of a manifest, made of literals, classes, groups, alternatives and repetitions.
///
/// ``init(_:)`` returns `nil` for a pattern that it cannot read.
struct PatternSample {
    private indirect enum Piece {
        case oneOf([UInt8])
        case sequence([Piece])
        case alternatives([Piece])
        case repetition(Piece, Int, Int)
    }

    private let piece: Piece

    init?(_ pattern: String) {
        var reader = Reader(bytes: Array(pattern.utf8))
        guard let piece = reader.alternatives(), reader.isAtEnd else { return nil }
        self.piece = piece
    }

    func text(_ random: inout SplitMix) -> String {
        var bytes: [UInt8] = []
        Self.write(piece, to: &bytes, &random)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func write(_ piece: Piece, to bytes: inout [UInt8], _ random: inout SplitMix) {
        switch piece {
        case .oneOf(let choices): bytes.append(random.pick(choices))
        case .sequence(let pieces): for piece in pieces { write(piece, to: &bytes, &random) }
        case .alternatives(let pieces): write(random.pick(pieces), to: &bytes, &random)
        case .repetition(let piece, let least, let most):
            for _ in 0..<(least + random.below(most - least + 1)) { write(piece, to: &bytes, &random) }
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        private var position = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }
        private var next: UInt8? { isAtEnd ? nil : bytes[position] }

        private mutating func take(_ character: Character) -> Bool {
            guard let next, Character(UnicodeScalar(next)) == character else { return false }
            position += 1
            return true
        }

        mutating func alternatives() -> Piece? {
            var choices: [Piece] = []
            repeat {
                guard let choice = sequence() else { return nil }
                choices.append(choice)
            } while take("|")
            return choices.count == 1 ? choices[0] : .alternatives(choices)
        }

        private mutating func sequence() -> Piece? {
            var pieces: [Piece] = []
            while let next, next != UInt8(ascii: "|"), next != UInt8(ascii: ")") {
                guard let atom = atom(), let piece = repeated(atom) else { return nil }
                pieces.append(piece)
            }
            return .sequence(pieces)
        }

        private mutating func atom() -> Piece? {
            if take("(") {
                guard let inner = alternatives(), take(")") else { return nil }
                return inner
            }
            if take("[") { return characterClass() }
            if take(".") { return .oneOf(Array("abcxyz019".utf8)) }
            if take("\\") { return escape().map(Piece.oneOf) }
            guard let next, next < 0x80, !"^$*+?{}]".utf8.contains(next) else { return nil }
            position += 1
            return .oneOf([next])
        }

        private mutating func escape() -> [UInt8]? {
            guard let next else { return nil }
            position += 1
            switch next {
            case UInt8(ascii: "d"): return Array("0123456789".utf8)
            case UInt8(ascii: "w"): return Array("abcdefghijklmnopqrstuvwxyz0123456789_".utf8)
            case let letter where Character(UnicodeScalar(letter)).isLetter: return nil
            default: return [next]
            }
        }

        private mutating func characterClass() -> Piece? {
            // A negated class would need its alphabet.
            guard next != UInt8(ascii: "^") else { return nil }
            var members: [UInt8] = []
            while let byte = next, byte != UInt8(ascii: "]") {
                position += 1
                if byte == UInt8(ascii: "\\") {
                    guard let escaped = escape() else { return nil }
                    members += escaped
                } else if next == UInt8(ascii: "-"), position + 1 < bytes.count,
                    bytes[position + 1] != UInt8(ascii: "]")
                {
                    let end = bytes[position + 1]
                    position += 2
                    guard byte <= end, end < 0x80 else { return nil }
                    members += Array(byte...end)
                } else {
                    guard byte < 0x80 else { return nil }
                    members.append(byte)
                }
            }
            return take("]") && !members.isEmpty ? .oneOf(members) : nil
        }

        /// Reads a repetition. One without an upper limit gets a low one.
        private mutating func repeated(_ piece: Piece) -> Piece? {
            if take("?") { return .repetition(piece, 0, 1) }
            if take("*") { return .repetition(piece, 0, 6) }
            if take("+") { return .repetition(piece, 1, 6) }
            guard take("{") else { return piece }
            guard let least = number() else { return nil }
            var most = least
            if take(",") { most = number() ?? least + 6 }
            guard take("}"), least <= most, most <= 10_000 else { return nil }
            return .repetition(piece, least, min(most, least + 12))
        }

        private mutating func number() -> Int? {
            var digits = ""
            while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next), digits.count < 6 {
                digits.append(Character(UnicodeScalar(next)))
                position += 1
            }
            return Int(digits)
        }
    }
}
