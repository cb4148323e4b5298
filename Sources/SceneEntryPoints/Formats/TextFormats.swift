/// Texts that have to have a form of their own.
enum TextFormats {
    /// Whether the text is a time of RFC 3339 in UTC, `2026-05-01T12:00:00Z`, with or without a fraction.
    static func isUTCDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 30, bytes.last == UInt8(ascii: "Z") else { return false }
        for (index, form) in "dddd-dd-ddTdd:dd:dd".utf8.enumerated() {
            guard form == UInt8(ascii: "d") ? isDigit(bytes[index]) : bytes[index] == form else { return false }
        }
        if bytes.count > 20 {
            guard bytes[19] == UInt8(ascii: "."), bytes.count > 21, bytes[20..<bytes.count - 1].allSatisfy(isDigit)
            else { return false }
        }
        func field(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1) - 48 } }
        let (year, month, day) = (field(0..<4), field(5..<7), field(8..<10))
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...lengths[month - 1]).contains(day) else { return false }
        return field(11..<13) < 24 && field(14..<16) < 60 && field(17..<19) < 60
    }

    /// Whether the text is base64 of RFC 4648, section 4, with padding and without line breaks.
    static func isBase64(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count % 4 == 0 else { return false }
        let padding = bytes.suffix(2).filter { $0 == UInt8(ascii: "=") }.count
        guard bytes.dropLast(padding).allSatisfy(isBase64Digit) else { return false }
        return padding != 1 || bytes.last == UInt8(ascii: "=")
    }

    /// Whether the text is a UUID as RFC 9562 writes it: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(isHexDigit)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isBase64Digit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"),
            UInt8(ascii: "/"):
            true
        default: isDigit(byte)
        }
    }
}
