internal import Glibc

/// A time in microseconds since 1970, which can be parsed from the texts that journalctl accepts; see systemd.time(7).
package struct JournalTime: Hashable, Sendable, Comparable {
    /// Microseconds since 1970.
    package var microseconds: UInt64

    /// A time as journald gives it.
    package init(microseconds: UInt64) {
        self.microseconds = microseconds
    }

    /// Now, by the machine's clock.
    package static var now: Self {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Self(microseconds: UInt64(max(0, time.tv_sec)) * 1_000_000 + UInt64(time.tv_nsec / 1_000))
    }

    package static func < (one: Self, other: Self) -> Bool { one.microseconds < other.microseconds }

    /// Parses a timestamp of systemd.time(7), such as `2026-11-20 18:00`, `18:00:30` (of today), `yesterday`, `-2h`,
    /// `90 min ago` and `@1763661600`. It is local time unless it ends with `UTC` or `Z`.
    ///
    /// - Throws: ``JournalTimeError`` for anything else, and for times before 1970.
    package init(_ text: String, now: JournalTime = .now) throws(JournalTimeError) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { $0.lowercased() }
        guard let seconds = Self.relative(words, now) ?? Self.absolute(words, now) else {
            throw JournalTimeError(text: text)
        }
        // A time beyond a few thousand years is a mistake and would not fit.
        guard seconds >= 0, seconds < 1e12 else { throw JournalTimeError(text: text) }
        microseconds = UInt64((seconds * 1e6).rounded())
    }

    // MARK: - Relative to now

    private static func relative(_ words: [String], _ now: JournalTime) -> Double? {
        guard let first = words.first else { return nil }
        let present = Double(now.microseconds) / 1e6
        if words.count == 1 {
            switch first {
            case "now": return present
            case "today": return midnight(now, days: 0)
            case "yesterday": return midnight(now, days: -1)
            case "tomorrow": return midnight(now, days: 1)
            default: break
            }
        }
        let joined = words.joined()
        if first.hasPrefix("@") { return number(joined.dropFirst()) }
        if first.hasPrefix("+") { return span(joined.dropFirst()).map { present + $0 } }
        if first.hasPrefix("-") { return span(joined.dropFirst()).map { present - $0 } }
        if words.count > 1, words.last == "ago" { return span(joined.dropLast(3)).map { present - $0 } }
        return nil
    }

    /// `1h30min`, in seconds.
    private static func span(_ text: Substring) -> Double? {
        var rest = text
        var total = 0.0
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            let unit = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            guard let amount = number(digits), let seconds = unit.isEmpty ? 1 : units[String(unit)] else { return nil }
            total += amount * seconds
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return total
    }

    /// `m` is minutes, as in systemd; months and years have their average length.
    private static let units: [String: Double] = {
        let named: [([String], Double)] = [
            (["us", "usec"], 1e-6), (["ms", "msec"], 1e-3), (["s", "sec", "second", "seconds"], 1),
            (["m", "min", "minute", "minutes"], 60), (["h", "hr", "hour", "hours"], 3_600),
            (["d", "day", "days"], 86_400), (["w", "week", "weeks"], 604_800), (["month", "months"], 2_629_800),
            (["y", "year", "years"], 31_557_600),
        ]
        return Dictionary(uniqueKeysWithValues: named.flatMap { names, seconds in names.map { ($0, seconds) } })
    }()

    // MARK: - Dates

    private static func absolute(_ given: [String], _ now: JournalTime) -> Double? {
        var words = given
        var isUTC = false
        if let last = words.last, ["utc", "z", "gmt"].contains(last) {
            isUTC = true
            words.removeLast()
        } else if let last = words.last, last.hasSuffix("z") {
            isUTC = true
            words[words.count - 1] = String(last.dropLast())
        }
        let weekday = words.first.flatMap { first in weekdays.firstIndex { first == $0 || first == $0.prefix(3) } }
        if weekday != nil { words.removeFirst() }
        // 2026-11-20t18:00 is a single word.
        if words.count == 1, let letter = words[0].firstIndex(of: "t") {
            words = [String(words[0][..<letter]), String(words[0][words[0].index(after: letter)...])]
        }
        guard (1...2).contains(words.count), weekday == nil || words[0].contains("-") else { return nil }

        var parts = today(now, isUTC: isUTC)
        var fraction = 0.0
        var clock: String? = words.last
        if words[0].contains("-") {
            guard let (year, month, day) = date(words[0]) else { return nil }
            (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year - 1_900, month - 1, day)
            clock = words.count == 2 ? words[1] : nil
        } else if words.count == 2 {
            return nil
        }
        if let clock {
            guard let (hour, minute, seconds) = time(clock) else { return nil }
            (parts.tm_hour, parts.tm_min, parts.tm_sec) = (hour, minute, Int32(seconds))
            fraction = seconds - seconds.rounded(.down)
        }
        let wanted = parts.tm_mday
        parts.tm_isdst = -1
        let seconds = isUTC ? timegm(&parts) : mktime(&parts)
        // The 31st of a month with 30 days would become the 1st of the next.
        guard parts.tm_mday == wanted, weekday == nil || weekday == Int(parts.tm_wday) else { return nil }
        return Double(seconds) + fraction
    }

    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    private static func date(_ text: String) -> (Int32, Int32, Int32)? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { digits($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1_970...9_999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        return (year, month, day)
    }

    private static func time(_ text: String) -> (Int32, Int32, Double)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = digits(parts[0]), let minute = digits(parts[1]),
            let seconds = parts.count == 3 ? number(parts[2]) : 0,
            (0...23).contains(hour), (0...59).contains(minute), seconds < 60
        else { return nil }
        return (hour, minute, seconds)
    }

    private static func today(_ now: JournalTime, isUTC: Bool) -> tm {
        var seconds = time_t(now.microseconds / 1_000_000)
        var parts = tm()
        if isUTC { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
        return parts
    }

    private static func midnight(_ now: JournalTime, days: Int32) -> Double {
        var parts = today(now, isUTC: false)
        parts.tm_mday += days
        parts.tm_isdst = -1
        return Double(mktime(&parts))
    }

    private static func digits(_ text: Substring) -> Int32? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int32(text) : nil
    }

    private static func number(_ text: Substring) -> Double? {
        guard let first = text.first, first.isASCII, first.isNumber,
            text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
        else { return nil }
        return Double(text)
    }
}

extension JournalTime: CustomStringConvertible {
    /// The local time with its zone, such as `2026-11-20 18:00:03 UTC`; journalctl accepts it.
    package var description: String {
        var seconds = time_t(microseconds / 1_000_000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
            guard let start = room.baseAddress, strftime(start, room.count, "%Y-%m-%d %H:%M:%S %Z", &parts) > 0 else {
                return "@\(seconds)"
            }
            return String(cString: start)
        }
    }
}

/// A text that is not a time.
package struct JournalTimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text.
    package let text: String

    /// The text and examples of what is accepted.
    package var description: String {
        "'\(text)' is not a time; expected one like '2026-11-20 18:00', '18:00', 'yesterday', '-2h', '90min ago' or '@1763661600'"
    }
}
