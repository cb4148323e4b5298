internal import Basics

/// Who gets in: whoever has an address with a token that nobody has used. For it there is a key, which the page keeps for itself; the
/// browser sends it nowhere by itself, as it would a cookie, and gives it to no page of another origin.
struct Door: Sendable {
    private struct Locks {
        var token: String
        var keys: [String] = []
    }

    private let locks = Guarded(Locks(token: Door.secret()))

    /// The token that is to be used next.
    var token: String { locks.withLock(\.token) }

    /// Takes a token: its key, or `nil` if it is wrong or was used. Another token is good then.
    func key(for token: String) -> String? {
        locks.withLock { locks in
            guard Self.areEqual(token, locks.token) else { return nil }
            locks.token = Self.secret()
            let key = Self.secret()
            locks.keys.append(key)
            return key
        }
    }

    /// Whether a page has this key.
    func opens(_ key: String) -> Bool {
        locks.withLock { locks in
            // All are compared, so that time tells nothing.
            locks.keys.reduce(false) { Self.areEqual($1, key) || $0 }
        }
    }

    /// 128 bits that nobody can guess, as hexadecimal digits.
    private static func secret() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }

    /// Compares by bytes, in a time that does not depend on where they differ.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
