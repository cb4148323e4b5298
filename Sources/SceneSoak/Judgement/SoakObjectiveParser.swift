internal import SceneRouting
internal import SceneVocabulary

/// Reads objectives of the form `metric comparison number unit`, separated by commas.
struct SoakObjectiveParser {
    private let text: String
    private let characters: [Character]
    private var position = 0

    init(_ text: String) {
        self.text = text
        characters = Array(text)
    }

    mutating func objectives() throws(SoakObjectiveError) -> [SoakObjective] {
        var objectives: [SoakObjective] = []
        while true {
            skipSpace()
            objectives.append(try objective())
            skipSpace()
            guard let next = peek else { return objectives }
            guard next == "," else { throw error("expected ',' or the end, found '\(next)'") }
            position += 1
        }
    }

    private mutating func objective() throws(SoakObjectiveError) -> SoakObjective {
        let start = position
        let metric = try metric()
        skipSpace()
        let comparison = try comparison()
        skipSpace()
        let limit = try limit(of: metric)
        if let problem = SoakObjective.emptiness(metric, comparison, limit) { throw error(problem, at: start) }
        let written = String(characters[start..<position]).filter { !$0.isWhitespace }
        return SoakObjective(text: written, metric: metric, comparison: comparison, limit: limit)
    }

    // MARK: The metric

    private mutating func metric() throws(SoakObjectiveError) -> SoakMetric {
        let start = position
        let name = take { $0.isLetter || $0.isNumber || "._-".contains($0) }
        guard !name.isEmpty else {
            throw error("expected a metric, as in p99<20ms or lost=0")
        }
        let kind = try kind(after: name, at: start)
        if let rank = try percentile(name, at: start) { return .percentile(rank, kind: kind) }
        switch name {
        case "max": return .percentile(100, kind: kind)
        case "mean": return .mean(kind: kind)
        default: break
        }
        if kind != nil {
            throw error("only latencies have a kind: p99[push], max[push], mean[push]", at: start + name.count)
        }
        switch name {
        case "lost": return .lost
        case "missed": return .missed
        case "cutoff": return .cutOff
        case "errors": return .errors(nil)
        case "rate": return .rate
        case "violations": return .violations
        case "gaps": return .gaps
        default: break
        }
        if let error = name.rest(after: "errors.") { return .errors(error) }
        if let word = name.rest(after: "outcome.") {
            guard let outcome = OutcomeName(rawValue: word) else {
                let known = OutcomeName.allCases.map(\.rawValue).joined(separator: ", ")
                throw error("unknown outcome '\(word)'; expected one of \(known)", at: start + "outcome.".count)
            }
            return .outcome(outcome)
        }
        for subject in SoakTrend.Subject.watched {
            if name == subject.word { return .peak(subject) }
            if name == "\(subject.word).growth" { return .growth(subject) }
        }
        let known = SoakMetric.usualPercentiles + SoakMetric.names
        let meant = Spelling.nearest(to: name, among: known).map { "Did you mean '\($0)'?" }
        throw error(
            "unknown metric '\(name)'. \(meant ?? "The metrics are \(known.joined(separator: ", "))")",
            at: start
        )
    }

    /// Reads `[push]`, if it is there.
    private mutating func kind(after name: String, at start: Int) throws(SoakObjectiveError) -> ActionKind? {
        guard peek == "[" else { return nil }
        position += 1
        let place = position
        let kind = take { $0 != "]" && $0 != "," }.trimmed
        guard peek == "]", !kind.isEmpty else {
            throw error("expected a kind of event and ']', as in \(name)[push]")
        }
        position += 1
        guard let known = ActionKind(named: kind) else {
            throw error("unknown kind of event '\(kind)'; expected one of \(ActionKind.names)", at: place)
        }
        return known
    }

    private func percentile(_ name: String, at start: Int) throws(SoakObjectiveError) -> Double? {
        guard name.first == "p", name.dropFirst().first?.isNumber == true else { return nil }
        guard let rank = Double(name.dropFirst()), rank > 0, rank <= 100 else {
            throw error(
                "'\(name)' is not a percentile; expected a number above 0 and up to 100, as in p99.9",
                at: start
            )
        }
        return rank
    }

