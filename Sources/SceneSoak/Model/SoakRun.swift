package import Histogram

/// What is known of one soak: how it was to be, what happened, and what was seen besides.
///
/// The report, the comparison and the verdict are made of this alone, whether it was measured by the load generator or
/// read from a journal afterwards.
package struct SoakRun: Sendable {
    /// What was asked for; `nil` where the run was read from a journal and nobody drove it.
    package var plan: SoakPlan?
    package var place: Place
    /// When it began, in microseconds since 1970. Every other time is counted from here.
    package var began: UInt64
    /// How long it took, warm-up and drain included.
    package var length: Duration
    package var ending: Ending
    /// In their order; those of the warm-up are marked.
    package var intervals: [SoakInterval]
    /// From the time an event was due to its receipt, in nanoseconds, after the warm-up: no coordinated omission.
    package var latency: Histogram<UInt64>
    /// The same by kind of event (`openurl`, `push`, `widget`, `handoff`, `gesture`, `flow`, `signin`, …).
    package var latencyByKind: [String: Histogram<UInt64>]
    /// From the time a call was really sent to its receipt, to tell a late generator from a slow daemon.
    package var serviceTime: Histogram<UInt64>
    /// How late the load generator itself was: from the time an event was due to the time it was handed to its connection,
    /// after the warm-up. Where this is as large as the latency, the generator was slow and not the daemon.
    package var generatorLag: Histogram<UInt64>
    package var faults: [SoakFault]
    /// Each run of the daemon that was seen, in the order seen.
    package var hosts: [SoakHost]
    package var scenes: [SoakSceneSpan]

    /// A soak that has begun and of which nothing is known yet.
    package init(plan: SoakPlan?, place: Place, began: UInt64) {
        self.plan = plan
        self.place = place
        self.began = began
        length = .zero
        ending = .completed
        intervals = []
        latency = Self.histogram()
        latencyByKind = [:]
        serviceTime = Self.histogram()
        generatorLag = Self.histogram()
        faults = []
        hosts = []
        scenes = []
    }

    /// The percentiles to show between the least and the greatest.
    package var ranks: [Double] { (plan?.percentiles ?? [50, 90, 99, 99.9]).filter { $0 > 0 && $0 < 100 } }

    /// Empty, for nanoseconds up to an hour at first, to three digits.
    package static func histogram() -> Histogram<UInt64> {
        var histogram = Histogram<UInt64>(
            lowestDiscernibleValue: 1_000,
            highestTrackableValue: 3_600_000_000_000,
            numberOfSignificantValueDigits: .three
        )
        histogram.autoResize = true
        return histogram
    }

    /// How it ended.
    package enum Ending: Hashable, Sendable {
        case completed
        /// Somebody pressed Ctrl-C or sent a signal; all until then counts.
        case interrupted
        /// It could not go on, for this reason.
        case failed(String)
    }

    /// What it ran on.
    package struct Place: Hashable, Sendable {
        /// Such as `Linux 6.1.0`.
        package var system: String
        package var cores: Int
        /// In bytes.
        package var memory: Int
        /// The daemon's version, the app's name and the manifest's version.
        package var daemon: String
        package var app: String

        package init(system: String, cores: Int, memory: Int, daemon: String, app: String) {
            self.system = system
            self.cores = cores
            self.memory = memory
            self.daemon = daemon
            self.app = app
        }
    }
}
