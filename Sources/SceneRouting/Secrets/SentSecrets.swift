internal import Basics

/// The values of secrets that somebody has sent, with what stands for each.
package struct SentSecrets: Hashable, Sendable {
    /// By the bytes of the values: texts may be equal and have different ones.
    fileprivate private(set) var placeholders: [[UInt8]: String] = [:]

    package init() {}

    /// Whether there are none.
    package var isEmpty: Bool { placeholders.isEmpty }

    /// Adds a value.
    package mutating func add(_ value: String, _ placeholder: String) {
        guard !value.isEmpty, value != placeholder else { return }
        for form in [value, value.composed] { placeholders[Array(form.utf8)] = placeholder }
    }

    /// What stands for them, in no order.
    package var allPlaceholders: some Collection<String> { placeholders.values }

    /// What stands for a text that is a value as a whole; `nil` if it is none.
    package func placeholder(for text: String) -> String? { placeholders[Array(text.utf8)] }

    /// Those for which one of these placeholders stands.
    package func filter(_ isIncluded: (String) -> Bool) -> SentSecrets {
        var secrets = self
        secrets.placeholders = placeholders.filter { isIncluded($0.value) }
        return secrets
    }

    /// Adds others.
    package mutating func add(_ others: SentSecrets) { placeholders.merge(others.placeholders) { $1 } }

    /// A text with placeholders for the values; see ``Concealment/concealed(_:)``.
    package func concealed(_ text: String) -> String { isEmpty ? text : Concealment(self).concealed(text) }
}

/// Finds the values of secrets in texts. Made once for many texts, each takes time in proportion to its length.
package struct Concealment: Sendable {
    /// Values of fewer bytes stand in many words by chance, so they are looked for only where they stand by themselves.
    package static let shortest = 4

    private typealias Found = (place: Range<Int>, placeholder: String)

    private let values: [[UInt8]: String]
    private let hasShort: Bool
    private let long: ValueAutomaton

    package init(_ secrets: SentSecrets) {
        values = secrets.placeholders
        hasShort = values.keys.contains { $0.count < Self.shortest }
        long = ValueAutomaton(values.filter { $0.key.count >= Self.shortest })
    }

    /// A text with placeholders for the values, however often they are percent-encoded in it, composed or decomposed.
    ///
    /// A part of a URL that is a value, or a text that is one, is that value whatever else could be found there. Of other values that
    /// overlap each has a placeholder, and of those at one place the longest.
    package func concealed(_ text: String) -> String {
        if values.isEmpty { return text }
        let raw = Reading(text)
        let wholes = wholes(in: raw)
        var parts = wholes
        var next = wholes[...]
        func add(_ place: Range<Int>, _ placeholder: String) {
            // What separates the parts of a URL is nobody's secret.
            if !raw.bytes[place].allSatisfy("/?#&=".utf8.contains) { parts.append((place, placeholder)) }
        }
        for (place, placeholder) in inOrder(inside(raw)) {
            var rest = place
            while let whole = next.first, whole.place.lowerBound < rest.upperBound {
                if whole.place.lowerBound > rest.lowerBound {
                    add(rest.lowerBound..<whole.place.lowerBound, placeholder)
                }
                rest = min(max(rest.lowerBound, whole.place.upperBound), rest.upperBound)..<rest.upperBound
                if whole.place.upperBound > place.upperBound { break }
                next = next.dropFirst()
            }
            add(rest, placeholder)
        }
        if parts.isEmpty { return text }
        var result: [UInt8] = []
        var end = 0
        for (place, placeholder) in parts.sorted(by: { $0.place.lowerBound < $1.place.lowerBound }) {
            result += raw.bytes[end..<place.lowerBound]
            result += placeholder.utf8
            end = place.upperBound
        }
        return String(decoding: result + raw.bytes[end...], as: UTF8.self)
    }

    /// The values that are the whole text or a part of a URL, in order.
    private func wholes(in raw: Reading) -> [Found] {
        func value(_ place: Range<Int>) -> String? {
            let bytes = Array(raw.bytes[place])
            let text = PercentEncoding.decode(bytes).flatMap { String(validating: $0, as: UTF8.self) }?.composed
            return text.flatMap { values[Array($0.utf8)] } ?? values[bytes]
        }
        if let whole = values[raw.bytes] ?? value(raw.bytes.indices) { return [(raw.bytes.indices, whole)] }
        return raw.urlParts.compactMap { part in value(part).map { (part, $0) } }
    }

    /// The values that stand anywhere, in no order.
    private func inside(_ raw: Reading) -> [Found] {
        var found: [Found] = []
        for reading in raw.all {
            long.find(in: reading.bytes) { found.append((raw.wholeEscapes(reading.source(of: $0)), $1)) }
        }
        guard hasShort else { return found }
        var word = 0
        for index in 0...raw.bytes.count {
            if index < raw.bytes.count, Self.isOfWord(raw.bytes[index]) { continue }
            let isEscape = word > 0 && raw.bytes[word - 1] == UInt8(ascii: "%")
            if !isEscape, index - word < Self.shortest, let placeholder = values[Array(raw.bytes[word..<index])] {
                found.append((word..<index, placeholder))
            }
            word = index + 1
        }
        return found
    }

    private static func isOfWord(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80 }

    /// The same in order, and none of them in the place of another.
    private func inOrder(_ found: [Found]) -> [Found] {
        let ordered = found.sorted { one, other in
            let (first, second) = (one.place, other.place)
            return (first.lowerBound, -first.upperBound) < (second.lowerBound, -second.upperBound)
        }
        var result: [Found] = []
        var end = 0
        for (place, placeholder) in ordered where place.upperBound > end {
            result.append((max(place.lowerBound, end)..<place.upperBound, placeholder))
            end = place.upperBound
        }
        return result
    }
}

