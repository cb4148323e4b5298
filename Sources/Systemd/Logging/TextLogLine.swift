internal import Glibc
internal import Logging
internal import StrictJSON

/// The format of a log line.
struct TextLogLine {
    /// Whether levels are coloured.
    let isColoured: Bool

    /// The line, with a line break at its end.
    func text(
        _ level: Logger.Level,
        _ message: String,
        _ pairs: [(key: String, value: String)],
        at time: timespec
    ) -> [UInt8] {
        var line = Self.stamp(time)
        line += " "
        let name = level.rawValue
        line += isColoured ? "\u{1B}[\(Self.colour(level))m\(name)\u{1B}[0m" : name
        line += String(repeating: " ", count: max(1, 9 - name.count))
        line += Self.isPlain(message) ? message : Self.escaped(message)
        for (key, value) in pairs {
            line += " "
            line += Self.isBare(key) ? key : Self.quoted(key)
            line += "="
            line += Self.isBare(value) ? value : Self.quoted(value)
        }
        line += "\n"
        return Array(line.utf8)
    }

    /// `2026-11-21T11:53:10.123Z`, always in UTC.
    static func stamp(_ time: timespec) -> String {
        var seconds = time.tv_sec
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: some BinaryInteger, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = "\(padded(Int(parts.tm_year) + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
        let clock = "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
        return "\(date)T\(clock).\(padded(time.tv_nsec / 1_000_000, 3))Z"
    }

    private static func colour(_ level: Logger.Level) -> String {
        switch level {
        case .trace, .debug: "2"
        case .info: "32"
        case .notice: "36"
        case .warning: "33"
        case .error: "31"
        case .critical: "1;31"
        }
    }

    /// C0, DEL and C1 controls, which terminals obey, and separators that some programs treat as line breaks.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: isControl)
    }

    /// As JSON, which escapes only C0 controls, with the other controls escaped too.
    private static func quoted(_ text: String) -> String {
        escaped(JSONValue.string(text).text())
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "\n" {
                result += "\\n"
            } else if isControl(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a key or value is unambiguous without quotes.
    private static func isBare(_ text: String) -> Bool {
        !text.isEmpty
            && !text.unicodeScalars.contains { $0 == " " || $0 == "\"" || $0 == "=" || isControl($0) }
    }
}
