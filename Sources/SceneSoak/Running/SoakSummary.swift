package import Histogram
internal import SceneHistory

/// A soak in a screenful of text, and in one line while it runs.
package struct SoakSummary: Sendable {
    private let run: SoakRun

    package init(_ run: SoakRun) { self.run = run }

    /// The screenful.
    package var text: String {
        var lines = [title]
        lines.append(row("events", events))
        if !outcomes.isEmpty { lines.append(row("outcomes", outcomes)) }
        if !refusals.isEmpty { lines.append(row("refused", refusals)) }
        lines.append(row("latency", Self.latency(run.latency, percentiles)))
        lines.append(row("by itself", Self.latency(run.serviceTime, percentiles) + "  (from the time really sent)"))
        lines.append(row("generator", generator))
        for kind in run.latencyByKind.keys.sorted() {
            guard let histogram = run.latencyByKind[kind] else { continue }
            lines.append(
                row(
                    "  \(kind)",
                    Self.latency(histogram, percentiles) + "  of \(Self.count(Int(clamping: histogram.totalCount)))"
                )
            )
        }
        if let daemon { lines.append(row("daemon", daemon)) }
        for fault in run.faults {
            let span = "\(Self.time(fault.start)) to \(Self.time(fault.end))"
            lines.append(row("fault", "\(fault.kind.rawValue) \(span): \(fault.note)"))
        }
        for host in run.hosts { lines += hostLines(host) }
        return lines.joined(separator: "\n") + "\n"
    }

    private var percentiles: [Double] { run.plan?.percentiles ?? [50, 90, 99] }

    private var title: String {
        let length = Self.time(run.length)
        let place = "\(run.place.app) on scened \(run.place.daemon), \(run.place.system), \(run.place.cores) cores"
        let ending =
            switch run.ending {
            case .completed: ""
            case .interrupted: "; interrupted"
            case .failed(let reason): "; FAILED: \(reason)"
            }
        guard let plan = run.plan else { return "Soak of \(place): \(length)\(ending)" }
        return
            "Soak of \(place): \(Self.number(plan.rate))/s \(plan.arrival.rawValue), \(plan.clients) clients, \(plan.scenes) windows, seed \(plan.seed), \(length)\(ending)"
    }

    private var events: String {
        let totals = SoakCounts(run)
        var text =
            "\(Self.count(totals.due)) due, \(Self.count(totals.sent)) sent, \(Self.count(totals.answered)) answered"
        let seconds = totals.seconds
        if seconds > 0 { text += " (\(Self.number(Double(totals.answered) / seconds))/s)" }
        if totals.cutOff > 0 { text += ", \(Self.count(totals.cutOff)) cut off" }
        if totals.missed > 0 { text += ", \(Self.count(totals.missed)) not sent" }
        return text + ", \(Self.count(totals.lost)) lost"
    }

    private var outcomes: String { Self.list(SoakCounts(run).outcomes) }
    private var refusals: String { Self.list(SoakCounts(run).errors) }

    private var generator: String {
        guard run.generatorLag.totalCount > 0 else { return "nothing was due after the warm-up" }
        let lag = run.generatorLag.valueAtPercentile(99)
        let worst = run.generatorLag.max
        let text = "late by p99 \(Self.latency(lag)), max \(Self.latency(worst))"
        let isToBlame = run.latency.totalCount > 0 && lag > 1_000_000 && lag * 2 > run.latency.valueAtPercentile(99)
        return isToBlame
            ? text
                + ": the load generator, not the daemon, is slow here; a lower --rate or fewer things beside it would tell more"
            : text
    }

    private var daemon: String? {
        let samples = run.intervals.compactMap(\.sample)
        guard let last = samples.last else { return nil }
        var parts: [String] = []
        if let first = samples.compactMap(\.resident).first, let now = last.resident {
            parts.append("resident \(Self.bytes(first)) → \(Self.bytes(now))")
        }
        if let descriptors = last.descriptors { parts.append("\(descriptors) descriptors") }
        if let threads = last.threads { parts.append("\(threads) threads") }
        if let parked = last.parked { parts.append("\(parked) parked") }
        if let coordinators = last.coordinators { parts.append("\(coordinators) coordinators") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func hostLines(_ host: SoakHost) -> [String] {
        let ending =
            switch host.ending {
            case .running: ""
            case .stopped: ", stopped"
            case .replaced: ", replaced by the next"
            case .killed: ", killed on purpose"
            case .vanished(let reason): ", went away\(reason.map { " (\($0))" } ?? "")"
            }
        guard let report = host.report else { return [row("host", "\(host.id)\(ending): its records were not judged")] }
        let head = "\(host.id)\(ending): \(Self.count(report.records)) records"
        let missing = host.gaps.reduce(0) { $0 + $1.last - $1.first + 1 }
        var lines: [String] = []
        for verdict in report.verdicts {
            switch verdict.verdict {
            case .holds: continue
            case .unknown(let reason):
                guard host.ending != .killed || !host.gaps.isEmpty else { continue }
                lines.append(row("", "unknown   \(verdict.invariant.rawValue) \(verdict.invariant.promise): \(reason)"))
            case .violated(let violations, let count):
                lines.append(
                    row("", "VIOLATED  \(verdict.invariant.rawValue) \(verdict.invariant.promise), \(count) times")
                )
                for violation in violations.prefix(2) { lines.append(row("", "          \(violation.explanation)")) }
                for file in host.evidence where file.invariant == verdict.invariant {
                    lines.append(
                        row("", "          see \(file.records)\(file.replay.map { ", scenectl play \($0)" } ?? "")")
                    )
                }
            }
        }
        let gaps = missing > 0 ? ", \(Self.count(missing)) missing" : ""
        return [row("host", head + gaps + (lines.isEmpty ? ", every invariant holds" : ""))] + lines
    }

    private func row(_ name: String, _ text: String) -> String {
        "  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + text
    }

    private static func list(_ counts: [String: Int]) -> String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \(count($0.value))" }
            .joined(separator: ", ")
    }
}

extension SoakSummary {
    /// `p50 1.2 ms  p99 3.4 ms  max 8 ms`.
    package static func latency(_ histogram: Histogram<UInt64>, _ percentiles: [Double]) -> String {
        latency(LoadTally.percentiles(percentiles, of: histogram))
    }

    /// The same of percentiles that are known.
    package static func latency(_ values: [Double: UInt64]) -> String {
        guard !values.isEmpty else { return "nothing was answered" }
        return values.sorted { $0.key < $1.key }.map { percentile, value in
            (percentile == 100 ? "max" : "p\(rank(percentile))") + " " + latency(value)
        }.joined(separator: "  ")
    }

    /// Nanoseconds for a person.
    package static func latency(_ nanoseconds: UInt64) -> String {
        switch nanoseconds {
        case ..<1_000_000: "\(nanoseconds / 1_000) µs"
        case ..<1_000_000_000: "\(number(Double(nanoseconds) / 1e6)) ms"
        default: "\(number(Double(nanoseconds) / 1e9)) s"
        }
    }

    /// Three digits or so: `0.12`, `1.23`, `45.6`, `789`.
    package static func number(_ value: Double) -> String {
        let digits = abs(value) < 10 ? 100.0 : abs(value) < 100 ? 10 : 1
        let rounded = (value * digits).rounded() / digits
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }

    /// A percentile as it was asked for: `50`, `99.9`.
    package static func rank(_ percentile: Double) -> String {
        percentile == percentile.rounded() ? "\(Int(percentile))" : "\(percentile)"
    }

    /// `12,345`.
    package static func count(_ count: Int) -> String {
        var text = ""
        for (place, digit) in String(abs(count)).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return (count < 0 ? "-" : "") + String(text.reversed())
    }

    package static func bytes(_ bytes: Int) -> String { "\(number(Double(bytes) / 1e6)) MB" }

    /// Of a length of time, no more than a person reads: `4.2 s`, `12 min 5 s`, `3 h 20 min`.
    package static func time(_ duration: Duration) -> String {
        let seconds = duration.seconds
        switch seconds {
        case ..<60: return "\(number(seconds)) s"
        case ..<3_600: return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
        default: return "\(Int(seconds) / 3_600) h \(Int(seconds) / 60 % 60) min"
        }
    }
}

/// What the intervals come to.
package struct SoakCounts: Hashable, Sendable {
    package private(set) var due = 0
    package private(set) var sent = 0
    package private(set) var answered = 0
    package private(set) var cutOff = 0
    package private(set) var outcomes: [String: Int] = [:]
    package private(set) var errors: [String: Int] = [:]
    package private(set) var seconds = 0.0

    package init(_ run: SoakRun) {
        for interval in run.intervals {
            due += interval.due
            sent += interval.sent
            answered += interval.answered
            cutOff += interval.cutOff
            seconds += interval.length.seconds
            outcomes.merge(interval.outcomes, uniquingKeysWith: +)
            errors.merge(interval.errors, uniquingKeysWith: +)
        }
    }

    /// Due, and never sent.
    package var missed: Int { max(0, due - sent) }

    /// Sent over a connection that stayed, and never answered.
    package var lost: Int { max(0, sent - answered - cutOff) }
}