extension String {
    /// The text in Unicode Normal Form C; as it is with more marks in a row than any value has, because their order costs more than
    /// their number.
    fileprivate var composed: String { excessMark == nil ? normalizedNFC : self }
}

/// A text as one of those who get it may read it, with where in the text each byte comes from.
private struct Reading {
    private(set) var bytes: [UInt8] = []
    /// The place of each byte in the text; `nil` if they are the text's.
    private var places: [Range<Int>]?

    /// The text as it stands.
    init(_ text: String) { bytes = Array(text.utf8) }

    private init() { places = [] }

    /// How often what is percent-encoded may be so again, as a URL in a URL in a URL is.
    private static let mostDecodings = 3

    /// The text as it stands, then each time decoded once more, and each of these composed.
    var all: [Reading] {
        var readings: [Reading] = []
        var next: Reading? = self
        for _ in 0...Self.mostDecodings {
            guard let reading = next else { break }
            readings.append(reading)
            readings += reading.composed
            next = reading.decoded
        }
        return readings
    }

    private func place(_ index: Int) -> Range<Int> { places?[index] ?? index..<index + 1 }

    /// Where in the text a range of the bytes, which is not empty, comes from.
    func source(of range: Range<Int>) -> Range<Int> {
        place(range.lowerBound).lowerBound..<place(range.upperBound - 1).upperBound
    }

    private mutating func append(_ byte: UInt8, from place: Range<Int>) {
        bytes.append(byte)
        places?.append(place)
    }

    private func isEscape(at index: Int) -> Bool {
        index >= 0 && index + 2 < bytes.count && bytes[index] == UInt8(ascii: "%")
            && ASCII.hexadecimal(bytes[index + 1]) != nil && ASCII.hexadecimal(bytes[index + 2]) != nil
    }

    /// With every escape decoded; what only looks like one stays. `nil` if there is none.
    private var decoded: Reading? {
        guard bytes.indices.contains(where: isEscape) else { return nil }
        var reading = Reading()
        var index = 0
        while index < bytes.count {
            if isEscape(at: index), let high = ASCII.hexadecimal(bytes[index + 1]),
                let low = ASCII.hexadecimal(bytes[index + 2])
            {
                reading.append(high << 4 | low, from: source(of: index..<index + 3))
                index += 3
            } else {
                reading.append(bytes[index], from: place(index))
                index += 1
            }
        }
        return reading
    }

