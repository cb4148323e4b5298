package import Histogram

/// The data of one soak: its plan, what happened, and what was measured.
///
/// The report, the comparison and the verdict are made from this alone, whether the load generator measured it or it was read
/// from a journal.
package struct SoakRun: Sendable {
    /// The plan; `nil` if the run was read from a journal.
    package var plan: SoakPlan?
    package var place: Place
    /// When it began, in microseconds since 1970. Every other time is counted from here.
    package var began: UInt64
    /// How long it took, warm-up and drain included.
    package var length = Duration.zero
    package var ending = Ending.completed
    /// In order; those of the warm-up are marked.
    package var intervals: [SoakInterval] = []
    /// The time from when an event was due to its receipt, in nanoseconds, after the warm-up: no coordinated omission.
    package var latency = Self.histogram()
    /// The same by kind of event (`openurl`, `push`, `widget`, `handoff`, `gesture`, `flow`, `signin`, …).
    package var latencyByKind: [String: Histogram<UInt64>] = [:]
    /// The time from when a call was sent to its receipt, which tells a late generator from a slow daemon.
    package var serviceTime = Self.histogram()
    /// How late the load generator was: the time from when an event was due to when it was handed to its connection, after the
    /// warm-up. If this is as large as the latency, the generator was slow, not the daemon.
    package var generatorLag = Self.histogram()
    package var faults: [SoakFault] = []
    /// The hosts in the order seen.
    package var hosts: [SoakHost] = []
    package var scenes: [SoakSceneSpan] = []
    /// What of the app was reached; `nil` if no records were followed, or the app's manifest is not known.
    package var coverage: SoakCoverage?

    /// The percentiles to show, without 100.
    package var ranks: [Double] { (plan?.percentiles ?? [50, 90, 99, 99.9]).filter { $0 > 0 && $0 < 100 } }

    /// An empty histogram of nanoseconds, with three significant digits.
    package static func histogram() -> Histogram<UInt64> {
        var histogram = Histogram<UInt64>(
            lowestDiscernibleValue: 1_000,
            highestTrackableValue: 3_600_000_000_000,
            numberOfSignificantValueDigits: .three
        )
        histogram.autoResize = true
        return histogram
    }

    /// How the soak ended.
    package enum Ending: Hashable, Sendable {
        case completed
        /// By Ctrl-C or a signal; everything until then counts.
        case interrupted
        /// It could not continue, for this reason.
        case failed(String)
    }

    /// The machine, and the daemon and app under test.
    package struct Place: Hashable, Sendable {
        /// Such as `Linux 6.1.0`.
        package var system: String
        package var cores: Int
        /// In bytes.
        package var memory: Int
        /// The daemon's version, the app's name and the manifest's version.
        package var daemon: String
        package var app: String
        /// The digest of the daemon's manifest; `nil` if that is not known.
        package var manifest: String?
    }
}
