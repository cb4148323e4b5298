extension SoakProgress {
    /// One line: `0:12 of 1:05  due 500/s  sent 500/s  answered 498/s  p50 1.2 ms  max 8 ms  applied 62 %  12.3 MiB  53 s left`.
    package var line: String {
        let seconds = max(interval.length.seconds, 0.001)
        func rate(_ count: Int) -> String { "\(Wording.short(Double(count) / seconds))/s" }
        var parts = [
            "\(Wording.moment(elapsed)) of \(Wording.moment(total))" + (interval.isWarmUp ? " warming up" : ""),
            "due \(rate(interval.due))", "sent \(rate(interval.sent))", "answered \(rate(interval.answered))",
        ]
        let shown = interval.percentiles.filter { [50, 99, 100].contains($0.key) }.sorted { $0.key < $1.key }
        parts += shown.map { "\(Wording.percentile($0.key)) \(Wording.latency(Double($0.value)))" }
        if interval.answered > 0 {
            let outcomes = interval.outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
            parts.append(outcomes.map { "\($0.key) \($0.value * 100 / interval.answered) %" }.joined(separator: " "))
            let refused = interval.errors.values.reduce(0, +)
            if refused > 0 {
                parts.append("refused \(Wording.short(Double(refused) * 100 / Double(interval.answered))) %")
            }
        }
        if inFlight > 0 { parts.append("\(Wording.count(inFlight)) in flight") }
        if waiting > 0 { parts.append("\(Wording.count(waiting)) waiting") }
        if interval.cutOff > 0 { parts.append("\(Wording.count(interval.cutOff)) cut off") }
        if let resident = interval.sample?.resident { parts.append(Wording.bytes(Double(resident))) }
        if !faults.isEmpty { parts.append("fault: \(faults.map(\.rawValue).joined(separator: " "))") }
        if violations > 0 { parts.append(Wording.counted(violations, "VIOLATION")) }
        if total > elapsed { parts.append("\(Wording.duration(total - elapsed)) left") }
        return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
}
