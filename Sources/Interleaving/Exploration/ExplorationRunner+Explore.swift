internal import CInterleaving

extension ExplorationRunner {
    /// Runs the body in many orders, as `explore(_:body:)` does.
    /// - Throws: ``ExplorationError``.
    public func explore(_ options: ExplorationOptions) throws -> Exploration {
        let clock = ContinuousClock()
        let start = clock.now
        stallLimit = options.stallLimit
        let seed = options.seed ?? UInt64.random(in: 1...UInt64.max)
        let plan = ExplorationPlan(options, seed: seed, deadline: options.timeLimit.map { start + $0 })
        var exploration =
            options.workers == 0
            ? try explore(plan, share: WorkerShare(of: options.part), isAskedToEnd: options.isAskedToEnd)
            : try exploreInWorkers(plan, count: options.workers)
        exploration.duration = clock.now - start
        return exploration
    }

    /// Makes a part of the runs of an exploration.
    /// - Parameters:
    ///   - isAskedToEnd: Called before each run; returns whether to end with what was found.
    ///   - limit: Called with the number of a run that failed, or nil; returns the first failed run of all processes, at which to stop.
    ///   - report: Called from time to time with what was found since the last call, and the number of the next run.
    /// - Returns: What was found since the last call of `report`.
    func explore(
        _ plan: ExplorationPlan,
        share: WorkerShare,
        isAskedToEnd: () -> Bool,
        limit: (_ failed: Int?) -> Int = { $0 ?? .max },
        report: ((_ found: Exploration, _ next: Int) -> Void)? = nil
    ) throws -> Exploration {
        let options = plan.options
        var exploration = plan.exploration(settings)
        var strategy = plan.strategy(settings)
        var length = 1
        var stop = Int.max
        let bound = min(options.iterations, options.part.runs.upperBound)
        var iteration = share.next(after: -1)
        while iteration < bound {
            defer { iteration = share.next(after: iteration) }
            if iteration % 64 == share.index % 64 { stop = options.continuesAfterFailure ? .max : limit(nil) }
            if iteration >= stop { break }
            if isAskedToEnd() {
                exploration.wasEnded = true
                break
            }
            if let report, exploration.runs >= 512 {
                report(exploration, iteration)
                exploration = plan.exploration(settings)
            }
            if let deadline = plan.deadline, iteration % 16 == share.index % 16, ContinuousClock.now >= deadline {
                break
            }

            let seed = plan.seed(of: iteration)
            let isBaseline = iteration == 0
            var baseline: any ExplorationStrategy = FirstInFirstOut()
            if !isBaseline {
                strategy.next(run: iteration)
                strategy.begin(seed: mix(seed, 1), length: length)
            }
            let verdict =
                isBaseline
                ? run(seed: seed, strategy: &baseline, iteration: iteration)
                : run(seed: seed, strategy: &strategy, iteration: iteration)
            if !isBaseline { strategy.end(log.span, accesses) }
            if iteration <= firstRuns { length = max(length, log.count) }
            if share.contains(iteration) {
                exploration.count(iteration, log.span, accesses, verdict)
                if let end = options.end {
                    let schedule = RunSchedule(following: log.span)
                    let code = ReplayCode(seed: seed, schedule: schedule, granularity: granularity)
                    exploration.ends.count(end(verdict), failed: verdict.isFailure, run: iteration, code)
                }
                options.observer?(iteration, log.span, verdict)
                if verdict.isFailure {
                    let name = (isBaseline ? baseline : strategy).memberName
                    if exploration.failure == nil {
                        exploration.failure = lastRun(seed: seed, strategy: name, verdict)
                    }
                    if !options.continuesAfterFailure { stop = limit(iteration) }
                }
                // When another thread does something is chance by itself, and what is blocked would be as long again.
                if plan.isChecked(iteration), verdict.kind != "escaped", verdict.kind != "blocked" {
                    try checkDeterminism(seed: seed, iteration: iteration)
                }
                if verdict.isFailure, !options.continuesAfterFailure { break }
            }
            if !isBaseline, strategy.isExhausted { break }
        }
        if let search = strategy as? ExhaustiveSearch {
            exploration.isComplete = search.isComplete
            exploration.summary = search.summary(of: granularity)
        } else {
            exploration.isComplete = strategy.isExhausted
            let undisturbed = [stopped.metTwice ? Self.betweenLocks : neverTaken, untimed].compactMap(\.self)
            exploration.undisturbed = undisturbed.isEmpty ? nil : undisturbed.joined(separator: "; ")
        }
        exploration.unseen = unseen
        if exploration.isComplete {
            let ended = exploration.failures > 0 && !options.continuesAfterFailure
            if let reason = unseen ?? unordered(strategy) ?? (ended ? "a run failed, which ended the search" : nil) {
                exploration.isComplete = false
                exploration.summary = "not complete: \(reason)"
            } else if !assumptions.isEmpty {
                exploration.summary = exploration.summary.map { "\($0), if \(assumptions.joined(separator: "; if "))" }
            }
        }
        return exploration
    }

