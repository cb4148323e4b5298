internal import CInterleaving
internal import Synchronization

/// Runs the tasks of one body on one thread, one job after the other, in the order that a strategy chooses.
///
/// It belongs to the thread that made it: everything here happens on that thread, which is what makes it safe without a lock.
/// Executors find it by the thread they are called on (``current``).
final class Simulator {
    /// How a job is run: the executor that the runtime is told it is on.
    enum Target {
        case generic
        case serial(UnownedSerialExecutor)
        case task(UnownedTaskExecutor)
    }

    struct Pending {
        let job: UnownedJob
        let target: Target
        var enabler: Int32
    }

    struct Timer {
        let deadline: Int64
        let job: UnownedJob
        let choice: Choice
    }

    let mailbox: MailboxPolicy
    let maxSteps: Int
    let allowsTaskLeaks: Bool

    // Everything here happens on one thread, in no callback of the other, so accesses are not checked for overlap: that costs as
    // much as all else that a step takes here.

    /// What could happen, in the order it became possible, and beside it how.
    @exclusivity(unchecked) var choices: [Choice] = []
    @exclusivity(unchecked) var pending: [Pending] = []
    /// How many pending jobs each serial executor has, by its number, and how many wait behind another of the same executor.
    @exclusivity(unchecked) private var queued: [Int32] = [0]
    @exclusivity(unchecked) private var waitingBehind = 0
    /// Those that the mailbox policy offers, where these are not all.
    @exclusivity(unchecked) var offered: [Choice] = []
    @exclusivity(unchecked) var offeredIndices: [Int] = []

    @exclusivity(unchecked) var timers: [Timer] = []
    @exclusivity(unchecked) private(set) var tasks = TaskTable()
    @exclusivity(unchecked) private var executors: [AnyObject] = []
    /// What was done, with room for `maxSteps`.
    @exclusivity(unchecked) var log: StepLog
    @exclusivity(unchecked) var now: Int64 = 0
    @exclusivity(unchecked) var runningTask = -1

    let faults: Faults
    /// How many more may happen in this run.
    @exclusivity(unchecked) var faultsLeft = 0
    /// Beside the faults at the end of ``offered``, what they do.
    @exclusivity(unchecked) var effects: [FaultEffect] = []
    /// The serial executors that a fault keeps waiting.
    @exclusivity(unchecked) var held: [HeldExecutor] = []
    @exclusivity(unchecked) var jumps = 0
    /// What happened at the steps that were faults.
    @exclusivity(unchecked) var notes: [Int: String] = [:]

    /// Whether the root of the run has ended; nothing that is recorded after the cleanup began counts.
    @exclusivity(unchecked) private(set) var rootHasEnded = false
    @exclusivity(unchecked) private var isCleaningUp = false
    @exclusivity(unchecked) private(set) var failure: String?
    /// Tells the runs of a process apart, so that an executor knows whether its number is of this run.
    @exclusivity(unchecked) private(set) var run: UInt64 = 0
    /// The number of the main executor in this run; 0 until it is used.
    @exclusivity(unchecked) private var mainExecutor = 0
    /// How long to wait, once, for a foreign thread that a run at rest may be waiting for, in milliseconds.
    @exclusivity(unchecked) var patience: Int
    private static let runs = Atomic<UInt64>(0)
    /// How many hops to default actors all runs so far had: places where another task could have come in between, and none was asked.
    private(set) var unseenHops: UInt64 = 0

    /// - Throws: ``ExplorationError/noMemory(steps:)``
    init(_ settings: SimulationSettings) throws(ExplorationError) {
        mailbox = settings.mailbox
        maxSteps = settings.maxSteps
        allowsTaskLeaks = settings.allowsTaskLeaks
        faults = settings.faults
        patience = settings.escapePatience
        log = try StepLog(capacity: settings.maxSteps)
    }

    /// The simulation that runs on this thread.
    @inline(__always)
    static var current: Simulator? {
        guard let pointer = interleaving_current() else { return nil }
        return Unmanaged<Simulator>.fromOpaque(pointer).takeUnretainedValue()
    }

    // MARK: What the executors say

    /// A job became possible.
    func enqueue(_ job: UnownedJob, target: Target, executor: Int) {
        guard let event = event(of: job, isTimer: false) else { return }
        add(
            Choice(
                event: event.id,
                task: event.task,
                executor: executor,
                priority: job.priority.rawValue,
                kind: .job
            ),
            Pending(job: job, target: target, enabler: Int32(truncatingIfNeeded: log.count - 1))
        )
    }

    /// A job becomes possible when nothing else is and this much time has passed.
    func enqueue(_ job: UnownedJob, after delay: Int64) {
        guard let event = event(of: job, isTimer: true) else { return }
        let deadline = now.addingReportingOverflow(max(0, delay))
        timers.append(
            Timer(
                deadline: deadline.overflow ? .max : deadline.partialValue,
                job: job,
                choice: Choice(
                    event: event.id,
                    task: event.task,
                    executor: 0,
                    priority: job.priority.rawValue,
                    kind: .timer
                )
            )
        )
    }

