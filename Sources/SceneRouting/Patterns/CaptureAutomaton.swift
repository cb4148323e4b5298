/// A capture's type as an automaton, for a segment that has other pieces too.
///
/// It may accept more than the type does, such as an integer beyond its bounds. The value is checked afterwards, so that
/// it is the value that is refused and not the shape of the URL.
enum CaptureAutomaton: Hashable, Sendable {
    case anyText
    /// An optional minus sign, then digits.
    case integer
    case uuid
    /// These words, sorted.
    case words([[UInt32]])
    case pattern(BoundedPattern)

    init(_ check: ParameterCheck) {
        switch check {
        case .string, .date, .list: self = .anyText
        case .integer: self = .integer
        case .uuid: self = .uuid
        case .oneOf(let words):
            self = .words(words.map { $0.unicodeScalars.map(\.value) }.sorted { $0.lexicographicallyPrecedes($1) })
        case .pattern(let pattern): self = .pattern(pattern)
        }
    }

    var start: Int {
        switch self {
        case .anyText, .integer, .uuid: 0
        case .words(let words): Self.state(0, words.count, depth: 0)
        case .pattern: Int(BoundedPattern.start)
        }
    }

    /// The state after one more character; `nil` if no value continues like this.
    func next(_ state: Int, _ scalar: UInt32) -> Int? {
        switch self {
        case .anyText: return 1
        case .integer:
            if scalar == 0x2D { return state == 0 ? 1 : nil }
            return (0x30...0x39).contains(scalar) ? 2 : nil
        case .uuid:
            guard state < 36, scalar < 0x80 else { return nil }
            let byte = UInt8(scalar)
            let isFitting =
                [8, 13, 18, 23].contains(state) ? byte == UInt8(ascii: "-") : ASCII.hexadecimal(byte) != nil
            return isFitting ? state + 1 : nil
        case .words(let words):
            // Words with the same beginning are neighbours.
            var (low, high, depth) = (state >> 40, state >> 16 & 0xFF_FFFF, state & 0xFFFF)
            while low < high, words[low].count <= depth || words[low][depth] < scalar { low += 1 }
            while low < high, words[high - 1].count <= depth || words[high - 1][depth] > scalar { high -= 1 }
            depth += 1
            return low < high ? Self.state(low, high, depth: depth) : nil
        case .pattern(let pattern):
            let next = pattern.next(UInt16(truncatingIfNeeded: state), scalar)
            return next == 0 ? nil : Int(next)
        }
    }

    func accepts(_ state: Int) -> Bool {
        switch self {
        case .anyText: state == 1
        case .integer: state == 2
        case .uuid: state == 36
        case .words(let words): words[state >> 40].count == state & 0xFFFF
        case .pattern(let pattern): pattern.accepts(UInt16(truncatingIfNeeded: state))
        }
    }

    /// A range of words and the number of characters read, in one number. A type has at most 4,096 words.
    private static func state(_ low: Int, _ high: Int, depth: Int) -> Int { low << 40 | high << 16 | depth }
}
