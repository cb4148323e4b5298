internal import Basics

/// The progress of a soak.
package struct SoakProgress: Sendable {
    /// Since the start of the soak.
    package var elapsed: Duration
    /// How long the soak is planned to last, warm-up included.
    package var total: Duration
    /// The current interval, or the one that has just ended.
    package var interval: SoakInterval
    /// Whether the interval has just ended.
    package var endsInterval: Bool
    /// Calls that wait for their reply.
    package var inFlight: Int
    /// Events that wait to be sent.
    package var waiting: Int
    /// The faults that go on.
    package var faults: [SoakFault.Kind]
    /// Invariants found violated so far.
    package var violations: Int
}

extension SoakProgress {
    /// `12 s of 60 s  due 500/s  answered 498/s  p50 1.2 ms  max 8 ms  applied 62 %  12.3 MB  48 s left`.
    ///
    /// - Parameter columns: The most characters, at least 20; the least important parts are left out.
    package func line(columns: Int? = nil) -> String {
        var parts = self.parts
        guard let columns else { return Self.joined(parts) }
        while Self.joined(parts).count > columns,
            let least = parts.indices.max(by: { parts[$0].rank < parts[$1].rank }),
            parts[least].rank > 0
        {
            parts.remove(at: least)
        }
        return String(Self.joined(parts).prefix(max(20, columns)))
    }

    private typealias Part = (rank: Int, text: String)

    private static func joined(_ parts: [Part]) -> String { parts.map(\.text).joined(separator: "  ") }

    /// The parts in the order shown. Those of the highest rank are left out first, those of rank 0 never.
    private var parts: [Part] {
        let seconds = max(interval.length.seconds, 0.001)
        func rate(_ count: Int) -> String { Wording.short(Double(count) / seconds) + "/s" }
        let place = "\(Wording.duration(elapsed)) of \(Wording.duration(total))"
        var parts: [Part] = [
            (0, interval.isWarmUp ? "\(place) warming up" : place), (6, "due \(rate(interval.due))"),
            (9, "sent \(rate(interval.sent))"), (2, "answered \(rate(interval.answered))"),
        ]
        for (rank, value) in interval.percentiles.sorted(by: { $0.key < $1.key }) {
            guard let importance = [50: 5, 99: 1, 100: 7][rank] else { continue }
            parts.append((importance, "\(Wording.percentile(rank)) \(Wording.latency(Double(value)))"))
        }
        if interval.answered > 0 {
            let outcomes = interval.outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
            parts.append(
                (10, outcomes.map { "\($0.key) \($0.value * 100 / interval.answered) %" }.joined(separator: " "))
            )
            let refused = interval.errors.values.reduce(0, +)
            if refused > 0 {
                parts.append((2, "refused \(Wording.short(Double(refused) * 100 / Double(interval.answered))) %"))
            }
        }
        if inFlight > 0 { parts.append((8, "\(inFlight) in flight")) }
        if waiting > 0 { parts.append((3, "\(waiting) waiting")) }
        if interval.cutOff > 0 { parts.append((3, "\(interval.cutOff) cut off")) }
        if let resident = interval.sample?.resident { parts.append((4, Wording.bytes(Double(resident)))) }
        if !faults.isEmpty { parts.append((1, "fault: " + faults.map(\.rawValue).joined(separator: " "))) }
        if violations > 0 { parts.append((0, "\(violations) VIOLATIONS")) }
        let left = total - elapsed
        if left > .milliseconds(500) {
            parts.append((6, "\(Wording.duration(.seconds(Int(left.seconds.rounded())))) left"))
        }
        return parts
    }
}
