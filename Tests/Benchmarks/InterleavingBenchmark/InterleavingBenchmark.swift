import Figures
import Glibc
import Interleaving

/// Measures how many schedules a second are explored, by strategy, by length of a run and by number of processes.
///
///     make bench ARGS=bench-interleaving
@main
struct InterleavingBenchmark {
    static func main() async throws {
        for workload in Workload.all {
            for strategy in Self.strategies {
                try await measure(workload, strategy)
            }
        }
        try await measureGranularities()
        try await measureClasses()
        try await measureScaling()
    }

    private static let strategies: [StrategyName] = [.fifo, .random, .pos, .portfolio, .exhaustive(preemptions: nil)]

    private static func options(_ strategy: StrategyName, seconds: Double, workers: Int = 0) -> ExplorationOptions {
        ExplorationOptions(
            iterations: 1_000_000_000,
            timeLimit: .seconds(seconds),
            seed: 1,
            strategy: strategy,
            settings: SimulationSettings(granularity: .jobs),
            determinismChecks: 0,
            measuresCoverage: false,
            workers: workers
        )
    }

    /// A step's processor time, relative to a virtual call through a heap of boxes.
    private static func measure(_ workload: Workload, _ strategy: StrategyName) async throws {
        var rates: [Double] = []
        var calls: [Double] = []
        var longest = 0
        for _ in 0..<5 {
            let reference = Reference.callsPerSecond()
            let start = processorSeconds(RUSAGE_SELF)
            let found = try await explore(options(strategy, seconds: 0.6), body: workload.body)
            if let failure = found.failure { throw Failure(reason: "\(workload.name): \(failure.verdict)") }
            rates.append(Double(found.runs) / (processorSeconds(RUSAGE_SELF) - start))
            longest = found.longest
            calls.append(reference / (rates[rates.count - 1] * Double(longest)))
        }
        let goal = strategy == .portfolio ? workload.goal.map(Figure.Goal.atLeast) : nil
        try FigureLog.add(
            Figure("interleaving", "schedules/s, \(workload.name), \(strategy)", in: "schedules/s", rates, goal: goal)
        )
        try FigureLog.add(
            Figure(
                "interleaving",
                "a step of \(workload.name), \(strategy)",
                to: "a virtual call through a heap of boxes",
                calls
            )
        )
    }

    /// Schedules per second where jobs are stopped, relative to whole jobs.
    private static func measureGranularities() async throws {
        if let reason = SimulationSettings.reasonNotToStop {
            throw Failure(reason: "no job can be stopped here: \(reason)")
        }
        for workload in Workload.all + [.locks] {
            let places = SimulationSettings.Granularity.allCases
            var rates: [[Double]] = places.map { _ in [] }
            var longest = places.map { _ in 0 }
            for _ in 0..<3 {
                for (index, place) in places.enumerated() {
                    var options = options(.random, seconds: 0.5)
                    options.settings.granularity = place
                    let found = try await explore(options, body: workload.body)
                    if let failure = found.failure { throw Failure(reason: "\(workload.name): \(failure.verdict)") }
                    rates[index].append(Double(found.runs) / seconds(found.duration))
                    longest[index] = max(longest[index], found.longest)
                }
            }
            for index in places.indices.dropFirst() {
                try FigureLog.add(
                    Figure(
                        "interleaving",
                        "schedules/s, \(workload.name), granularity \(places[index])",
                        to: "whole jobs",
                        zip(rates[index], rates[0]).map { $0 / $1 },
                        detail: "\(longest[index]) steps instead of \(longest[0])"
                    )
                )
            }
        }
    }

    /// New classes of schedules per second, relative to plain random choice.
    private static func measureClasses() async throws {
        let strategies = [StrategyName.random, .pos, .portfolio, .exhaustive(preemptions: nil)]
        var rates: [[Double]] = strategies.map { _ in [] }
        for _ in 0..<3 {
            for (index, strategy) in strategies.enumerated() {
                var options = options(strategy, seconds: 1)
                options.measuresCoverage = true
                let found = try await explore(options, body: Workload.all[1].body)
                rates[index].append(Double(found.coverage?.classes ?? 0) / seconds(found.duration))
            }
        }
        for (strategy, rate) in zip(strategies, rates).dropFirst() {
            try FigureLog.add(
                Figure(
                    "interleaving",
                    "new classes of schedules/s, \(strategy)",
                    to: "random choice",
                    zip(rate, rates[0]).map { $0 / $1 }
                )
            )
        }
    }

    private static func measureScaling() async throws {
        let workload = Workload.all[0]
        let counts = [1, 2, 4]
        var rates: [[Double]] = counts.map { _ in [] }
        var used = counts.map { _ in 0.0 }
        for _ in 0..<3 {
            for (index, workers) in counts.enumerated() {
                let start = processorSeconds(RUSAGE_CHILDREN)
                let found = try await explore(options(.random, seconds: 1, workers: workers), body: workload.body)
                rates[index].append(Double(found.runs) / seconds(found.duration))
                used[index] = (processorSeconds(RUSAGE_CHILDREN) - start) / seconds(found.duration)
            }
        }
        for index in counts.indices.dropFirst() {
            try FigureLog.add(
                Figure(
                    "interleaving",
                    "schedules/s in \(counts[index]) processes",
                    to: "one process",
                    zip(rates[index], rates[0]).map { $0 / $1 },
                    detail: "with \((used[index] * 10).rounded() / 10) processors"
                )
            )
        }
    }

    private static func processorSeconds(_ whose: __rusage_who) -> Double {
        var usage = rusage()
        getrusage(whose.rawValue, &usage)
        let micro = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(micro) / 1e6
    }

    private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}

struct Failure: Error {
    let reason: String
}
