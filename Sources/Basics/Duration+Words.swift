extension Duration {
    /// Reads `500ms`, `30s`, `5m`, `2h`, `1d` or `1h30m`. Each number has its unit: people mean seconds with one tool and
    /// milliseconds with another.
    ///
    /// It is no initializer: looking for those of `Duration`, the compiler finds one that takes a `timespec`, and holds that from then
    /// on for another module's than ``Monitor`` does.
    ///
    /// - Returns: `nil` for anything else, and for more than ten years.
    package static func reading(_ text: String) -> Duration? {
        var rest = text[...]
        var total = Duration.zero
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int64(digits), number <= 1_000_000_000_000 else { return nil }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let milliseconds = Self.milliseconds(unit) else { return nil }
            let (product, isTooLong) = number.multipliedReportingOverflow(by: milliseconds)
            guard !isTooLong, product <= Self.longest else { return nil }
            total += .milliseconds(product)
        } while !rest.isEmpty
        guard total <= .milliseconds(Self.longest) else { return nil }
        return total
    }

    private static let longest: Int64 = 3_660 * 86_400_000

    private static func milliseconds(_ unit: Substring) -> Int64? {
        switch unit {
        case "ms": 1
        case "s": 1_000
        case "m": 60_000
        case "h": 3_600_000
        case "d": 86_400_000
        default: nil
        }
    }

    /// The text that ``reading(_:)`` reads, in the largest units: `1h30m`, `500ms`.
    package var words: String {
        var rest = milliseconds
        guard rest > 0 else { return "0s" }
        var text = ""
        for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)]
            as [(String, Int)]
        where rest >= length {
            text += "\(rest / length)\(unit)"
            rest %= length
        }
        return text
    }
}