    /// What the runs did that is not explored, in words; nil if nothing is known.
    private var unseen: String? {
        if let work = foreignWork {
            return "\(work) hands work to another thread, and when that does it is not explored"
        }
        if settings.granularity != granularity, let reason = SimulationSettings.reasonNotToStop {
            return "each job ran whole, although the settings say granularity: .\(settings.granularity): \(reason)"
        }
        if settings.workTakes.upperBound > .zero {
            return "steps take time, and how long they take is drawn, not explored"
        }
        if let sleep = stopped.wholeSleep {
            let place = CodePlace.description(of: sleep.place).map { " \($0)" } ?? ""
            return
                "\(sleep.name)\(place) slept in a job that runs whole, and what others could do meanwhile is not explored; set granularity: .stops, or await a Task.sleep"
        }
        if stopped.wereTooMany { return "more than \(StoppedJobs.most) jobs were stopped at once, and others ran on" }
        guard unseenHops > 0 else { return nil }
        return
            "the body hops to default actors, and what could come in between is not explored; give each actor a SimulatedExecutor, or set granularity: .stops"
    }

    /// What has to hold for what was seen to be all, in words.
    private var assumptions: [String] { [blindness, timeless].compactMap(\.self) }

    /// Whether time made a difference, or could have.
    private var usedTime: Bool {
        settings.workTakes.upperBound == .zero && (stopped.hadTimers || stopped.saw(INTERLEAVING_CLOCK))
    }

    private var timeless: String? {
        guard !settings.takesJobsWhole, usedTime else { return nil }
        return "work takes no time, so that no sleep ends while anything else can happen (workTakes lets it)"
    }

    private var untimed: String? {
        usedTime ? "work took no time, so no sleep ended while anything else could happen; set workTakes" : nil
    }

    /// What cannot be seen in this process, and so has to hold where nothing was seen, in words; nil if there is nothing.
    private var blindness: String? {
        guard !settings.takesJobsWhole else { return nil }
        if !interleaving_sees_hops() {
            return "no actor has the default executor, which cannot be seen in a statically linked program"
        }
        if granularity == .jobs, !interleaving_sees_locks() {
            return "no job takes two locks, which cannot be seen here"
        }
        return Exploration.sharing
    }

    private static let betweenLocks = """
        a job took two locks, used a stream twice, or looked whether a task is cancelled, and what others could do in \
        between is not explored; set granularity: .locks
        """

    /// What is at no granularity interrupted by all that could come, in words; nil if there was nothing.
    private var neverTaken: String? {
        if stopped.saw(INTERLEAVING_QUEUE) {
            return
                "something ran on a dispatch queue, where no job is stopped, nor between two turns there; use an actor or a lock"
        }
        if stopped.saw(INTERLEAVING_BUFFER) {
            return "streams kept what nobody waited for, and what is taken from a buffer is taken at once"
        }
        if stopped.saw(INTERLEAVING_RANDOM) {
            return "random numbers of the system or a UUID were drawn, which are not searched through"
        }
        guard stopped.saw(INTERLEAVING_TRY) else { return nil }
        return
            "a lock was tried, which fails only if its holder was stopped meanwhile, and who only holds it is not stopped"
    }

