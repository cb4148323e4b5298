internal import Basics
internal import CInterleaving
internal import Synchronization

/// Runs the tasks of one body on one thread, one job after the other, in the order that a strategy chooses.
///
/// Everything here happens on the thread that made it, so it needs no lock. Executors find it by the thread that calls them
/// (``current``).
final class Simulator {
    /// The executor that the runtime is told a job runs on.
    enum Target {
        case generic
        case serial(UnownedSerialExecutor)
        case task(UnownedTaskExecutor)
    }

    struct Pending {
        let job: UnownedJob
        let target: Target
        var enabler: Int32
        /// The fiber that the job was stopped on; -1 for one that has not begun.
        var fiber: Int32 = -1
    }

    struct Timer {
        let deadline: Int64
        let job: UnownedJob
        let choice: RunChoice
    }

    let mailbox: MailboxPolicy
    let maxSteps: Int
    let allowsTaskLeaks: Bool
    let allowsForeignThreads: Bool

    /// Where jobs are stopped.
    var granularity: SimulationSettings.Granularity { stopped.granularity }

    // Everything here happens on one thread and nothing is called back, so accesses are not checked for overlap: the checks would cost as
    // much as everything else in a step.

    /// What can happen, in the order in which it became possible.
    @exclusivity(unchecked) var choices: [RunChoice] = []
    /// The jobs of ``choices``, at the same positions.
    @exclusivity(unchecked) var pending: [Pending] = []
    /// How many pending jobs each serial executor has, by its number.
    @exclusivity(unchecked) var queued: [Int32] = [0]
    /// How many jobs wait behind another job of the same executor.
    @exclusivity(unchecked) var waitingBehind = 0
    /// The jobs that are in the middle of something.
    @exclusivity(unchecked) var stopped: StoppedJobs
    /// The choices that the mailbox policy offers, if it does not offer all.
    @exclusivity(unchecked) var offered: [RunChoice] = []
    /// The positions in ``choices`` of the jobs in ``offered``.
    @exclusivity(unchecked) var offeredIndices: [Int] = []

    @exclusivity(unchecked) var timers: [Timer] = []
    @exclusivity(unchecked) private(set) var tasks = TaskTable()
    @exclusivity(unchecked) private var executors: [AnyObject] = []
    /// The steps of the run, with room for `maxSteps`.
    @exclusivity(unchecked) var log: StepLog
    /// What the steps of the run did with what tasks share.
    @exclusivity(unchecked) var accesses = RunAccesses()
    /// The event of the step that runs, and how many objects it has made: what names the next one.
    @exclusivity(unchecked) private var maker: (event: RunEventID, objects: UInt64) = (
        RunEventID(task: 0, ordinal: 0), 0
    )
    @exclusivity(unchecked) var now: Int64 = 0
    @exclusivity(unchecked) var runningTask = -1

    /// How long steps take.
    @exclusivity(unchecked) var work: WorkTime

    let faults: SimulatedFaults
    /// How many more faults may happen in this run.
    @exclusivity(unchecked) var faultsLeft = 0
    /// The effects of the faults at the end of ``offered``, in the same order.
    @exclusivity(unchecked) var effects: [FaultEffect] = []
    /// The serial executors that faults pause.
    @exclusivity(unchecked) var held: [HeldExecutor] = []
    @exclusivity(unchecked) var jumps = 0
    /// Words for the steps that were faults, by step.
    @exclusivity(unchecked) var notes: [Int: String] = [:]
    /// Where the tasks go on that the verdict says wait, by their numbers.
    @exclusivity(unchecked) var waits: [Int: UInt] = [:]

    /// Who looks at a clock, once the run is nearly too long.
    @exclusivity(unchecked) var looks = ClockLooks()

    /// How many pieces of the body run that are not explored.
    @exclusivity(unchecked) var unexplored = 0

