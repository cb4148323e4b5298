internal import Glibc
internal import Basics

/// Formats numbers, times and lists for people.
package enum Wording {
    /// With at most this many decimals, without trailing zeros.
    static func number(_ value: Double, digits: Int) -> String {
        guard value.isFinite else { return "–" }
        var factor = 1.0
        for _ in 0..<digits { factor *= 10 }
        let scaled = (abs(value) * factor).rounded()
        guard scaled < 1e15 else { return "\(value)" }
        let whole = Int(scaled) / Int(factor)
        var fraction = String(Int(scaled) % Int(factor))
        fraction = String(repeating: "0", count: max(0, digits - fraction.count)) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        let sign = value < 0 && scaled > 0 ? "−" : ""
        return sign + count(whole) + (fraction.isEmpty || digits == 0 ? "" : ".\(fraction)")
    }

    /// With about three significant digits.
    package static func short(_ value: Double) -> String {
        number(value, digits: abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2)
    }

    /// With narrow no-break spaces between thousands.
    package static func count(_ count: Int) -> String {
        let digits = Array(String(count.magnitude))
        guard digits.count > 4 else { return (count < 0 ? "−" : "") + String(digits) }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "\u{202F}" }
            text.append(digit)
        }
        return (count < 0 ? "−" : "") + text
    }

    /// `1 event`, `2 events`.
    package static func counted(_ count: Int, _ noun: String) -> String {
        "\(Self.count(count)) \(noun)\(count == 1 ? "" : "s")"
    }

    /// Nanoseconds as `820 µs`, `6.1 ms` or `2.3 s`.
    package static func latency(_ nanoseconds: Double) -> String {
        switch abs(nanoseconds) {
        case 0: "0"
        case ..<999.5e3: "\(short(nanoseconds / 1e3)) µs"
        case ..<999.5e6: "\(short(nanoseconds / 1e6)) ms"
        default: "\(short(nanoseconds / 1e9)) s"
        }
    }

    /// `35.2 MiB`.
    package static func bytes(_ bytes: Double) -> String {
        switch abs(bytes) {
        case ..<1024: "\(number(bytes, digits: 0)) B"
        case ..<1_048_576: "\(short(bytes / 1024)) KiB"
        case ..<1_073_741_824: "\(short(bytes / 1_048_576)) MiB"
        default: "\(short(bytes / 1_073_741_824)) GiB"
        }
    }

    /// `45 s`, `30 min`, `2 h 5 min`.
    package static func duration(_ duration: Duration) -> String {
        let seconds = duration.seconds
        if seconds < 1 { return "\(number(seconds * 1000, digits: 0)) ms" }
        if seconds < 60 { return "\(number(seconds, digits: seconds < 10 ? 1 : 0)) s" }
        let whole = Int(seconds.rounded())
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        if hours > 0 { return "\(hours) h" + (minutes > 0 ? " \(minutes) min" : "") }
        return "\(minutes) min" + (rest > 0 ? " \(rest) s" : "")
    }

    /// A time since the start of a soak: `0:05`, `1:02:30`, `50:00:00`.
    static func moment(_ duration: Duration) -> String {
        let whole = Int(duration.seconds.rounded())
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let two: (Int) -> String = { $0 < 10 ? "0\($0)" : "\($0)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
    }

    /// A probability: `p = 0.003`, `p < 0.001`.
    static func chance(_ chance: Double) -> String { chance < 0.001 ? "p < 0.001" : "p = \(number(chance, digits: 3))" }

    /// With a plus sign if it is above 0.
    static func signed(_ value: Double, _ word: (Double) -> String) -> String {
        value > 0 ? "+\(word(value))" : word(value)
    }

    /// `p99.9`.
    package static func percentile(_ rank: Double) -> String { rank == 100 ? "max" : "p\(plain(rank))" }

    /// The number without a trailing `.0`.
    static func plain(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : value.description
    }

    /// Microseconds since 1970 as `2026-11-21 09:30:00 UTC`.
    static func date(_ microseconds: UInt64) -> String {
        var moment = time_t(microseconds / 1_000_000)
        var parts = tm()
        guard gmtime_r(&moment, &parts) != nil else { return "at an unknown time" }
        let two: (Int32) -> String = { $0 < 10 ? "0\($0)" : "\($0)" }
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) UTC"
    }

    /// A list in a sentence: `a`, `a and b`, `a, b and c`.
    static func list(_ parts: [String]) -> String {
        guard parts.count > 1, let last = parts.last else { return parts.first ?? "" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}