    // MARK: The comparison and the limit

    private mutating func comparison() throws(SoakObjectiveError) -> SoakObjective.Comparison {
        let start = position
        let sign = take { "<>=!≤≥".contains($0) }
        guard let comparison = SoakObjective.Comparison(rawValue: sign) else {
            throw error("expected one of < <= = >= >\(sign.isEmpty ? "" : ", found '\(sign)'")", at: start)
        }
        return comparison
    }

    private mutating func limit(of metric: SoakMetric) throws(SoakObjectiveError) -> SoakObjective.Limit {
        let start = position
        let digits = take { $0.isNumber || $0 == "." }
        guard let number = Double(digits), number.isFinite else {
            throw error("expected a number, such as \(Self.example(metric.quantity))", at: start)
        }
        skipSpace()
        let unitStart = position
        let unit = take { $0.isLetter || "%/µμ".contains($0) }
        for known in Self.units(metric.quantity) where known.name == unit {
            return SoakObjective.Limit(value: number * known.factor, isPercent: unit == "%")
        }
        let right = Self.units(metric.quantity).filter { $0.isShown }.map { "\(digits)\($0.name)" }
        throw error(
            "\(unit.isEmpty ? "the unit is missing" : "wrong unit '\(unit)'"); expected "
                + right.joined(separator: " or "),
            at: unitStart
        )
    }

    private struct Unit {
        var name: String
        var factor: Double
        /// Whether error messages suggest it.
        var isShown = true
    }

    private static let sizes = [
        Unit(name: "B", factor: 1, isShown: false), Unit(name: "KiB", factor: 1024),
        Unit(name: "MiB", factor: 1_048_576), Unit(name: "GiB", factor: 1_073_741_824, isShown: false),
    ]

    private static func units(_ quantity: SoakMetric.Quantity) -> [Unit] {
        switch quantity {
        case .time:
            [
                Unit(name: "us", factor: 1e3), Unit(name: "µs", factor: 1e3, isShown: false),
                Unit(name: "μs", factor: 1e3, isShown: false), Unit(name: "ms", factor: 1e6),
                Unit(name: "s", factor: 1e9),
            ]
        case .share: [Unit(name: "", factor: 1), Unit(name: "%", factor: 1)]
        case .rate: [Unit(name: "", factor: 1, isShown: false), Unit(name: "/s", factor: 1)]
        case .bytes: sizes
        case .bytesPerHour: sizes.map { Unit(name: "\($0.name)/h", factor: $0.factor, isShown: $0.isShown) }
        case .count: [Unit(name: "", factor: 1)]
        case .countPerHour: [Unit(name: "/h", factor: 1)]
        }
    }

    private static func example(_ quantity: SoakMetric.Quantity) -> String {
        switch quantity {
        case .time: "20ms"
        case .share: "0 or 0.1%"
        case .rate: "500/s"
        case .bytes: "64MiB"
        case .bytesPerHour: "1MiB/h"
        case .count: "0"
        case .countPerHour: "1/h"
        }
    }

    // MARK: Characters

    private var peek: Character? { position < characters.count ? characters[position] : nil }

    private mutating func skipSpace() { _ = take(\.isWhitespace) }

    private mutating func take(_ isWanted: (Character) -> Bool) -> String {
        let start = position
        while let next = peek, isWanted(next) { position += 1 }
        return String(characters[start..<position])
    }

    private func error(_ problem: String, at place: Int? = nil) -> SoakObjectiveError {
        SoakObjectiveError(text: text, column: (place ?? position) + 1, problem: problem)
    }
}

extension String {
    /// The text after a prefix; `nil` if the prefix is missing or nothing follows it.
    fileprivate func rest(after prefix: String) -> String? {
        hasPrefix(prefix) && count > prefix.count ? String(dropFirst(prefix.count)) : nil
    }

    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