    /// Whether the root of the run has ended.
    @exclusivity(unchecked) private(set) var rootHasEnded = false
    @exclusivity(unchecked) private(set) var isCleaningUp = false
    @exclusivity(unchecked) private(set) var failure: String?
    /// How long a step may last.
    @exclusivity(unchecked) var stallLimit = Duration.seconds(10)
    /// The verdict on the run if what ran on a fiber has trapped. Then its job will never end.
    @exclusivity(unchecked) var trap: RunVerdict?
    /// The number of the run in this process, by which an executor knows whether its own number belongs to this run.
    @exclusivity(unchecked) private(set) var run: UInt64 = 0
    /// The number of the main executor in this run; 0 until it is used.
    @exclusivity(unchecked) private var mainExecutor = 0
    /// How many milliseconds to wait, once, for a foreign thread to resume a run at rest.
    @exclusivity(unchecked) var patience: Int
    private static let runs = Atomic<UInt64>(0)
    /// How many hops to default actors all runs made so far. Another task could have come in between, but no executor was asked.
    private(set) var unseenHops: UInt64 = 0
    /// What a run first handed to another thread.
    private(set) var foreignWork: ForeignWork?

    /// - Throws: ``ExplorationError/noMemory(steps:)``
    init(_ settings: SimulationSettings) throws(ExplorationError) {
        mailbox = settings.mailbox
        maxSteps = settings.maxSteps
        allowsTaskLeaks = settings.allowsTaskLeaks
        allowsForeignThreads = settings.allowsForeignThreads
        stopped = StoppedJobs(settings.effectiveGranularity, takesJobsWhole: settings.takesJobsWhole)
        faults = settings.faults
        work = WorkTime(settings.workTakes)
        patience = settings.escapePatience
        log = try StepLog(capacity: settings.maxSteps)
        FunctionName.knowsLibraries
    }