    /// What the runtime changes by itself where nobody is stopped before, in words; nil if there was nothing.
    private var unstopped: String? {
        if stopped.saw(INTERLEAVING_EMPTY) {
            return
                "a group was asked whether it is empty, and no child is stopped between what it does last and its end"
        }
        if stopped.saw(INTERLEAVING_PRIORITY) {
            return
                "a task looked at its priority, and who raises it by waiting for it, or asks for that, is not stopped before"
        }
        let cancelsUnasked = stopped.hadChildren && stopped.saw(INTERLEAVING_SCOPE)
        if stopped.saw(INTERLEAVING_HANDLER), cancelsUnasked || stopped.saw(INTERLEAVING_CANCEL) {
            return
                "a cancellation handler was registered, and nobody is stopped between what it is for and taking it away again"
        }
        if cancelsUnasked, stopped.saw(INTERLEAVING_CHILD) || stopped.saw(INTERLEAVING_STREAM) {
            return
                "a child slept, used a stream or looked whether it is cancelled, and where an error or the end of a scope cancels it, nobody is stopped before"
        }
        return nil
    }

    /// What depends on more than steps report, in words; nil if there was nothing.
    private var unreported: String? {
        if stopped.saw(INTERLEAVING_HANDLER) { return "a cancellation handler was registered, and what it depends on" }
        if stopped.saw(INTERLEAVING_LIMIT) { return "a wait had a limit on time, and what ends it" }
        if stopped.saw(INTERLEAVING_PRIORITY) { return "a task looked at its priority, and what raises that" }
        let cancelling = "and when a failure or the end of a scope cancels them"
        if stopped.saw(INTERLEAVING_CHILD) {
            return "a child slept, or somebody looked whether a child or a group is cancelled, \(cancelling)"
        }
        if stopped.hadChildren, stopped.saw(INTERLEAVING_STREAM) {
            return "a stream was used beside children, \(cancelling)"
        }
        guard stopped.saw(INTERLEAVING_CANCEL) else { return nil }
        if stopped.saw(INTERLEAVING_STREAM) {
            return "a task was cancelled where there is a stream, and what ends that"
        }
        return stopped.hadTimers ? "a task was cancelled where one sleeps, and what ends that" : nil
    }

    /// Why a search that has ended has not seen every order of stops, in words.
    private func unordered(_ strategy: any ExplorationStrategy) -> String? {
        if stopped.turns > 0 {
            return
                "tasks had to wait for a default actor or were begun on one, and between two that it takes in turn there is no stop; give each actor a SimulatedExecutor"
        }
        if stopped.wereLate {
            return
                "a job was not stopped while it was on a dispatch queue, had a reader-writer lock or made a global variable"
        }
        if stopped.wereFair {
            return
                "a run took \(settings.maxSteps / 2) steps, and what follows is first in, first out; set maxSteps to more than \(settings.maxSteps)"
        }
        if stopped.metTwice {
            return Self.betweenLocks
        }
        if let neverTaken { return neverTaken }
        switch (strategy as? ExhaustiveSearch)?.dependency {
        case .reported, .executors: if let unreported { return "\(unreported) is not reported; choose exhaustive-all" }
        default: break
        }
        if let unstopped { return unstopped }
        if stopped.atActors > 0, case .executors = (strategy as? ExhaustiveSearch)?.dependency {
            return "the body hops to default actors, whose steps this strategy takes for independent; choose exhaustive"
        }
        return nil
    }

    /// Repeats the last run, and compares.
    private func checkDeterminism(seed: UInt64, iteration: Int) throws {
        let first = steps
        var strategy: any ExplorationStrategy = Replay(RunSchedule(following: first))
        strategy.begin(seed: seed, length: first.count)
        _ = run(seed: seed, strategy: &strategy, iteration: iteration)
        if let difference = RunDifference(first, steps) {
            throw ExplorationError.nondeterministic(difference)
        }
    }
}

extension ExplorationStrategy {
    /// The name of the portfolio's member that the last run followed, or the strategy's own.
    fileprivate var memberName: String {
        if let injection = self as? FaultInjection { return injection.base.memberName }
        return (self as? Portfolio)?.member ?? name
    }
}
