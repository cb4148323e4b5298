/// What an exploration found.
public struct Exploration: Sendable {
    /// The seed of all randomness: the same seed and options explore the same.
    public let seed: UInt64
    /// How many runs were made, not counting those that only repeated a run to check it.
    public internal(set) var runs = 0
    /// How many of them failed.
    public internal(set) var failures = 0
    /// The numbers of the first runs that failed, in ascending order; at most ``maxListed``.
    public internal(set) var failedRuns: [Int] = []
    /// The first run that failed.
    public internal(set) var failure: ExploredRun?
    /// Whether every class of schedules was seen, as far as an exhaustive strategy can tell.
    public internal(set) var isComplete = false
    /// How far an exhaustive strategy came, in words; nil for others.
    public internal(set) var summary: String?
    /// What the body did whose order is not explored, in words, such as hops to default actors; nil if nothing is known.
    public internal(set) var unseen: String?
    /// What jobs did in a search by chance with nothing coming in between, such as two locks without ``SimulationSettings/Granularity/locks``, in
    /// words; nil if nothing is known.
    public internal(set) var undisturbed: String?
    /// The most steps a run took.
    public internal(set) var longest = 0
    /// Whether any run had a step with more than one choice; otherwise there was nothing to explore.
    public internal(set) var hadChoices = false
    /// A hash of everything that happened in all runs, the same in every process and for any number of workers: two explorations with
    /// the same hash made the same runs. Of a run that ended its process, the steps that were logged count.
    public internal(set) var traceHash: UInt64 = 0
    /// The classes of schedules that the runs belonged to; nil if ``ExplorationOptions/measuresCoverage`` is false.
    public internal(set) var coverage: ExplorationCoverage?
    /// How the runs ended, where ``ExplorationOptions/end`` says it.
    package internal(set) var ends = ExploredEnds()
    /// Whether it ended because somebody asked for that.
    package internal(set) var wasEnded = false
    /// How many processes made runs at the same time.
    public internal(set) var workers = 1
    /// How long the exploration took, in real time.
    public internal(set) var duration: Duration = .zero

    /// The most failed runs that are listed.
    public static let maxListed = 1_000

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// The number of the first run that failed.
    public var firstFailure: Int? { failedRuns.first }

    /// By what jobs may share for what was seen to be all, in words. The compiler copies what is in Synchronization into the code that uses it, and
    /// libraries lock what they have themselves.
    package static let sharing = """
        jobs share only by actors and by locks that are seen, and so by no Mutex or Atomic of Synchronization, by nothing that locks itself, \
        such as objects of Foundation, and by no file
        """

    /// What was explored, in words.
    package var whatWasSeen: String {
        (summary ?? coverage?.description ?? "\(runs) schedules") + (undisturbed.map { "; \($0)" } ?? "")
    }

    /// Why not every order was explored, for who requires it; nil if it was.
    package func reasonNotComplete(_ options: ExplorationOptions) -> String? {
        guard !isComplete else { return nil }
        let reason = summary ?? "strategy \(options.strategyName) cannot tell; exhaustive strategies can"
        return "it is required that every order is explored: \(reason)"
    }

    /// Why what was explored says less than it seems to, where nothing failed; nil if it does not.
    package var warning: String? {
        hadChoices ? unseen : "\(ExplorationCoverage.Warning.nothingToChoose)"
    }

    /// What is the same wherever the same runs were made, and in however many explorations: without addresses of this process, by which only it finds
    /// functions and lines, without whether somebody ended it, and without ``unseen`` and ``undisturbed``, of which each exploration names the
    /// first.
    package var lasting: Exploration {
        var lasting = self
        (lasting.wasEnded, lasting.unseen, lasting.undisturbed) = (false, nil, nil)
        lasting.failure?.trail.places = []
        lasting.failure?.trail.waits = [:]
        return lasting
    }

    mutating func count(_ iteration: Int, _ steps: Span<RunStep>, _ accesses: RunAccesses, _ verdict: RunVerdict) {
        runs += 1
        longest = max(longest, steps.count)
        traceHash &+= mix(steps.traceHash, UInt64(iteration))
        if !hadChoices { hadChoices = steps.indices.contains { steps[$0].alternatives > 1 } }
        coverage?.add(steps, accesses, failed: verdict.isFailure)
        guard verdict.isFailure else { return }
        failures += 1
        if failedRuns.count < Self.maxListed { failedRuns.append(iteration) }
    }

    /// Adds an exploration of other data, or of another piece of a search: together they are complete only if each is, and of two failures the
    /// simpler one is kept, of equals the first.
    package mutating func join(_ other: Exploration) {
        let (isComplete, summary) = (isComplete && other.isComplete, self.isComplete ? other.summary : self.summary)
        let simplest = [failure, other.failure].compactMap(\.self).min {
            $0.schedule.deviations.count < $1.schedule.deviations.count
        }
        var later = other
        later.failedRuns = other.failedRuns.map { $0 + runs }
        merge(later)
        (self.isComplete, self.summary, failure) = (isComplete, summary, simplest)
    }

    /// Says in other words how far it came, and how long that took.
    /// - Parameter isComplete: Whether that is everything.
    package mutating func conclude(_ summary: String, isComplete: Bool, after duration: Duration) {
        (self.summary, self.isComplete, self.duration) = (summary, isComplete, duration)
    }

    /// Adds what another process found in its part of the runs.
    package mutating func merge(_ other: Exploration) {
        if let first = other.firstFailure, first < firstFailure ?? .max { failure = other.failure }
        runs += other.runs
        failures += other.failures
        failedRuns = Array((failedRuns + other.failedRuns).sorted().prefix(Self.maxListed))
        traceHash &+= other.traceHash
        isComplete = isComplete || other.isComplete
        wasEnded = wasEnded || other.wasEnded
        summary = summary ?? other.summary
        unseen = unseen ?? other.unseen
        undisturbed = undisturbed ?? other.undisturbed
        ends.merge(other.ends)
        longest = max(longest, other.longest)
        hadChoices = hadChoices || other.hadChoices
        guard let seen = other.coverage else { return }
        if coverage == nil { coverage = seen } else { coverage?.merge(seen) }
    }
}