    /// The simulation that runs on this thread.
    @inline(__always)
    static var current: Simulator? {
        guard let pointer = interleaving_current() else { return nil }
        return Unmanaged<Simulator>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Calls `body` with the simulation that runs on this thread, without counting a reference: for what each step does.
    /// - Returns: `nil` if none runs here.
    @inline(__always)
    static func withCurrent<Result>(_ body: (Simulator) -> Result) -> Result? {
        guard let pointer = interleaving_current() else { return nil }
        return Unmanaged<Simulator>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    // MARK: Called by executors

    /// Makes a job possible.
    func enqueue(_ job: UnownedJob, target: Target, executor: Int) {
        interleaving_note_woken()
        guard let event = event(of: job, isTimer: false) else { return }
        add(
            RunChoice(
                event: event.id,
                task: event.task,
                executor: executor,
                priority: job.priority.rawValue,
                kind: .job
            ),
            Pending(job: job, target: target, enabler: Int32(truncatingIfNeeded: log.count - 1))
        )
        if stopped.isPossible { stop(afterEnqueueing: job) }
    }

    /// Makes a job possible once nothing else is and this many nanoseconds of virtual time have passed.
    func enqueue(_ job: UnownedJob, after delay: Int64) {
        guard let event = event(of: job, isTimer: true) else { return }
        stopped.hadTimers = true
        if interleaving_is_on_child() { interleaving_see(UInt32(INTERLEAVING_CHILD)) }
        let deadline = now.addingReportingOverflow(max(0, delay))
        timers.append(
            Timer(
                deadline: deadline.overflow ? .max : deadline.partialValue,
                job: job,
                choice: RunChoice(
                    event: event.id,
                    task: event.task,
                    executor: 0,
                    priority: job.priority.rawValue,
                    kind: .timer
                )
            )
        )
    }

    /// Gives a serial executor a number in this run, and keeps it alive until the run ends.
    /// - Parameter name: The same in every run.
    func register(_ executor: AnyObject, name: UInt64) -> Int {
        executors.append(executor)
        accesses.addExecutor(name)
        queued.append(0)
        if stopped.isPossible { stopped.occupied.append(false) }
        return executors.count
    }

    /// What the labels of the run's steps are made of.
    var trail: RunTrail {
        let names = executors.map { executor in
            if let executor = executor as? SimulatedExecutor { executor.name } else { "MainActor" }
        }
        return RunTrail(
            places: log.takePlaces(),
            tasks: tasks.entries.map(\.name),
            executors: names,
            notes: notes,
            yields: Set(tasks.entries.indices.filter { tasks.entries[$0].isYield }),
            waits: waits
        )
    }

    /// The number of the main executor in this run.
    func main(_ executor: AnyObject) -> Int {
        if mainExecutor == 0 { mainExecutor = register(executor, name: 1) }
        return mainExecutor
    }

    /// Notes that the body of the run has ended on this thread.
    static func rootEnded(_ error: (any Error)?) {
        guard let simulator = current else { return Escapes.add(RuntimeTask.currentID, on: "another executor") }
        simulator.rootHasEnded = true
        if let error { simulator.recordFailure("the body threw \(String(reflecting: error))") }
    }

    /// Fails the run; the first failure counts, and none after the cleanup began.
    func recordFailure(_ text: String) {
        if failure == nil, !isCleaningUp { failure = text }
    }

    // MARK: Runs

    /// Runs a body until it ends or nothing can go on.
    /// - Parameters:
    ///   - iteration: The number of the run, for the log.
    ///   - seed: The seed of the run's data, for the log.
    ///   - spawn: Starts the root of the run on the default executor.
    func run(_ strategy: inout any ExplorationStrategy, iteration: Int, seed: UInt64, spawn: () -> Void) -> RunVerdict {
        reset()
        work.seed = seed
        log.begin(iteration: iteration, seed: seed, granularity: granularity)
        log.watch()
        interleaving_set_current(Unmanaged.passUnretained(self).toOpaque())
        interleaving_set_now(0)
        interleaving_set_random(seed)
        interleaving_clear_misuse()
        interleaving_clear_default_actor_hops()
        interleaving_clear_meetings()
        interleaving_clear_foreign_work()
        interleaving_clear_whole_sleep()
        interleaving_take_sleeps { moment, isOver, deadline, place in
            Simulator.current?.sleep(moment, until: deadline, isOver, at: place)
        }
        if stopped.isPossible { stopAtHops() }
        defer {
            interleaving_set_current(nil)
            interleaving_set_log(nil)
            log.end()
        }
        spawn()
        var verdict = drain(&strategy)
        unseenHops += interleaving_default_actor_hops()
        stopped.readMeetings()
        if let work = ForeignWork.done(log) {
            foreignWork = work
            if !allowsForeignThreads || work.isWaitOfTest { verdict = .escaped(work.reproach) }
        }
        isCleaningUp = true
        accesses.end()
        log.goOn()
        if stopped.isPossible { finishStopped() }
        if verdict == .passed || rootHasEnded { cleanUp() }
        // Also what a task does that is only cancelled so that it ends.
        if verdict == .passed, let trap { verdict = trap }
        return verdict
    }

    private func drain(_ strategy: inout any ExplorationStrategy) -> RunVerdict {
        while true {
            if let trap { return trap }
            while !canGoOn {
                if advanceTime() {
                    looks.wasAtRest = true
                    continue
                }
                if let escape = escape() { return .escaped(escape) }
                if canGoOn { break }
                return verdictAtRest()
            }
            if log.count >= maxSteps { return livelockVerdict() }
            // The second half of the steps is fair: an unfair order is not a livelock.
            if log.count >= maxSteps / 2 {
                stopped.wereFair = true
                if log.count % 64 == 0 { _ = advanceTime() }
                if !held.isEmpty { letGo(at: .max) }
                // Nearly at its end, it is asked what keeps it.
                let last = maxSteps - maxSteps / 4
                if log.count == last { looks.removeAll() }
                if log.count >= last, !work.passes { performFirstWatchingClocks() } else { performFirst() }
            } else {
                step(&strategy)
            }
        }
    }

    @inline(__always)
    private func step(_ strategy: inout any ExplorationStrategy) {
        if faultsLeft > 0 || !held.isEmpty { return stepWithFaults(&strategy) }
        if waitingBehind == 0 || mailbox == .anyOrder && stopped.count == 0 {
            guard choices.count > 1 else { return performFirst() }
            let position = choice(of: &strategy, among: choices)
            perform(position, index: position, alternatives: choices.count, first: choices[0].event)
        } else {
            offer()
            guard offered.count > 1 else { return perform(0, index: offeredIndices[0], alternatives: 1) }
            let position = choice(of: &strategy, among: offered)
            perform(
                position,
                index: offeredIndices[position],
                alternatives: offered.count,
                first: offered[0].event
            )
        }
    }

    /// The position that a strategy chooses. A position that does not exist fails the run and becomes 0.
    @inline(__always)
    func choice(of strategy: inout any ExplorationStrategy, among offered: [RunChoice]) -> Int {
        if unexplored > 0 { return 0 }
        let position = strategy.choose(among: offered.elements, at: log.count)
        guard !offered.indices.contains(position) else { return position }
        recordFailure(
            "strategy \(strategy.name) chose position \(position) at step \(log.count), expected 0 to \(offered.count - 1)"
        )
        return 0
    }

    /// Whether any job may run now.
    var canGoOn: Bool {
        held.isEmpty && stopped.count == 0
            ? !choices.isEmpty : choices.indices.contains { !isHeld(choices[$0].executor) && !isOccupied(at: $0) }
    }

    func isHeld(_ executor: Int) -> Bool {
        held.contains { $0.executor == executor }
    }

    /// Offers the jobs that the mailbox policy lets run next, except those of paused executors.
    func offer() {
        offered.removeAll(keepingCapacity: true)
        offeredIndices.removeAll(keepingCapacity: true)
        for index in choices.indices {
            let choice = choices[index]
            if !held.isEmpty, isHeld(choice.executor) { continue }
            if stopped.count > 0, isOccupied(at: index) { continue }
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

    /// Takes what became possible first.
    @inline(__always)
    func performFirst() {
        let index = stopped.count == 0 ? 0 : choices.indices.first { !isOccupied(at: $0) } ?? 0
        perform(0, index: index, alternatives: choices.count)
    }

    /// Takes a choice.
    /// - Parameters:
    ///   - position: Its position among what was offered.
    ///   - index: Its position in ``choices``.
    ///   - alternatives: How many were offered.
    ///   - first: The first of them, where the position is not 0.
    func perform(_ position: Int, index: Int, alternatives: Int, first: RunEventID? = nil) {
        let choice = choices.remove(at: index)
        let chosen = pending.remove(at: index)
        if choice.executor != 0 {
            queued[choice.executor] -= 1
            if queued[choice.executor] > 0 { waitingBehind -= 1 }
        }
        if !isCleaningUp {
            log.append(
                RunStep(
                    choice: choice,
                    position: position,
                    alternatives: alternatives,
                    enabler: chosen.enabler < 0 ? nil : Int(chosen.enabler),
                    time: now,
                    passedOver: position > 0 ? first : nil
                ),
                at: place(of: chosen)
            )
            accesses.beginStep()
            maker = (choice.event, 0)
        }
        runningTask = choice.task
        if stopped.isPossible { performStoppably(chosen, choice) } else { runWhole(chosen) }
        if work.passes, !isCleaningUp { pass(work.duration(of: choice.event)) }
    }

    /// The address at which a job goes on.
    @inline(__always)
    private func place(of job: Pending) -> UInt {
        job.fiber < 0 ? RuntimeTask.place(of: job.job) : stoppedPlace(on: job.fiber)
    }

    /// Apart, so that a job that was not stopped does not pay for the copy.
    @inline(never)
    private func stoppedPlace(on fiber: Int32) -> UInt { stopped.place(on: fiber) }

    @inline(__always)
    static func run(_ job: Pending) {
        switch job.target {
        case .generic: job.job.runSynchronously(on: .generic)
        case .serial(let executor): job.job.runSynchronously(on: executor)
        case .task(let executor): job.job.runSynchronously(on: executor)
        }
    }

    /// The object of a task by its pending job: an `async let` can be reached only while it has one.
    func pendingObject(of task: Int) -> UnsafeRawPointer? {
        for index in choices.indices
        where choices[index].task == task && !stopped.isCancellation(pending[index].fiber)
            && RuntimeTask.isTask(pending[index].job)
        {
            return unsafeBitCast(pending[index].job, to: UnsafeRawPointer.self)
        }
        return nil
    }

    @inline(__always)
    func add(_ choice: RunChoice, _ job: Pending) {
        count(choice)
        choices.append(choice)
        pending.append(job)
    }

    @inline(__always)
    func count(_ choice: RunChoice) {
        if choice.executor != 0 {
            if queued[choice.executor] > 0 { waitingBehind += 1 }
            queued[choice.executor] += 1
        }
    }

    /// Names a job after its task and its number among the task's jobs.
    /// - Returns: nil for a job that must not run: its task belongs to an earlier run, and what that run used may be gone.
    @inline(__always)
    func event(of job: UnownedJob, isTimer: Bool) -> (id: RunEventID, task: Int)? {
        let id = RuntimeTask.id(of: job)
        if RuntimeTask.isTask(job) {
            if let index = tasks.index(of: id) {
                return (RunEventID(task: tasks.entries[index].path, ordinal: tasks.nextOrdinal(index)), index)
            }
            if interleaving_is_watched(id) {
                recordFailure(
                    "a task of an earlier run was resumed in this one: something that outlives the body kept it waiting"
                )
                return nil
            }
            interleaving_watch(id)
            return create(id, job, object: RuntimeTask.retain(job), isTimer: isTimer)
        }
        return create(0, job, object: nil, isTimer: isTimer, isYield: !RuntimeTask.isTurn(job))
    }

    private func create(
        _ id: UInt64,
        _ job: UnownedJob,
        object: UnsafeRawPointer?,
        isTimer: Bool,
        isYield: Bool = false
    ) -> (id: RunEventID, task: Int) {
        // The parent is the running task. A job without a task, such as a turn of a default actor, may run pieces of several tasks.
        let parent = tasks.index(of: RuntimeTask.currentID) ?? (runningTask < 0 ? nil : runningTask)
        let path = parent.map { tasks.nextChildPath($0) } ?? mix(1, UInt64(tasks.entries.count))
        let name = object.flatMap { RuntimeTask.name(of: $0) }
        let index = tasks.insert(
            TaskTable.Entry(
                id: id,
                path: path,
                name: name,
                object: object,
                ordinal: 1,
                isTimer: isTimer,
                isYield: isYield
            )
        )
        let isChild = RuntimeTask.isChild(job)
        if isChild { stopped.hadChildren = true }
        accesses.addTask(isAwaited: isChild)
        return (RunEventID(task: path, ordinal: 0), index)
    }

    // MARK: What tasks share

    /// Names an object that the step that runs has made.
    func nameObject() -> UInt64 {
        maker.objects &+= 1
        return mix(maker.event.word, maker.objects)
    }

    /// Notes what the step that runs is about to do with an object.
    func note(_ access: RunAccess) {
        if !isCleaningUp { accesses.add(access) }
    }

    // MARK: Between runs

    /// Cancels the tasks that a body left behind and lets them end, so that thousands of runs do not fill the memory.
    private func cleanUp() {
        letGo(at: .max)
        for (number, entry) in tasks.entries.enumerated() {
            if let object = entry.object, !RuntimeTask.isComplete(object) { cancel(object, of: number) }
        }
        var patience = 1000
        while canGoOn || advanceTime(), patience > 0 {
            if canGoOn { performFirst() }
            patience -= 1
        }
        if stopped.count > 0 { finishStopped() }
    }

    /// Cancels a task, whose handlers may trap.
    private func cancel(_ object: UnsafeRawPointer, of task: Int) {
        guard stopped.isPossible else { return RuntimeTask.cancel(object) }
        let event = RunEventID(task: mix(tasks.entries[task].path, 0xCA), ordinal: 1)
        begin(
            .cancellation(object),
            RunChoice(event: event, task: task, executor: 0, priority: 0, kind: .fault)
        )
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
        if stopped.isPossible { stopped.removeAll() }
        faultsLeft = faults.isEmpty ? 0 : faults.limit
        held.removeAll(keepingCapacity: true)
        notes.removeAll(keepingCapacity: true)
        waits.removeAll(keepingCapacity: true)
        jumps = 0
        looks.removeAll()
        now = 0
        runningTask = -1
        unexplored = 0
        rootHasEnded = false
        isCleaningUp = false
        failure = nil
        trap = nil
        mainExecutor = 0
        accesses.removeAll()
        maker = (RunEventID(task: 0, ordinal: 0), 0)
        run = Self.runs.add(1, ordering: .relaxed).newValue
    }

    deinit {
        for entry in tasks.entries {
            if let object = entry.object { RuntimeTask.release(object) }
        }
    }
}

extension UnownedSerialExecutor {
    /// The runtime's null reference: the executor of tasks that run on no actor.
    fileprivate static var generic: UnownedSerialExecutor {
        unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
    }
}
