/// What an exploration found.
public struct Exploration: Sendable {
    /// What all randomness came from: the same seed and options explore the same.
    public let seed: UInt64
    /// How many runs there were, without those that only checked others.
    public internal(set) var runs = 0
    /// How many of them failed.
    public internal(set) var failures = 0
    /// The numbers of the first runs that failed, in order; not more than ``maxListed``.
    public internal(set) var failedRuns: [Int] = []
    /// The first that failed.
    public internal(set) var failure: Run?
    /// Whether every class of schedules was seen, as far as an exhaustive strategy can tell.
    public internal(set) var isComplete = false
    /// How far an exhaustive strategy came, in words; nil for others.
    public internal(set) var summary: String?
    /// The most steps a run took.
    public internal(set) var longest = 0
    /// Whether any run had a step with more than one choice. If not, there was nothing to explore.
    public internal(set) var hadChoices = false
    /// A number of all that happened in all runs, the same in every process and however the runs were divided: two explorations
    /// with the same hash made the same runs. What a run did that ended its process counts as far as it was written down.
    public internal(set) var traceHash: UInt64 = 0
    /// Which classes of schedules the runs were of; nil if that was not asked for.
    public internal(set) var coverage: Coverage?
    /// How many processes made the runs at the same time.
    public internal(set) var workers = 1
    /// Real time.
    public internal(set) var duration: Duration = .zero

    /// How many failed runs are listed.
    public static let maxListed = 1_000

    init(seed: UInt64) {
        self.seed = seed
    }

    /// The number of the first run that failed.
    public var firstFailure: Int? { failedRuns.first }

    mutating func count(_ iteration: Int, _ steps: Span<Step>, _ verdict: Verdict) {
        runs += 1
        longest = max(longest, steps.count)
        traceHash &+= mix(steps.traceHash, UInt64(iteration))
        if !hadChoices { hadChoices = steps.indices.contains { steps[$0].alternatives > 1 } }
        coverage?.add(steps, failed: verdict.isFailure)
        guard verdict.isFailure else { return }
        failures += 1
        if failedRuns.count < Self.maxListed { failedRuns.append(iteration) }
    }

    /// Adds what another process found, which made other runs.
    mutating func merge(_ other: Exploration) {
        if let first = other.firstFailure, first < firstFailure ?? .max { failure = other.failure }
        runs += other.runs
        failures += other.failures
        failedRuns = Array((failedRuns + other.failedRuns).sorted().prefix(Self.maxListed))
        traceHash &+= other.traceHash
        isComplete = isComplete || other.isComplete
        summary = summary ?? other.summary
        longest = max(longest, other.longest)
        hadChoices = hadChoices || other.hadChoices
        if let coverage = other.coverage { self.coverage?.merge(coverage) }
    }
}
