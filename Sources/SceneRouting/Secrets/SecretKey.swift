internal import Basics

/// The key by which a host makes the placeholders of secrets (<doc:/SceneRuntime/Secrets>).
///
/// Equal values have equal placeholders under one key. Without the key a placeholder tells nothing of its value but whether two are
/// equal, not even by trying all values. It is what SipHash-2-4 was made for: a function that nobody without the key can compute.
public struct SecretKey: Sendable {
    private let first: UInt64
    private let second: UInt64
    /// What its placeholders stand for; `nil` if it forgets that.
    private var memory: SecretMemory?

    /// A key of these two halves.
    public init(_ first: UInt64, _ second: UInt64) {
        self.first = first
        self.second = second
    }

    /// Its halves, for who keeps the key: everything that makes it the key it is.
    package var halves: (UInt64, UInt64) { (first, second) }

    /// Draws a key.
    public init(using generator: inout some RandomNumberGenerator) {
        self.init(generator.next(), generator.next())
    }

    /// The key of hosts whose histories are compared with each other, such as a scenario's runs. Everybody knows it, so it hides no
    /// value that can be guessed.
    public static let shared = SecretKey(0x7363_656E_6564_2E73, 0x6861_7265_6420_6B79)

    /// The same key, which remembers what its placeholders stand for, the newest ``SecretMemory/limit`` of them: for an app whose
    /// screens need the values.
    package var remembering: SecretKey {
        var key = self
        key.memory = memory ?? SecretMemory()
        return key
    }

    /// The value for which a text stands that this key has made and remembers; any other text itself.
    package func revealed(_ text: String) -> String { memory?.value(of: text) ?? text }

    /// What stands for a value wherever it would be seen: `secret:` and 24 hexadecimal digits. An empty value stands for itself.
    package func placeholder(for value: String) -> String {
        let placeholder = passingPlaceholder(for: value)
        memory?.add(value, placeholder)
        return placeholder
    }

    /// The same for a text that only recordings may have: what it stands for is not remembered.
    package func passingPlaceholder(for value: String) -> String {
        if value.isEmpty { return value }
        let tag = hash(value.utf8)
        return SecretPlaceholder.prefix + Self.digits(tag) + String(Self.digits(proof(of: tag)).prefix(8))
    }

    /// Whether a text is a placeholder that this key has made, so that it stands for a value already.
    package func hasMade(_ text: String) -> Bool {
        guard SecretPlaceholder.isOne(text) else { return false }
        let digits = text.utf8.dropFirst(SecretPlaceholder.prefix.utf8.count)
        guard let tag = UInt64(String(decoding: digits.prefix(16), as: UTF8.self), radix: 16) else { return false }
        return Self.digits(proof(of: tag)).utf8.prefix(8).elementsEqual(digits.suffix(8))
    }

    /// Tells a placeholder from a text that only looks like one.
    private func proof(of tag: UInt64) -> UInt64 {
        SecretKey(~first, ~second).hash((0..<8).map { UInt8(truncatingIfNeeded: tag >> ($0 * 8)) })
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    /// SipHash-2-4 (Aumasson and Bernstein, 2012).
    func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var state = SipState(first, second)
        var word: UInt64 = 0
        var count: UInt64 = 0
        for byte in bytes {
            word |= UInt64(byte) << (count % 8 * 8)
            count &+= 1
            if count % 8 == 0 {
                state.take(word)
                word = 0
            }
        }
        state.take(word | count << 56)
        return state.finished()
    }
}

extension SecretKey: Hashable {
    /// Whether both make the same placeholders.
    public static func == (one: SecretKey, other: SecretKey) -> Bool {
        (one.first, one.second) == (other.first, other.second)
    }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(first)
        hasher.combine(second)
    }
}

extension SecretKey: CustomStringConvertible {
    /// Says that it is a key and not which.
    public var description: String { "a key" }
}

private struct SipState {
    private var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

    init(_ first: UInt64, _ second: UInt64) {
        a = first ^ 0x736F_6D65_7073_6575
        b = second ^ 0x646F_7261_6E64_6F6D
        c = first ^ 0x6C79_6765_6E65_7261
        d = second ^ 0x7465_6462_7974_6573
    }

    mutating func take(_ word: UInt64) {
        d ^= word
        round()
        round()
        a ^= word
    }

    mutating func finished() -> UInt64 {
        c ^= 0xFF
        for _ in 0..<4 { round() }
        return a ^ b ^ c ^ d
    }

    private mutating func round() {
        func turned(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
        a &+= b
        b = turned(b, 13) ^ a
        a = turned(a, 32)
        c &+= d
        d = turned(d, 16) ^ c
        a &+= d
        d = turned(d, 21) ^ a
        c &+= b
        b = turned(b, 17) ^ c
        c = turned(c, 32)
    }
}

/// What stands in place of a secret's value.
package enum SecretPlaceholder {
    /// What each begins with.
    package static let prefix = "secret:"
    private static let digits = 24

    /// Whether a text has the form of one, whoever made it.
    package static func isOne(_ text: some StringProtocol) -> Bool {
        text.utf8.count == prefix.utf8.count + digits && text.utf8.starts(with: prefix.utf8)
            && text.utf8.dropFirst(prefix.utf8.count).allSatisfy {
                ASCII.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// Those in a text, in order and as often as they stand there.
    package static func all(in text: String) -> [Substring] {
        var found: [Substring] = []
        var rest = text.utf8[...]
        // Byte by byte: what stands before or after it may be one character with its first or last.
        while let start = rest.firstIndex(of: UInt8(ascii: "s")) {
            let end = rest.index(start, offsetBy: prefix.utf8.count + digits, limitedBy: rest.endIndex)
            if let end, isOne(Substring(rest[start..<end])) {
                found.append(Substring(rest[start..<end]))
                rest = rest[end...]
            } else {
                rest = rest[rest.index(after: start)...]
            }
        }
        return found
    }
}