    /// The number of a serial executor in this run, and that it lives as long as the run.
    func register(_ executor: AnyObject) -> Int {
        executors.append(executor)
        queued.append(0)
        return executors.count
    }

    /// Where the steps of the run were.
    var trail: Trail {
        let names = executors.map { executor in
            if let executor = executor as? SimulatedExecutor { executor.name } else { "MainActor" }
        }
        return Trail(places: log.takePlaces(), tasks: tasks.entries.map(\.name), executors: names, notes: notes)
    }

    /// The number of the main executor in this run.
    func main(_ executor: AnyObject) -> Int {
        if mainExecutor == 0 { mainExecutor = register(executor) }
        return mainExecutor
    }

    /// The body of the run has ended, on this thread.
    static func rootEnded(_ error: (any Error)?) {
        guard let simulator = current else { return Escapes.add(RuntimeTask.currentID, on: "another executor") }
        simulator.rootHasEnded = true
        if let error { simulator.recordFailure("the body threw \(String(reflecting: error))") }
    }

    /// An expectation failed; the first of a run counts.
    func recordFailure(_ text: String) {
        if failure == nil, !isCleaningUp { failure = text }
    }

    // MARK: Runs

    /// Runs a body to its end or to where nothing can go on.
    /// - Parameters:
    ///   - iteration: The number of the run, for whoever finds only the log of it.
    ///   - seed: What the data of the run comes from, also for the log.
    ///   - spawn: Starts the root of the run on the default executor.
    func run(_ strategy: inout any Strategy, iteration: Int, seed: UInt64, spawn: () -> Void) -> Verdict {
        reset()
        log.begin(iteration: iteration, seed: seed)
        log.watch()
        interleaving_set_current(Unmanaged.passUnretained(self).toOpaque())
        interleaving_set_now(0)
        interleaving_clear_misuse()
        interleaving_clear_default_actor_hops()
        defer {
            interleaving_set_current(nil)
            interleaving_set_log(nil)
        }
        spawn()
        let verdict = drain(&strategy)
        unseenHops += interleaving_default_actor_hops()
        if verdict == .passed || rootHasEnded { cleanUp() }
        return verdict
    }

    private func drain(_ strategy: inout any Strategy) -> Verdict {
        while true {
            while !canGoOn {
                if advanceTime() { continue }
                if let escape = escape() { return .escaped(escape) }
                return verdictAtRest()
            }
            if log.count >= maxSteps { return livelockVerdict() }
            // The last half of what a run may take is fair: an unfair order is no livelock.
            if log.count >= maxSteps / 2 {
                if log.count % 64 == 0 { _ = advanceTime() }
                if !held.isEmpty { letGo(at: .max) }
                perform(0)
            } else {
                step(&strategy)
            }
        }
    }

    @inline(__always)
    private func step(_ strategy: inout any Strategy) {
        if faultsLeft > 0 || !held.isEmpty { return stepWithFaults(&strategy) }
        if waitingBehind == 0 || mailbox == .anyOrder {
            guard choices.count > 1 else { return perform(0) }
            let position = choice(of: &strategy, among: choices)
            perform(position, index: position, alternatives: choices.count)
        } else {
            offer()
            guard offered.count > 1 else { return perform(0, index: offeredIndices[0], alternatives: 1) }
            let position = choice(of: &strategy, among: offered)
            perform(position, index: offeredIndices[position], alternatives: offered.count)
        }
    }

    /// What a strategy chooses; the first, and a run that failed, where it chooses what there is not.
    @inline(__always)
    func choice(of strategy: inout any Strategy, among offered: [Choice]) -> Int {
        let position = strategy.choose(among: offered.span, at: log.count)
        guard !offered.indices.contains(position) else { return position }
        recordFailure(
            "strategy \(strategy.name) chose \(position) at step \(log.count), where 0 to \(offered.count - 1) would be right"
        )
        return 0
    }

    /// Whether any job may run now.
    private var canGoOn: Bool {
        held.isEmpty ? !choices.isEmpty : choices.contains { !isHeld($0.executor) }
    }

    func isHeld(_ executor: Int) -> Bool {
        held.contains { $0.executor == executor }
    }

    /// Of the jobs of each serial executor, offers those that the mailbox policy lets go first; none of one that is kept waiting.
    func offer() {
        offered.removeAll(keepingCapacity: true)
        offeredIndices.removeAll(keepingCapacity: true)
        for index in choices.indices {
            let choice = choices[index]
            if !held.isEmpty, isHeld(choice.executor) { continue }
            if mailbox != .anyOrder, choice.executor != 0, queued[choice.executor] > 1,
                let before = offered.firstIndex(where: { $0.executor == choice.executor })
            {
                guard mailbox == .priority, choice.priority > offered[before].priority else { continue }
                offered.remove(at: before)
                offeredIndices.remove(at: before)
            }
            offered.append(choice)
            offeredIndices.append(index)
        }
    }

