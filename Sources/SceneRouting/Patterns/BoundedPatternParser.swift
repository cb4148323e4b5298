/// The syntax tree of a pattern.
indirect enum PatternExpression: Hashable, Sendable {
    case empty
    /// One scalar within these ranges, sorted and disjoint.
    case set([ClosedRange<UInt32>])
    case sequence([PatternExpression])
    case alternatives([PatternExpression])
    case repeated(PatternExpression, minimum: Int, maximum: Int?)
}

/// Parses the syntax of ``BoundedPattern``, with bounded recursion.
struct BoundedPatternParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    private static let maximumLength = 512
    private static let maximumDepth = 32
    private static let maximumCount = 1024
    private static let highest: UInt32 = 0x10FFFF

    init(_ source: String) throws(BoundedPatternError) {
        scalars = Array(source.normalizedNFC.unicodeScalars)
        guard scalars.count <= Self.maximumLength else {
            let reason = "the pattern has \(scalars.count) characters; at most \(Self.maximumLength) are allowed"
            throw BoundedPatternError(reason: reason, position: nil)
        }
    }

    mutating func parse() throws(BoundedPatternError) -> PatternExpression {
        let expression = try parseAlternatives()
        guard position == scalars.count else { throw failure("')' without '('") }
        return expression
    }

    private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    private func failure(_ reason: String) -> BoundedPatternError {
        BoundedPatternError(reason: reason, position: position + 1)
    }

    private mutating func parseAlternatives() throws(BoundedPatternError) -> PatternExpression {
        var alternatives = [try parseSequence()]
        while take("|") { alternatives.append(try parseSequence()) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func parseSequence() throws(BoundedPatternError) -> PatternExpression {
        var parts: [PatternExpression] = []
        while let scalar = peek, scalar != "|", scalar != ")" {
            var part = try parseAtom(scalar)
            while let (minimum, maximum) = try parseQuantifier() {
                part = .repeated(part, minimum: minimum, maximum: maximum)
            }
            parts.append(part)
        }
        return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func parseAtom(_ scalar: Unicode.Scalar) throws(BoundedPatternError) -> PatternExpression {
        switch scalar {
        case "(":
            position += 1
            if take("?") {
                guard take(":") else { throw failure("only '(?:' is allowed after '('; there is no look-around") }
            }
            depth += 1
            guard depth <= Self.maximumDepth else { throw failure("groups nest more than \(Self.maximumDepth) deep") }
            let inner = try parseAlternatives()
            guard take(")") else { throw failure("')' is missing") }
            depth -= 1
            return inner
        case "[": return .set(try parseClass())
        case ".":
            position += 1
            return .set([0...Self.highest])
        case "\\":
            position += 1
            return .set(try parseEscape())
        case "*", "+", "?": throw failure("'\(scalar)' has nothing to repeat")
        case "{": throw failure("'{' has nothing to repeat; write \\{ for the character")
        case "^", "$":
            throw failure("a pattern matches the whole value, without '\(scalar)'; write \\\(scalar) for the character")
        default:
            position += 1
            return .set([scalar.value...scalar.value])
        }
    }

    private mutating func parseQuantifier() throws(BoundedPatternError) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard take("{") else { return nil }
        let minimum = try parseCount()
        var maximum: Int? = minimum
        if take(",") { maximum = peek == "}" ? nil : try parseCount() }
        guard take("}") else { throw failure("'}' is missing") }
        if let maximum, maximum < minimum { throw failure("the highest count is below the lowest") }
        return (minimum, maximum)
    }

    private mutating func parseCount() throws(BoundedPatternError) -> Int {
        var count = 0
        var hasDigits = false
        while let scalar = peek, (0x30...0x39).contains(scalar.value) {
            hasDigits = true
            count = count * 10 + Int(scalar.value - 0x30)
            guard count <= Self.maximumCount else { throw failure("a count is at most \(Self.maximumCount)") }
            position += 1
        }
        guard hasDigits else { throw failure("a count is missing") }
        return count
    }

    private mutating func parseEscape() throws(BoundedPatternError) -> [ClosedRange<UInt32>] {
        guard let scalar = peek else { throw failure("nothing follows '\\'") }
        position += 1
        switch scalar {
        case "d": return [0x30...0x39]
        case "w": return [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
        case "s": return [0x09...0x0D, 0x20...0x20]
        case "D": return Self.complement([0x30...0x39])
        case "W": return Self.complement([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
        case "S": return Self.complement([0x09...0x0D, 0x20...0x20])
        case "n": return [0x0A...0x0A]
        case "t": return [0x09...0x09]
        case "a"..."z", "A"..."Z", "0"..."9":
            position -= 1
            throw failure("'\\\(scalar)' is not known; there are \\d \\w \\s \\D \\W \\S \\n \\t")
        default: return [scalar.value...scalar.value]
        }
    }

    private mutating func parseClass() throws(BoundedPatternError) -> [ClosedRange<UInt32>] {
        position += 1
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while let scalar = peek, scalar != "]" {
            position += 1
            if scalar == "\\" {
                ranges += try parseEscape()
                continue
            }
            guard peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
                ranges.append(scalar.value...scalar.value)
                continue
            }
            position += 1
            var end = scalars[position]
            position += 1
            if end == "\\" {
                let escaped = try parseEscape()
                guard escaped.count == 1, escaped[0].count == 1, let single = Unicode.Scalar(escaped[0].lowerBound)
                else { throw failure("a range must end with one character") }
                end = single
            }
            guard end >= scalar else { throw failure("the range ends before it begins") }
            ranges.append(scalar.value...end.value)
        }
        guard take("]") else { throw failure("']' is missing") }
        guard !ranges.isEmpty else { throw failure("the class is empty") }
        let merged = Self.merge(ranges)
        let result = isNegated ? Self.complement(merged) : merged
        guard !result.isEmpty else { throw failure("the class is empty") }
        return result
    }

    private static func merge(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    private static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { result.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= highest { result.append(next...highest) }
        return result
    }
}

/// What is wrong with a pattern, and at which character.
package struct BoundedPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String
    /// The character's position in the pattern, from 1; `nil` if the pattern as a whole is wrong.
    package let position: Int?

    package var description: String {
        position.map { "at character \($0): \(reason)" } ?? reason
    }
}
