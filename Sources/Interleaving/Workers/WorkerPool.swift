internal import Basics
internal import CInterleaving
internal import StrictJSON

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The worker processes of one exploration, each of which makes its share of the runs.
final class WorkerPool {
    private struct Member {
        var share: WorkerShare
        let log: StepLog
        var found: Exploration
        var process: WorkerProcess?
        var hasReported = false
        var watch: StallWatch
    }

    private let plan: ExplorationPlan
    private let runner: ExplorationRunner
    /// Whether the search can go on after a run ended its process.
    private let canGoOn: Bool
    /// The first run that failed. Later runs need not be made.
    private let limit: SharedMinimum
    /// Lowered to 0 once the workers shall end.
    private let end: SharedMinimum
    private var members: [Member] = []
    /// The runs that made no step for too long, once; -1 is what is between runs. The machine may have stood still, or the fork may have
    /// come while another thread held a lock, so that such a run is made again before it is called blocked.
    private var doubted: Set<Int> = []

    init(_ plan: ExplorationPlan, _ runner: ExplorationRunner, count: Int, canGoOn: Bool) throws(ExplorationError) {
        self.plan = plan
        self.runner = runner
        self.canGoOn = canGoOn
        limit = try SharedMinimum()
        end = try SharedMinimum()
        for index in 0..<count {
            members.append(
                Member(
                    share: WorkerShare(of: plan.options.part, worker: index, of: count),
                    log: try StepLog(capacity: runner.settings.maxSteps),
                    found: plan.exploration(runner.settings),
                    watch: StallWatch(limit: plan.options.stallLimit)
                )
            )
        }
    }

    /// Makes all runs.
    func explore() throws(ExplorationError) -> Exploration {
        for index in members.indices { try start(index) }
        while members.contains(where: { $0.process != nil }) {
            var polled: [pollfd] = []
            for member in members { polled += member.process?.polled ?? WorkerProcess.nothingToPoll }
            _ = poll(&polled, nfds_t(polled.count), 100)
            if plan.options.isAskedToEnd() { end.lower(to: 0) }
            for index in members.indices { try attend(index, polled[(2 * index)..<(2 * index + 2)]) }
        }
        var exploration = plan.exploration(runner.settings)
        for member in members { exploration.merge(member.found) }
        exploration.workers = members.count
        return exploration
    }

    private func start(_ index: Int) throws(ExplorationError) {
        let (plan, runner, limit, end) = (plan, runner, limit, end)
        let (share, log) = (members[index].share, members[index].log)
        members[index].hasReported = false
        members[index].watch = StallWatch(limit: plan.options.stallLimit)
        members[index].process = try WorkerProcess { result in
            runner.use(log)
            do {
                let found = try runner.explore(
                    plan,
                    share: share,
                    isAskedToEnd: { end.lower() == 0 },
                    limit: { failed in limit.lower(to: failed ?? .max) },
                    report: { found, next in result.write(WorkerMessage.found(found, next: next).line) }
                )
                result.write(WorkerMessage.found(found, next: nil).line)
            } catch {
                result.write(WorkerMessage.error(error as? ExplorationError ?? .workerLost("\(error)")).line)
            }
        }
    }

    private func attend(_ index: Int, _ polled: ArraySlice<pollfd>) throws(ExplorationError) {
        guard let process = members[index].process else { return }
        process.read(polled)
        for line in process.takeLines() { try take(line, index) }
        let written = members[index].log.written
        if members[index].watch.isStalled(at: written.runs &* 1_000_003 &+ written.count) { process.stop() }
        guard !process.isOpen else { return }
        members[index].process = nil
        switch process.wait() {
        case .exited(0) where members[index].hasReported: break
        case .exited(let code): throw .workerLost("it exited with \(code)\(Self.text(process.complaints))")
        case .signal where members[index].hasReported && !members[index].watch.hasStalled: break
        case .signal(let number): try goOn(index, afterSignal: number, process.complaints)
        }
    }

    private func take(_ line: [UInt8], _ index: Int) throws(ExplorationError) {
        switch WorkerMessage(line: line) {
        case .found(let found, let next):
            members[index].found.merge(found)
            if let next { members[index].share.first = next } else { members[index].hasReported = true }
        case .error(let error): throw error
        case nil: throw .workerLost("its message was cut off")
        }
    }

    /// Counts a run that ended its process as failed, or makes it again, and starts another process for the remaining runs.
    /// - Throws: ``ExplorationError/workerKilled(signal:order:)`` if the run did not do it.
    private func goOn(_ index: Int, afterSignal signal: CInt, _ complaints: [UInt8]) throws(ExplorationError) {
        let written = members[index].log.written
        let iteration = written.iteration
        let isInRun = written.runs > 0 && !members[index].share.done.contains(iteration)
        let isOver = end.lower() == 0 || plan.deadline.map { ContinuousClock.now >= $0 } ?? false
        // A search that cannot go on can begin anew, as long as it has told nothing.
        let canBeAgain = canGoOn || members[index].found.runs == 0
        if members[index].watch.hasStalled, canBeAgain, !isOver, doubted.insert(isInRun ? iteration : -1).inserted {
            return try start(index)
        }
        guard isInRun else { throw .workerLost("signal \(signal) ended it between runs\(Self.text(complaints))") }
        let run = try Trap.run(
            seed: plan.seed(of: iteration),
            strategy: iteration == 0 ? "fifo" : plan.strategy(runner.settings).name,
            members[index].log,
            signal: signal,
            complaints: complaints,
            members[index].watch
        )
        // The first run of a part that begins later is not counted, but with it the search has ended.
        if members[index].share.contains(iteration) || !canGoOn {
            if iteration < members[index].found.firstFailure ?? .max { members[index].found.failure = run }
            members[index].found.count(iteration, run.steps.elements, run.accesses, run.verdict)
            if plan.options.end != nil {
                let end = "\(run.verdict)".prefix { !$0.isNewline }
                members[index].found.ends.count(String(end), failed: true, run: iteration, run.code)
            }
            if !plan.options.continuesAfterFailure { limit.lower(to: iteration) }
        }
        members[index].share.done.insert(iteration)
        if canGoOn {
            if end.lower() == 0 { members[index].found.wasEnded = true }
            if !isOver { try start(index) }
        } else {
            members[index].found.summary = "not complete: run \(iteration) ended the process and so the search"
        }
    }

    private static func text(_ complaints: [UInt8]) -> String {
        complaints.isEmpty ? "" : ": \(String(decoding: complaints.suffix(500), as: UTF8.self))"
    }
}

/// A number in memory that a process shares with its forks, and that each of them can lower.
final class SharedMinimum {
    private let memory: UnsafeMutableRawPointer

    /// Begins with the highest number.
    /// - Throws: ``ExplorationError/noMemory(steps:)``
    init() throws(ExplorationError) {
        guard let memory = interleaving_map(MemoryLayout<Int64>.size) else { throw .noMemory(steps: 1) }
        self.memory = memory
        memory.storeBytes(of: Int64.max, as: Int64.self)
    }

    deinit {
        interleaving_unmap(memory, MemoryLayout<Int64>.size)
    }

    /// Lowers the number to another, if the other is lower.
    /// - Returns: The number after that.
    @discardableResult
    func lower(to other: Int = .max) -> Int {
        Int(interleaving_lower(memory, Int64(other)))
    }
}
