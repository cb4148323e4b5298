internal import Glibc
internal import Locking
internal import SceneSoak

/// Tells on standard error how a soak does: one line that is written over on a terminal, a line per interval elsewhere.
final class SoakScreen: Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let isWritten = Guarded(false)

    func show(_ progress: SoakProgress) {
        let text = Self.line(progress)
        if isTerminal {
            // Erased to its end: the line before may have been longer.
            isWritten.withLock { isWritten in
                if progress.isCut {
                    Terminal.write("\r\(text)\u{1B}[K\n")
                    isWritten = false
                } else {
                    Terminal.write("\r\(text)\u{1B}[K")
                    isWritten = true
                }
            }
        } else if progress.isCut {
            Terminal.write(text + "\n")
        }
    }

    func warn(_ message: String) {
        clear()
        Terminal.complain(message)
    }

    /// Leaves the line free for what comes next.
    func clear() {
        isWritten.withLock { isWritten in
            if isWritten { Terminal.write("\r\u{1B}[K") }
            isWritten = false
        }
    }

    /// `12 s of 60 s  due 500/s  answered 498/s  p50 1.2 ms  max 8 ms  applied 62 %  12.3 MB  48 s left`.
    static func line(_ progress: SoakProgress) -> String {
        let interval = progress.interval
        let seconds = max(interval.length.seconds, 0.001)
        func rate(_ count: Int) -> String { Wording.short(Double(count) / seconds) + "/s" }
        var parts = [
            "\(Wording.duration(progress.elapsed)) of \(Wording.duration(progress.total))"
                + (interval.isWarmUp ? " warming up" : ""),
            "due \(rate(interval.due))", "sent \(rate(interval.sent))", "answered \(rate(interval.answered))",
        ]
        let shown = interval.percentiles.filter { [50, 99, 100].contains($0.key) }
        parts += shown.sorted { $0.key < $1.key }.map {
            "\(Wording.percentile($0.key)) \(Wording.latency(Double($0.value)))"
        }
        let outcomes = interval.outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
        let total = interval.answered
        if total > 0 {
            parts.append(outcomes.map { "\($0.key) \($0.value * 100 / total) %" }.joined(separator: " "))
            let refused = interval.errors.values.reduce(0, +)
            if refused > 0 { parts.append("refused \(Wording.short(Double(refused) * 100 / Double(total))) %") }
        }
        if progress.inFlight > 0 { parts.append("\(progress.inFlight) in flight") }
        if progress.waiting > 0 { parts.append("\(progress.waiting) waiting") }
        if interval.cutOff > 0 { parts.append("\(interval.cutOff) cut off") }
        if let resident = interval.sample?.resident { parts.append(Wording.bytes(Double(resident))) }
        if !progress.faults.isEmpty { parts.append("fault: " + progress.faults.map(\.rawValue).joined(separator: " ")) }
        if progress.violations > 0 { parts.append("\(progress.violations) VIOLATIONS") }
        let left = progress.total - progress.elapsed
        if left > .milliseconds(500) { parts.append("\(Wording.duration(.seconds(Int(left.seconds.rounded())))) left") }
        return parts.joined(separator: "  ")
    }
}
