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
    /// - Throws: `ExplorationError` if this process cannot be explored; ``TooManyTimes``.
    package func prove(_ options: Options) async throws -> RaceReport {
        let drawn = DrawnTimes(scenario)
        guard let combinations = drawn.combinations else { throw TooManyTimes() }
        let deadline = options.timeLimit.map { ContinuousClock.now + $0 }
        var exploration: Exploration?
        for number in 0..<combinations {
            let rest = deadline.map { max($0 - .now, .zero) }
            if let known = exploration, known.failure != nil || !known.isComplete || known.wasEnded { break }
            var exploring = ExplorationOptions(
                iterations: .max,
                timeLimit: rest,
                seed: options.seed ?? 1,
                strategy: .exhaustiveReported,
                settings: settings,
                determinismChecks: 0,
                workers: options.jobs
            )
            exploring.coverageDependency = .reported(mailbox)
            exploring.dataSeed = DrawnTimes.seed(number)
            exploring.isAskedToEnd = options.isAskedToEnd
            if options.countsEnds { exploring.end = { [body] in Self.end(of: body, $0) } }
            let part = try await explore(exploring, body: body.run)
            if exploration == nil { exploration = part } else { exploration?.join(part) }
        }
        guard var exploration else { throw TooManyTimes() }
        let classes = exploration.coverage?.classes ?? 0
        let times = combinations > 1 ? " with each of \(combinations) combinations of times" : ""
        if exploration.isComplete {
            exploration.conclude(
                isComplete: true,
                "complete: \(classes) \(classes == 1 ? "class" : "classes") of orders\(times)"
            )
        }
        var report = try await self.report(options, exploration, survey: options.countsEnds ? exploration : nil)
        report.proof = Proof(
            assumptions: hasCode
                ? [
                    "The app's code in Swift shares state only through actors that have a SimulatedExecutor, and nobody looks at the order in which the tasks of a group end."
                ] : [],
            notSearched: [
                "The set-up and the host's end: what became possible first happened first.",
                "What happens within one step, from one suspension to the next: two threads at the same time are for Thread Sanitizer.",
            ],
            times: combinations
        )
        return report
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
