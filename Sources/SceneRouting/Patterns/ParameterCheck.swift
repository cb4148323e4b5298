internal import Basics

/// A parameter's type, compiled: decides which texts are its values, and gives each value its canonical text.
indirect enum ParameterCheck: Hashable, Sendable {
    case string
    case integer(minimum: Int?, maximum: Int?)
    case uuid
    case date
    case oneOf([String])
    case pattern(BoundedPattern)
    case list(ParameterCheck)

    static let maximumLength = 1024

    init(_ type: ParameterType, patterns: inout PatternCache) throws(BoundedPatternError) {
        switch type {
        case .string: self = .string
        case .integer(let minimum, let maximum): self = .integer(minimum: minimum, maximum: maximum)
        case .uuid: self = .uuid
        case .date: self = .date
        // Values come in this form.
        case .oneOf(let words): self = .oneOf(words.map(\.normalizedNFC))
        case .pattern(let source): self = .pattern(try patterns.pattern(source))
        case .list(of: let element): self = .list(try ParameterCheck(element, patterns: &patterns))
        }
    }

    /// The canonical text of a value; `nil` if the text is not a value of this type.
    func canonical(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= Self.maximumLength else { return nil }
        switch self {
        case .string: return text
        case .integer(let minimum, let maximum):
            guard let value = Self.integer(text), value >= minimum ?? .min, value <= maximum ?? .max else { return nil }
            return String(value)
        case .uuid: return Self.uuid(text)
        case .date: return Instant.canonical(text)
        case .oneOf(let words): return words.contains(where: text.hasSameBytes) ? text : nil
        case .pattern(let pattern): return pattern.matches(text) ? text : nil
        case .list(let element):
            var values: [String] = []
            for encoded in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let decoded = PercentEncoding.decode(encoded.utf8),
                    let value = String(validating: decoded, as: UTF8.self), value.excessMark == nil,
                    let canonical = element.canonical(value.normalizedNFC)
                else { return nil }
                values.append(canonical)
            }
            return Self.list(values)
        }
    }

    /// The canonical text of a list: its elements with `%` and `,` escaped, between commas.
    static func list(_ values: [String]) -> String {
        values.map { value in
            var escaped = ""
            for character in value.unicodeScalars {
                switch character {
                case "%": escaped += "%25"
                case ",": escaped += "%2C"
                default: escaped.unicodeScalars.append(character)
                }
            }
            return escaped
        }.joined(separator: ",")
    }

    /// The elements of a list's canonical text.
    static func elements(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { encoded in
            PercentEncoding.decode(encoded.utf8).map { String(decoding: $0, as: UTF8.self) } ?? String(encoded)
        }
    }

    /// What a value must be, as a phrase: `one of 'profile', 'privacy'`.
    var expectation: String {
        switch self {
        case .string: "a text of 1 to \(Self.maximumLength) bytes"
        case .integer(let minimum?, let maximum?): "an integer from \(minimum) to \(maximum)"
        case .integer(let minimum?, nil): "an integer of at least \(minimum)"
        case .integer(nil, let maximum?): "an integer of at most \(maximum)"
        case .integer(nil, nil): "an integer"
        case .uuid: "a UUID such as 8f14e45f-ceea-467f-a0e6-3f3c5b7a1c2d"
        case .date: Instant.expectation
        case .oneOf(let words): "one of \(words.map { "'\($0)'" }.joined(separator: ", "))"
        case .pattern(let pattern): "text that matches \(pattern.source)"
        case .list(let element): "one or more values, each \(element.expectation)"
        }
    }

    /// Why a value is refused, as a clause.
    /// - Parameter value: `nil` for a secret.
    func objection(to value: String?) -> String {
        "\(value.map { "'\($0.echoed)'" } ?? "what was given, which is secret,") is not \(expectation)"
    }

    /// The place in the order of specificity; the lowest rank is the most specific.
    var rank: Int {
        switch self {
        case .oneOf: 0
        case .uuid: 1
        case .date: 2
        case .integer: 3
        case .pattern: 4
        case .list: 5
        case .string: 6
        }
    }

    private static func integer(_ text: String) -> Int? {
        var digits = text.utf8[...]
        if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(text)
    }

    private static func uuid(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        for (index, byte) in bytes.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard ASCII.hexadecimal(byte) != nil else { return nil }
            }
        }
        return text.lowercased()
    }
}

extension ParameterCheck {
    /// Whether the bytes are a value of this type. It agrees with ``canonical(_:)`` but mostly copies nothing.
    func accepts(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty, range.count <= Self.maximumLength else { return false }
        switch self {
        case .string: return true
        case .pattern(let pattern):
            if let result = pattern.matches(ascii: bytes, range) { return result }
            return pattern.matches(bytes.text(range))
        case .integer, .uuid, .date, .oneOf, .list: return canonical(bytes.text(range)) != nil
        }
    }

    /// Whether every value of this type is its own canonical text.
    var isCanonicalAsWritten: Bool {
        switch self {
        case .string, .pattern, .oneOf: true
        case .integer, .uuid, .date, .list: false
        }
    }
}

extension ParameterCheck {
    /// Whether the text of some value of a fact of this type is a value of this one.
    func canBe(_ type: FactDeclaration.FactType) -> Bool {
        switch (self, type) {
        case (_, .string), (.list, .strings): true
        // The values of a list, written one after the other, are no single value.
        case (_, .strings): false
        case (.list(let element), _): element.canBe(type)
        case (_, .boolean): canonical("true") != nil || canonical("false") != nil
        // A fact of type number may have an integer.
        case (.oneOf(let words), .integer): words.contains { Int($0) != nil }
        case (.oneOf(let words), .number): words.contains { Double($0) != nil }
        case (.oneOf(let words), .date): words.contains { Instant.canonical($0) == $0 }
        case (.integer, .date), (.uuid, _): false
        case (.date, _): type == .date
        case (.string, _), (.integer, _), (.pattern, _): true
        }
    }

    /// Whether no text is a value of this type.
    var takesNothing: Bool {
        switch self {
        case .pattern(let pattern): !pattern.sharesText(with: pattern, minimumLength: 1)
        case .oneOf(let words): words.isEmpty
        case .integer(let minimum?, let maximum?): minimum > maximum
        case .list(let element): element.takesNothing
        case .string, .uuid, .date, .integer: false
        }
    }

    /// Whether some text is a value of both types, which must have the same rank.
    func sharesValues(with other: ParameterCheck) -> Bool {
        switch (self, other) {
        case (.oneOf(let one), .oneOf(let other)): !Set(one.map(ByteKey.init)).isDisjoint(with: other.map(ByteKey.init))
        case (.pattern(let one), .pattern(let other)): one.sharesText(with: other, minimumLength: 1)
        case (.integer(let low, let high), .integer(let otherLow, let otherHigh)):
            max(low ?? .min, otherLow ?? .min) <= min(high ?? .max, otherHigh ?? .max)
        default: true
        }
    }
}