    /// In Unicode Normal Form C: as a whole, and with what follows an equals sign by itself, as a query has it; nothing if it is ASCII.
    private var composed: [Reading] {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return [] }
        // U+0338, the only mark with which something that separates parts of a URL has another form.
        let hasStroke = zip(bytes, bytes.dropFirst()).contains { $0 == 0xCC && $1 == 0xB8 }
        return hasStroke ? [composed(dividing: false), composed(dividing: true)] : [composed(dividing: false)]
    }

    private func composed(dividing: Bool) -> Reading {
        var reading = Reading()
        var offset = 0
        for character in String(decoding: validBytes, as: UTF8.self) {
            var scalars = Substring(String(character)).unicodeScalars
            if dividing, scalars.first == "=" {
                reading.append(UInt8(ascii: "="), from: place(offset))
                offset += 1
                scalars = scalars.dropFirst()
            }
            let text = String(scalars)
            let count = text.utf8.count
            guard count > 0 else { continue }
            let form = text.composed
            if form.utf8.elementsEqual(text.utf8) {
                for (index, byte) in text.utf8.enumerated() { reading.append(byte, from: place(offset + index)) }
            } else {
                let place = source(of: offset..<offset + count)
                for byte in form.utf8 { reading.append(byte, from: place) }
            }
            offset += count
        }
        return reading
    }

    /// The bytes with NUL, which no secret has, for those that are no UTF-8.
    private var validBytes: [UInt8] {
        var valid = bytes
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .error(let length):
                for index in offset..<offset + length { valid[index] = 0 }
                offset += length
            case .emptyInput: return valid
            }
        }
    }

    /// The range with the whole of an escape that it begins or ends within.
    func wholeEscapes(_ range: Range<Int>) -> Range<Int> {
        let lower = (1...2).map { range.lowerBound - $0 }.first(where: isEscape) ?? range.lowerBound
        let upper = (1...2).map { range.upperBound - $0 }.first(where: isEscape).map { $0 + 3 } ?? range.upperBound
        return lower..<upper
    }

    /// The segments, the names and values of query items and the fragment of a URL, in order; not its scheme.
    var urlParts: [Range<Int>] {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), RoutingURL.isScheme(bytes[..<colon]) else {
            return []
        }
        func index(of byte: Character, _ range: Range<Int>) -> Int? {
            byte.asciiValue.flatMap { bytes[range].firstIndex(of: $0) }
        }
        func pieces(_ range: Range<Int>, _ separator: Character) -> [Range<Int>] {
            bytes[range].split { $0 == separator.asciiValue }.map(\.indices)
        }
        let hash = index(of: "#", colon + 1..<bytes.count)
        let rest = colon + 1..<(hash ?? bytes.count)
        let path = index(of: "?", rest) ?? rest.upperBound
        var parts = pieces(rest.lowerBound..<path, "/")
        for item in pieces(min(path + 1, rest.upperBound)..<rest.upperBound, "&") {
            let equals = index(of: "=", item) ?? item.upperBound
            parts += [item.lowerBound..<equals, min(equals + 1, item.upperBound)..<item.upperBound]
        }
        return hash.map { parts + [$0 + 1..<bytes.count] } ?? parts
    }
}

/// Finds all of many values in one pass over a text (Aho and Corasick, 1975).
private struct ValueAutomaton: Sendable {
    private struct State {
        /// That of the longest end of what has been read with which another value begins.
        var fallback = 0
        /// The longest value that ends here, by its length; `nil` if none does.
        var value: (length: Int, placeholder: String)?
    }

    private var states = [State()]
    /// By the state and the byte.
    private var next: [Int: Int] = [:]

    init(_ values: [[UInt8]: String]) {
        /// States with the one before them and the byte between, the shorter ones first.
        var entered: [(depth: Int, state: Int, before: Int, byte: UInt8)] = []
        for (value, placeholder) in values {
            var state = 0
            for (depth, byte) in value.enumerated() {
                if let known = next[Self.key(state, byte)] {
                    state = known
                } else {
                    next[Self.key(state, byte)] = states.count
                    entered.append((depth, states.count, state, byte))
                    state = states.count
                    states.append(State())
                }
            }
            states[state].value = (value.count, placeholder)
        }
        for (depth, state, before, byte) in entered.sorted(by: { $0.depth < $1.depth }) where depth > 0 {
            let fallback = step(states[before].fallback, byte)
            states[state].fallback = fallback
            if states[state].value == nil { states[state].value = states[fallback].value }
        }
    }

    private static func key(_ state: Int, _ byte: UInt8) -> Int { state << 8 | Int(byte) }

    private func step(_ state: Int, _ byte: UInt8) -> Int {
        var state = state
        while true {
            if let next = next[Self.key(state, byte)] { return next }
            if state == 0 { return 0 }
            state = states[state].fallback
        }
    }

    /// Reports the longest value at each place where one ends, in order.
    func find(in bytes: [UInt8], _ found: (Range<Int>, String) -> Void) {
        if next.isEmpty { return }
        var state = 0
        for (index, byte) in bytes.enumerated() {
            state = step(state, byte)
            if let (length, placeholder) = states[state].value { found(index + 1 - length..<index + 1, placeholder) }
        }
    }
}
