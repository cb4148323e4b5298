/// The three kinds of names in the grammar of interface files.
enum VarlinkName {
    /// `[A-Za-z]([-]*[A-Za-z0-9])*(\.[A-Za-z0-9]([-]*[A-Za-z0-9])*)+`
    static func isInterface(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 2, let first = name.utf8.first, isLetter(first) else { return false }
        return parts.allSatisfy { part in
            guard let first = part.first, let last = part.last else { return false }
            return isLetterOrDigit(first) && isLetterOrDigit(last)
                && part.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        }
    }

    /// `[A-Z][A-Za-z0-9]*`, the names of types, methods and errors.
    static func isMember(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first), first & 0x20 == 0 else { return false }
        return name.utf8.allSatisfy(isLetterOrDigit)
    }

    /// `[A-Za-z](_?[A-Za-z0-9])*`
    static func isField(_ name: String) -> Bool {
        guard let first = name.utf8.first, isLetter(first) else { return false }
        let parts = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isLetterOrDigit) }
    }

    /// The greatest length of an interface's name, and of a method's full name, in bytes.
    static let longest = 255

    /// What is wrong with the name of a method or an interface that a client asks for; `nil` if there can be one.
    @Sendable
    static func problem(_ name: String, _ field: String, _ isKey: Bool) -> String? {
        name.utf8.count <= longest ? nil : "has \(name.utf8.count) bytes; expected at most \(longest)"
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
