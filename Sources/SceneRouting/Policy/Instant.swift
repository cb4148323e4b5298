/// Reads and writes points in time in UTC, as RFC 3339 writes them.
package enum Instant {
    /// What ``seconds(_:)`` reads, for messages.
    package static let expectation = "a date in UTC, such as 2026-11-27 or 2026-11-27T08:00:00Z"

    /// The seconds since 1970 of a time such as `2026-11-27T08:00:00Z` or `2026-11-27T08:00Z`, or of the beginning of a date; `nil`
    /// for other text.
    package static func seconds(_ text: String) -> Double? {
        var bytes = Array(text.utf8)
        // Without seconds it is the beginning of the minute, as ISO 8601 has it.
        if bytes.count == 17, bytes[16] == UInt8(ascii: "Z") { bytes.replaceSubrange(16..., with: ":00Z".utf8) }
        guard bytes.count == 10 || bytes.count == 20,
            let year = number(bytes, 0, 4), let month = number(bytes, 5, 2), let day = number(bytes, 8, 2),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            (1...12).contains(month), (1...days(in: month, of: year)).contains(day)
        else { return nil }
        var seconds = daysSince1970(year, month, day) * 86400
        if bytes.count == 20 {
            guard bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
                bytes[19] == UInt8(ascii: "Z"), let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2),
                let second = number(bytes, 17, 2), hour < 24, minute < 60, second < 60
            else { return nil }
            seconds += hour * 3600 + minute * 60 + second
        }
        return Double(seconds)
    }

    /// The one text for the time that a text says, such as `2026-11-27T00:00:00Z` for `2026-11-27`; `nil` if it says none.
    package static func canonical(_ text: String) -> String? { seconds(text).map(Self.text) }

    /// A time in seconds since 1970 as text, to the second.
    package static func text(_ seconds: Double) -> String {
        let seconds = Int(seconds.rounded(.down))
        let (days, time) = (
            seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400, (seconds % 86400 + 86400) % 86400
        )
        // Counted with years that begin in March.
        let shifted = days + 719468
        let era = (shifted >= 0 ? shifted : shifted - 146096) / 146097
        let dayOfEra = shifted - era * 146097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = [
            (yearOfEra + era * 400 + (month < 10 ? 0 : 1), 4), (month < 10 ? month + 3 : month - 9, 2),
            (dayOfYear - (153 * month + 2) / 5 + 1, 2),
        ]
        let clock = [(time / 3600, 2), (time / 60 % 60, 2), (time % 60, 2)]
        func join(_ parts: [(Int, Int)], _ separator: String) -> String {
            parts.map { number, width in String(repeating: "0", count: max(width - "\(number)".count, 0)) + "\(number)"
            }
            .joined(separator: separator)
        }
        return "\(join(date, "-"))T\(join(clock, ":"))Z"
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int? {
        var value = 0
        for byte in bytes[start..<start + count] {
            guard ASCII.isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days since 1970 of a date in the proleptic Gregorian calendar, counted with years that begin in March.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146097 + dayOfEra - 719468
    }
}
