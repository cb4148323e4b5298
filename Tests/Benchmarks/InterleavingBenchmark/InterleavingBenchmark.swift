import Glibc
import Interleaving

/// Measures how many schedules a second are explored, by strategy, by length of a run and by number of processes.
///
///     make bench ARGS=bench-interleaving
@main
struct InterleavingBenchmark {
    static func main() async throws {
        let reference = Reference.callsPerSecond()
        print("reference: \(whole(reference)) virtual calls a second through a heap of boxes")
        for workload in Workload.all {
            for strategy in Self.strategies {
                try await measure(workload, strategy, reference: reference)
            }
        }
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
            determinismChecks: 0,
            measuresCoverage: false,
            workers: workers
        )
    }

    /// The best of three, in time of the processor: whatever else the machine does only ever makes it slower.
    private static func measure(_ workload: Workload, _ strategy: StrategyName, reference: Double) async throws {
        var best = 0.0
        var longest = 0
        for _ in 0..<3 {
            let start = processorSeconds(RUSAGE_SELF)
            let found = try await explore(options(strategy, seconds: 1), body: workload.body)
            if let failure = found.failure { throw Failure(reason: "\(workload.name): \(failure.verdict)") }
            best = max(best, Double(found.runs) / (processorSeconds(RUSAGE_SELF) - start))
            longest = found.longest
        }
        let calls = reference / (best * Double(longest))
        print(
            "\(workload.name), \(strategy): \(whole(best)) schedules/s of \(longest) steps; a step is \(whole(1e9 / best / Double(longest))) ns, or \(whole(calls)) reference calls"
        )
    }

    /// New classes of schedules a second, against plain random choice.
    private static func measureClasses() async throws {
        var random = 0.0
        for strategy in [StrategyName.random, .pos, .portfolio, .exhaustive(preemptions: nil)] {
            var options = options(strategy, seconds: 2)
            options.measuresCoverage = true
            let found = try await explore(options, body: Workload.all[1].body)
            let classes = Double(found.coverage?.classes ?? 0) / seconds(found.duration)
            if strategy == .random { random = classes }
            print("classes, \(strategy): \(whole(classes)) a second, \(tenths(classes / random)) times random choice")
        }
    }

    private static func measureScaling() async throws {
        let workload = Workload.all[0]
        var one = 0.0
        for workers in [1, 2, 4] {
            let start = processorSeconds(RUSAGE_CHILDREN)
            let found = try await explore(options(.random, seconds: 2, workers: workers), body: workload.body)
            let rate = Double(found.runs) / seconds(found.duration)
            if workers == 1 { one = rate }
            let used = (processorSeconds(RUSAGE_CHILDREN) - start) / seconds(found.duration)
            print(
                "\(workers) workers: \(whole(rate)) schedules/s, \(tenths(rate / one)) times one worker, with \(tenths(used)) processors"
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
    private static func whole(_ value: Double) -> Int { Int(value.rounded()) }
    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

struct Failure: Error {
    let reason: String
}
