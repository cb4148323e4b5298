internal import SceneRouting
internal import StrictJSON

/// Checks of texts that must have a certain form.
enum TextFormats {
    /// Throws an error if the parameter `name` of a call is an empty text; an absent one is allowed.
    static func requireText(_ value: String?, _ name: String) throws(JSONFieldError) {
        guard value?.isEmpty == true else { return }
        throw JSONFieldError(path: JSONPath(.member(name)), expected: "non-empty string", found: "empty string")
    }

    /// Whether the text is a time of RFC 3339 in UTC, `2026-05-01T12:00:00Z`, with at most 9 digits of a fraction.
    static func isUTCDate(_ text: String) -> Bool {
        let (seconds, rest) = (text.utf8.prefix(19), text.utf8.dropFirst(19))
        guard rest.last == UInt8(ascii: "Z"), Instant.seconds(String(decoding: seconds, as: UTF8.self) + "Z") != nil
        else { return false }
        let fraction = rest.dropLast()
        guard let point = fraction.first else { return true }
        return point == UInt8(ascii: ".") && (2...10).contains(fraction.count)
            && fraction.dropFirst().allSatisfy(ASCII.isDigit)
    }

    /// Whether the text is base64 of RFC 4648, section 4, with padding and without line breaks.
    static func isBase64(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count % 4 == 0 else { return false }
        let padding = bytes.suffix(2).filter { $0 == UInt8(ascii: "=") }.count
        let digits = bytes.dropLast(padding)
        guard
            digits.allSatisfy({
                ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
            })
        else { return false }
        return padding != 1 || bytes.last == UInt8(ascii: "=")
    }

    /// Whether the text is a UUID of RFC 9562: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy { ASCII.hexadecimal($0) != nil }
    }
}
