internal import StrictJSON

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension ExplorationRunner {
    /// Explores in forked processes.
    func exploreInWorkers(_ plan: ExplorationPlan, count: Int) throws(ExplorationError) -> Exploration {
        let isDivisible = plan.strategy(settings).isDivisible
        let count = isDivisible ? min(count, plan.options.iterations) : 1
        return try WorkerPool(plan, self, count: count, canGoOn: isDivisible).explore()
    }

    /// Runs the body once in a forked process, so that a trap is a failure of the run. This costs about a millisecond, so it suits a few runs.
    /// What the body leaves behind in memory is lost.
    /// - Throws: ``ExplorationError``
    package func runApart(
        seed: UInt64,
        strategy: any ExplorationStrategy,
        stallLimit: Duration = .seconds(10)
    ) throws(ExplorationError) -> ExploredRun {
        let log = try StepLog(capacity: settings.maxSteps)
        let worker = try WorkerProcess { [self] result in
            use(log)
            var strategy = strategy
            strategy.begin(seed: mix(seed, 1), length: 1)
            let verdict = run(seed: seed, strategy: &strategy)
            result.write(lastRun(seed: seed, strategy: strategy.name, verdict).json.line)
        }
        var watch = StallWatch(limit: stallLimit)
        while worker.isOpen {
            var polled = worker.polled
            _ = poll(&polled, nfds_t(polled.count), 100)
            worker.read(polled[...])
            if watch.isStalled(at: log.written.count) { worker.stop() }
        }
        switch worker.wait() {
        case .signal(let number):
            return try Trap.run(
                seed: seed,
                strategy: strategy.name,
                log,
                signal: number,
                complaints: worker.complaints,
                watch
            )
        case .exited(let code):
            guard let line = worker.takeLines().first, let run = ExploredRun(json: try? JSONValue(parsing: line)) else {
                throw .workerLost("it exited with \(code)")
            }
            return run
        }
    }
}
