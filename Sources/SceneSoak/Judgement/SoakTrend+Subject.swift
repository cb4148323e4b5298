extension SoakTrend {
    /// What is watched for growth.
    package enum Subject: String, Hashable, Sendable, CaseIterable {
        case resident, descriptors, threads, pending, parked, coordinators
        /// The latency at the percentile nearest to 99 that was measured.
        case latency

        /// The subjects that the daemon reports.
        package static let watched: [Subject] = [.resident, .descriptors, .threads, .pending, .parked, .coordinators]

        /// The name in an objective.
        var word: String { self == .resident ? "rss" : rawValue }

        /// The name in a sentence.
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

        /// The value in a sample.
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

        /// The least growth that matters, per hour and over the time watched.
        ///
        /// Memory: half a MiB per hour is a gigabyte in twelve weeks; less than 256 KiB (64 pages) in all may be the allocator's.
        /// Counts: one in two hours, and more than one or two that came late.
        /// - Parameter level: The usual value, for subjects whose growth is judged relative to it.
        func relevance(level: Double) -> (perHour: Double, gain: Double) {
            switch self {
            case .resident: (512 * 1024, 256 * 1024)
            case .descriptors, .threads: (0.5, 2)
            case .pending, .parked, .coordinators: (1, max(5, level / 20))
            case .latency: (0.02 * level, 0.25 * level)
            }
        }

        /// An amount as text.
        package func amount(_ value: Double) -> String {
            switch self {
            case .resident: Wording.bytes(value)
            case .latency: Wording.latency(value)
            default: Wording.short(value)
            }
        }
    }
}