    private func perform(_ position: Int) {
        perform(position, index: position, alternatives: choices.count)
    }

    func perform(_ position: Int, index: Int, alternatives: Int) {
        let choice = choices.remove(at: index)
        let chosen = pending.remove(at: index)
        if choice.executor != 0 {
            queued[choice.executor] -= 1
            if queued[choice.executor] > 0 { waitingBehind -= 1 }
        }
        if !isCleaningUp {
            log.append(
                Step(
                    choice: choice,
                    position: position,
                    alternatives: alternatives,
                    enabler: chosen.enabler < 0 ? nil : Int(chosen.enabler),
                    time: now
                ),
                at: RuntimeTask.place(of: chosen.job)
            )
        }
        runningTask = choice.task
        switch chosen.target {
        case .generic: chosen.job.runSynchronously(on: .generic)
        case .serial(let executor): chosen.job.runSynchronously(on: executor)
        case .task(let executor): chosen.job.runSynchronously(on: executor)
        }
    }

    /// The object of a task that may have none but while it can go on (`async let`).
    func pendingObject(of task: Int) -> UnsafeRawPointer? {
        for index in choices.indices where choices[index].task == task && RuntimeTask.isTask(pending[index].job) {
            return unsafeBitCast(pending[index].job, to: UnsafeRawPointer.self)
        }
        return nil
    }

    @inline(__always)
    func add(_ choice: Choice, _ job: Pending) {
        if choice.executor != 0 {
            if queued[choice.executor] > 0 { waitingBehind += 1 }
            queued[choice.executor] += 1
        }
        choices.append(choice)
        pending.append(job)
    }

    /// Names a job by its task and which of its jobs it is.
    /// - Returns: nil for a job that must not run: its task is left from an earlier run, and what that run used may be gone.
    @inline(__always)
    private func event(of job: UnownedJob, isTimer: Bool) -> (id: EventID, task: Int)? {
        let id = RuntimeTask.id(of: job)
        if RuntimeTask.isTask(job) {
            if let index = tasks.index(of: id) {
                return (EventID(task: tasks.entries[index].path, ordinal: tasks.nextOrdinal(index)), index)
            }
            if interleaving_is_watched(id) {
                recordFailure(
                    "a task of an earlier run was to go on in this one: something that outlives the body kept it waiting"
                )
                return nil
            }
            interleaving_watch(id)
            return create(id, object: RuntimeTask.retain(job), isTimer: isTimer)
        }
        return create(0, object: nil, isTimer: isTimer)
    }

    private func create(_ id: UInt64, object: UnsafeRawPointer?, isTimer: Bool) -> (id: EventID, task: Int) {
        // The parent is the task that runs. A job that is no task, such as a turn of a default actor, may run pieces of others.
        let parent = tasks.index(of: RuntimeTask.currentID) ?? (runningTask < 0 ? nil : runningTask)
        let path = parent.map { tasks.nextChildPath($0) } ?? mix(1, UInt64(tasks.entries.count))
        let name = object.flatMap { RuntimeTask.name(of: $0) }
        let index = tasks.insert(
            TaskTable.Entry(id: id, path: path, name: name, object: object, ordinal: 1, isTimer: isTimer)
        )
        return (EventID(task: path, ordinal: 0), index)
    }

    // MARK: Between runs

    /// Cancels what a body left behind and lets it end, so that thousands of runs do not fill the memory.
    private func cleanUp() {
        isCleaningUp = true
        letGo(at: .max)
        for entry in tasks.entries {
            if let object = entry.object, !RuntimeTask.isComplete(object) { RuntimeTask.cancel(object) }
        }
        var patience = 1000
        while !choices.isEmpty || advanceTime(), patience > 0 {
            perform(0)
            patience -= 1
        }
    }

    private func reset() {
        for entry in tasks.entries {
            if let object = entry.object { RuntimeTask.release(object) }
        }
        tasks.removeAll()
        choices.removeAll(keepingCapacity: true)
        pending.removeAll(keepingCapacity: true)
        timers.removeAll(keepingCapacity: true)
        executors.removeAll(keepingCapacity: true)
        queued.removeAll(keepingCapacity: true)
        queued.append(0)
        waitingBehind = 0
        faultsLeft = faults.isEmpty ? 0 : faults.limit
        held.removeAll(keepingCapacity: true)
        notes.removeAll(keepingCapacity: true)
        jumps = 0
        now = 0
        runningTask = -1
        rootHasEnded = false
        isCleaningUp = false
        failure = nil
        mainExecutor = 0
        run = Self.runs.add(1, ordering: .relaxed).newValue
    }

    deinit {
        for entry in tasks.entries {
            if let object = entry.object { RuntimeTask.release(object) }
        }
    }
}

extension UnownedSerialExecutor {
    /// No executor at all, which is where tasks without an actor run: the runtime's null reference.
    fileprivate static var generic: UnownedSerialExecutor {
        unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
    }
}
