extension SoakTrend {
    /// What may grow.
    package enum Subject: String, Hashable, Sendable, CaseIterable {
        case resident, descriptors, threads, pending, parked, coordinators
        /// The latency at the percentile nearest to 99 that was measured.
        case latency

        /// Those that the daemon is asked for.
        package static let watched: [Subject] = [.resident, .descriptors, .threads, .pending, .parked, .coordinators]

        /// Its name in an objective.
        var word: String { self == .resident ? "rss" : rawValue }

        /// Its name in a sentence.
        package var noun: String {
            switch self {
            case .resident: "resident memory"
            case .descriptors: "open descriptors"
            case .threads: "threads"
            case .pending: "events not settled"
            case .parked: "parked intents"
            case .coordinators: "coordinators"
            case .latency: "latency"
            }
        }

        /// Of a sample, where it was seen.
        func value(_ sample: SoakSample) -> Double? {
            switch self {
            case .resident: sample.resident.map(Double.init)
            case .descriptors: sample.descriptors.map(Double.init)
            case .threads: sample.threads.map(Double.init)
            case .pending: sample.pending.map(Double.init)
            case .parked: sample.parked.map(Double.init)
            case .coordinators: sample.coordinators.map(Double.init)
            case .latency: nil
            }
        }

        /// From where on growth matters: at least so much an hour, and at least so much over the time watched.
        ///
        /// Memory: half a MiB an hour is a gigabyte in twelve weeks, and below 256 KiB (64 pages) an allocator may take what it
        /// likes. Whole things: one in two hours, and more than one or two that came late.
        /// - Parameter level: what is usual, for what is judged by its share of that.
        func relevance(level: Double) -> (perHour: Double, gain: Double) {
            switch self {
            case .resident: (512 * 1024, 256 * 1024)
            case .descriptors, .threads: (0.5, 2)
            case .pending, .parked, .coordinators: (1, max(5, level / 20))
            case .latency: (0.02 * level, 0.25 * level)
            }
        }

        /// An amount of it, for a person.
        package func amount(_ value: Double) -> String {
            switch self {
            case .resident: Wording.bytes(value)
            case .latency: Wording.latency(value)
            default: Wording.short(value)
            }
        }
    }
}
