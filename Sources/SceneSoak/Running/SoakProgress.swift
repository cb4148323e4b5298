/// How a soak does at one moment, for whoever watches.
package struct SoakProgress: Sendable {
    /// Since the beginning, and how long it is to last with the warm-up.
    package var elapsed: Duration
    package var total: Duration
    /// The interval that runs, or that has just ended.
    package var interval: SoakInterval
    /// Whether the interval has ended.
    package var isCut: Bool
    /// Calls that wait for their reply, and events that wait to be sent.
    package var inFlight: Int
    package var waiting: Int
    /// The faults that are under way.
    package var faults: [SoakFault.Kind]
    /// Invariants found violated so far.
    package var violations: Int
}
