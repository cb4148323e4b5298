internal import Interleaving
internal import Basics

extension Race {
    /// What a proof rests on.
    package struct Proof: Sendable {
        /// What has to hold of the code for the result to be one, one sentence each.
        package let assumptions: [String]
        /// What was not searched, one sentence each.
        package let notSearched: [String]
        /// How many combinations of times the steps draw that wait for a time from a range.
        package let times: Int
    }

    /// Runs the scenario once for each class of orders, and with each combination of the times that its steps draw, until one goes wrong,
    /// all were run, or the time is over. Orders that differ only in what makes no difference to each other, such as what two windows do that
    /// share nothing meanwhile, are one class. ``Options/iterations`` and ``Options/strategy`` do not count.
    ///
    /// First it searches a while by chance: where many orders go wrong, that finds one sooner than trying them in turn.
    /// - Throws: `ExplorationError` if this process cannot be explored; ``TooManyTimes``.
    package func prove(_ options: Options) async throws -> RaceReport {
        guard let combinations = DrawnTimes(scenario).combinations else { throw TooManyTimes() }
        let clock = ContinuousClock()
        let start = clock.now
        var search = options
        search.iterations = Self.searchedFirst
        search.strategy = .portfolio
        var report = try await self.search(search)
        if report.found == nil, !report.exploration.wasEnded {
            var (exploration, tried) = try await tryAll(combinations, options, since: start)
            // The time may be over already.
            if exploration.runs == 0 { exploration = report.exploration }
            let parts = combinations > 1 ? " (combination \(tried) of \(combinations) of times)" : ""
            conclude(&exploration, combinations, where: parts, after: clock.now - start)
            report = try await self.report(
                options,
                exploration,
                survey: options.countsEnds ? exploration : nil,
                by: .exhaustiveReported
            )
        }
        report.proof = proof(options, combinations)
        report.planned = nil
        report.note(options.timeLimit)
        return report
    }

    /// Says in words how far a proof came.
    /// - Parameter parts: Where it stopped, if it is not complete.
    func conclude(
        _ exploration: inout Exploration,
        _ combinations: Int,
        where parts: String,
        after duration: Duration
    ) {
        let classes = exploration.coverage?.classes ?? 0
        let count = "\(classes) \(classes == 1 ? "class" : "classes")"
        let times = combinations > 1 ? " in all, with each of \(combinations) combinations of times" : ""
        let summary =
            if exploration.isComplete {
                "complete: \(count) of orders\(times)"
            } else if exploration.failure == nil {
                (exploration.summary ?? "not complete: the time was over") + parts
            } else {
                "not complete: a race was found" + parts
            }
        exploration.conclude(summary, isComplete: exploration.isComplete, after: duration)
    }

    /// What a proof rests on.
    func proof(_ options: Options, _ combinations: Int) -> Proof {
        Proof(
            assumptions: hasCode
                ? [
                    "The app's code in Swift shares state only through actors that have a SimulatedExecutor, and does not look at which tasks have ended or are cancelled."
                ] : [],
            notSearched: [
                "The set-up and the host's end: what became possible first happened first.",
                "Work that takes time: time goes on only when nothing else can happen, so nothing is still under way when a wait ends.",
                options.granularity == .locks
                    ? "What happens within one step, from one suspension or access to what is shared to the next: data races are for Thread Sanitizer."
                    : "What happens within one step, from one suspension to the next: two threads at the same time are for Thread Sanitizer.",
            ],
            times: combinations
        )
    }

    /// How many orders are tried by chance first.
    private static let searchedFirst = 300

    /// Searches each combination of times to its end, as long as nothing goes wrong.
    /// - Returns: What was found, and how many combinations were begun.
    private func tryAll(
        _ combinations: Int,
        _ options: Options,
        since start: ContinuousClock.Instant
    ) async throws -> (Exploration, tried: Int) {
        func part(_ number: Int) async throws -> Exploration {
            var exploring = proving(options, combination: number)
            exploring.timeLimit = options.timeLimit.map { max($0 - (.now - start), .zero) }
            return try await explore(exploring, body: body.run)
        }
        var exploration = try await part(0)
        var tried = 1
        while tried < combinations, exploration.failure == nil, exploration.isComplete, !exploration.wasEnded {
            exploration.join(try await part(tried))
            tried += 1
        }
        return (exploration, tried)
    }

    /// How the explorer searches a combination of times, without a limit on time.
    func proving(_ options: Options, combination: Int) -> ExplorationOptions {
        var exploring = ExplorationOptions(
            iterations: .max,
            seed: options.seed ?? 1,
            strategy: .exhaustiveReported,
            settings: settings(options.granularity),
            determinismChecks: 0,
            workers: options.jobs
        )
        exploring.coverageDependency = .reported(mailbox)
        exploring.dataSeed = DrawnTimes.seed(combination)
        exploring.isAskedToEnd = options.isAskedToEnd
        if options.countsEnds { exploring.end = { [body] in Self.end(of: body, $0) } }
        return exploring
    }

    /// A scenario whose steps draw so many times that not every combination can be tried.
    package struct TooManyTimes: Error, CustomStringConvertible {
        package var description: String {
            "the steps that wait draw their times from ranges with more than \(DrawnTimes.most) combinations; give them shorter ranges, or single times"
        }
    }
}

/// The times that steps of a scenario draw from ranges, and their combinations, each of which has a seed of its own: so the word that repeats
/// a run says which it had.
struct DrawnTimes: Sendable {
    private let ranges: [(step: String, range: ClosedRange<Int>)]

    /// The most combinations.
    static let most = 1_000_000
    /// The seeds of combinations begin here. One in 2⁴⁴ seeds of other runs is among them.
    private static let firstSeed: UInt64 = 0xD0 << 56

    init(_ scenario: Scenario) {
        ranges = scenario.steps.compactMap { step in
            if case .wait(let range) = step.action, range.count > 1 { (step.name, range) } else { nil }
        }
    }

    /// How many there are; `nil` if there are too many.
    var combinations: Int? {
        var count = 1
        for (_, range) in ranges {
            let (product, overflow) = count.multipliedReportingOverflow(by: range.count)
            guard !overflow, product <= Self.most else { return nil }
            count = product
        }
        return count
    }

    /// The seed of a combination, counted from 0.
    static func seed(_ number: Int) -> UInt64 { firstSeed + UInt64(number) }

    /// The combination that a generator stands for, by the names of the steps; `nil` if it is an ordinary one.
    func times(of generator: SplitMix) -> [String: Int]? {
        guard let combinations, generator.state >= Self.firstSeed,
            generator.state - Self.firstSeed < UInt64(combinations)
        else { return nil }
        var rest = Int(generator.state - Self.firstSeed)
        var times: [String: Int] = [:]
        for (step, range) in ranges {
            times[step] = range.lowerBound + rest % range.count
            rest /= range.count
        }
        return times
    }
}
