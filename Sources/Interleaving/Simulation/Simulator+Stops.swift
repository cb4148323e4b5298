internal import Basics
internal import CAccess
internal import CInterleaving

/// Jobs that are stopped in the middle, each on a fiber of the simulation's thread.
///
/// A stopped job is a choice like those that have not begun, and the first of them: so first in, first out means that nothing comes in
/// between. Its executor stays occupied while it is stopped, whatever the mailbox policy.
struct StoppedJobs {
    /// What runs on a fiber, from its beginning to its end.
    enum Work {
        case job(Simulator.Pending)
        /// A fault: it runs the cancellation handlers of a task, which are code of the body.
        case cancellation(UnsafeRawPointer)
    }

    /// Where jobs are stopped.
    let granularity: SimulationSettings.Granularity
    /// Whether jobs can be stopped in this simulation.
    let isPossible: Bool
    /// Whether it is counted where jobs that run whole would stop at locks.
    let countsInWhole: Bool
    /// The work on each fiber that has some, the choice that began it or went on with it last, and where it goes on if it is stopped; 0 if
    /// that is not known.
    var fibers: [(work: Work, choice: RunChoice, place: UInt)?] = []
    /// How many jobs are stopped, or wait for a lock.
    var count = 0
    /// Whether a job of each serial executor is stopped, by the executor's number.
    var occupied = [false]
    /// The jobs that wait for a lock, each with its choice, which is not among those of the simulation, and with the lock; and those that sleep,
    /// with when that ends.
    var blocked:
        [(choice: RunChoice, job: Simulator.Pending, lock: UnsafeRawPointer, isFree: LockCheck, until: Int64?)] = []
    /// Says whether a lock is free.
    typealias LockCheck = @convention(c) (UnsafeRawPointer) -> Bool
    /// How often a job that has to end was not stopped again.
    var refusals = 0

    /// How often a task stopped at a default actor, in all runs.
    var atActors: UInt64 = 0
    /// How many turns of default actors for tasks that had to wait for them were run, in all runs. In such a turn several tasks may go on,
    /// one after the other.
    var turns: UInt64 = 0
    /// Whether a job was not stopped at its place, because it had something that forbids it, in any run.
    var wereLate = false
    /// Whether a job was not stopped because too many others were, in any run.
    var wereTooMany = false

    /// Whether something took two locks with no stop in between, or looked whether a task is cancelled, in any run.
    var metTwice = false
    /// What else was done in any run that limits what can be claimed: bits such as `INTERLEAVING_TRY`.
    private var seen: UInt32 = 0
    /// Whether something slept, in any run.
    var hadTimers = false
    /// The first sleep of a job that ran whole, in any run.
    var wholeSleep: (name: String, place: UInt)?
    /// Whether there were children, which their parents wait for, in any run.
    var hadChildren = false
    /// Whether a run came to its second half, which is first in, first out.
    var wereFair = false

    /// The most jobs that are stopped at the same time. Each keeps a stack.
    static let most = 1_000
    /// How often a job may come to a place where it would stop after its run is over.
    static let patience = 10_000

    init(_ granularity: SimulationSettings.Granularity, takesJobsWhole: Bool) {
        self.granularity = granularity
        isPossible = granularity != .jobs
        countsInWhole = !isPossible && !takesJobsWhole
    }

    /// Whether what runs on a fiber is the handlers of a cancellation, and no job.
    func isCancellation(_ fiber: Int32) -> Bool {
        if fiber >= 0, case .cancellation = fibers[Int(fiber)]?.work { true } else { false }
    }

    /// The number of the task whose job runs on a fiber; nil if there is none.
    func task(on fiber: Int32) -> Int? {
        guard fibers.indices.contains(Int(fiber)), !isCancellation(fiber) else { return nil }
        return fibers[Int(fiber)]?.choice.task
    }

    /// Where what was stopped on a fiber goes on; 0 if that is not known.
    func place(on fiber: Int32) -> UInt { fibers[Int(fiber)]?.place ?? 0 }

    /// Learns what the jobs of a run did that others could come in before.
    mutating func readMeetings() {
        if interleaving_met_twice() { metTwice = true }
        seen |= interleaving_seen()
        var sleep = interleaving_whole_sleep()
        if wholeSleep == nil, interleaving_slept_in_whole(&sleep), let name = sleep.name {
            wholeSleep = (String(cString: name), sleep.place)
        }
    }

    /// Whether something such as `INTERLEAVING_TRY` was done in any run.
    func saw(_ what: Int) -> Bool { seen & UInt32(what) != 0 }

    /// Forgets the jobs of a run, which must all have ended or been abandoned.
    mutating func removeAll() {
        count = 0
        blocked.removeAll()
        occupied.removeAll(keepingCapacity: true)
        occupied.append(false)
    }
}

extension Simulator {
    /// From here on, tasks of this run stop at default actors.
    func stopAtHops() {
        interleaving_clear_hops()
        interleaving_stop_at_hops(
            { place in Simulator.current?.stopAtActor(place) ?? false },
            { Simulator.current?.noteDefaultActor() }
        )
        interleaving_stop_late { Simulator.current?.stop(at: interleaving_caller_beyond_libraries()) }
        interleaving_wait_for_locks { lock, isFree, place in Simulator.current?.wait(for: lock, isFree, at: place) }
        interleaving_stop_at_locks(
            { place in Simulator.current?.stop(at: place) },
            granularity == .locks,
            { name, kind, isLock in
                guard let simulator = Simulator.current, let kind = SharedAccess(rawValue: kind) else { return }
                simulator.note(RunAccess(isLock ? mix(name, 0x10C) : name, kind))
            }
        )
    }

    /// Stops the job that runs before it accesses what tasks share, if jobs stop there.
    /// - Parameters:
    ///   - object: The address of what it accesses: of a mutex, if it is about to lock one.
    ///   - kind: How, as `CAccess` has it.
    func prepare(_ object: UnsafeRawPointer, _ name: UInt64, _ kind: UInt8, isLocked: Bool) {
        guard interleaving_fiber() >= 0 || stopped.countsInWhole else { return }
        if kind != UInt8(ACCESS_UNSEEN) {
            if granularity == .locks { stop(at: interleaving_users_caller()) } else { interleaving_count_meeting() }
        }
        if isLocked { interleaving_announce_lock(object, name, kind) }
    }

    /// Notes that the step that runs is in an actor with the default executor. Such actors have no names, so they are one object.
    private func noteDefaultActor() {
        note(RunAccess(0xDA, .write))
    }

    private func stopAtActor(_ place: UInt) -> Bool {
        guard stop(at: place) else { return false }
        stopped.atActors &+= 1
        return true
    }

    /// Runs a job where none is stopped.
    func runWhole(_ job: Pending) {
        guard stopped.countsInWhole else { return Self.run(job) }
        interleaving_count_in_whole(true)
        Self.run(job)
        interleaving_count_in_whole(false)
    }

    /// Runs a job on a fiber, or goes on with one that was stopped, until it stops again or has ended.
    func performStoppably(_ job: Pending, _ choice: RunChoice) {
        guard job.fiber >= 0 else {
            if RuntimeTask.isTurn(job.job) { stopped.turns &+= 1 }
            return begin(.job(job), choice)
        }
        stopped.count -= 1
        stopped.occupied[choice.executor] = false
        goOn(job.fiber, choice)
    }

    /// Runs something on a fiber until it stops or has ended.
    func begin(_ work: StoppedJobs.Work, _ choice: RunChoice) {
        let fiber = interleaving_take_fiber()
        guard fiber >= 0 else {
            recordFailure("no memory for the stack of a job that may be stopped")
            return Self.run(work)
        }
        while stopped.fibers.count <= Int(fiber) { stopped.fibers.append(nil) }
        stopped.fibers[Int(fiber)] = (work, choice, 0)
        goOn(fiber, choice)
    }

    private func goOn(_ fiber: Int32, _ choice: RunChoice) {
        stopped.fibers[Int(fiber)]?.choice = choice
        interleaving_end_hop()
        stopped.refusals = 0
        let hasEnded = interleaving_run_fiber(fiber) { fiber in
            if let work = Simulator.current?.stopped.fibers[Int(fiber)]?.work { Simulator.run(work) }
        }
        var left = interleaving_trap()
        if hasEnded {
            interleaving_disown_locks(fiber)
            stopped.fibers[Int(fiber)] = nil
        } else if interleaving_take_trap(&left) {
            log.goOn()
            abandon(fiber)
            if trap == nil { trap = Trap.verdict(left, limit: stallLimit, steps: log.count) }
        } else if isCleaningUp, !stopped.blocked.contains(where: { $0.job.fiber == fiber }) {
            abandon(fiber)
        }
        if !stopped.blocked.isEmpty { unblock() }
    }

    private static func run(_ work: StoppedJobs.Work) {
        interleaving_begin_work()
        switch work {
        case .job(let job): run(job)
        case .cancellation(let task): RuntimeTask.cancel(task)
        }
    }

    /// Whether a job cannot begin because another one of its executor is stopped.
    func isOccupied(at index: Int) -> Bool {
        stopped.occupied[choices[index].executor] && pending[index].fiber < 0
    }

    /// Stops the job that runs if it has made another task's job possible.
    func stop(afterEnqueueing job: UnownedJob) {
        guard interleaving_fiber() >= 0, !isCleaningUp, let current = RuntimeTask.current else { return }
        let id = RuntimeTask.id(of: current)
        if RuntimeTask.isTask(job) {
            if RuntimeTask.id(of: job) == id { return }
        } else if interleaving_is_hopping() || !RuntimeTask.isTurn(job) {
            return
        }
        // A task that has ended does nothing more, nor does one that only ends a sleep.
        if RuntimeTask.isComplete(unsafeBitCast(current, to: UnsafeRawPointer.self)) { return }
        if let task = tasks.index(of: id), tasks.entries[task].isTimer { return }
        stop(at: interleaving_caller_beyond_libraries())
    }

    /// Stops the job that runs. Whoever chooses it goes on with it.
    /// - Parameter place: The address at which it goes on; 0 if that is not known.
    /// - Returns: Whether it could be stopped.
    @discardableResult
    func stop(at place: UInt) -> Bool {
        let fiber = interleaving_fiber()
        guard fiber >= 0, let current = RuntimeTask.current, let running = stopped.fibers[Int(fiber)] else {
            return false
        }
        if isCleaningUp { return end(fiber) }
        if interleaving_must_not_stop() {
            stopped.wereLate = true
            return true
        }
        guard stopped.count < StoppedJobs.most else {
            stopped.wereTooMany = true
            return false
        }
        let (choice, job) = rest(of: running, on: fiber, current, place)
        count(choice)
        // In the half that is fair, a job that waits for another in a loop must let the other go on.
        let index = log.count >= maxSteps / 2 ? choices.count : 0
        choices.insert(choice, at: index)
        pending.insert(job, at: index)
        leave(choice)
        return true
    }

    /// What is left of the job that runs on a fiber.
    private func rest(
        of running: (work: StoppedJobs.Work, choice: RunChoice, place: UInt),
        on fiber: Int32,
        _ task: UnownedJob?,
        _ place: UInt
    ) -> (RunChoice, Pending) {
        // The handlers of a cancellation belong to no task.
        let other = RunEventID(task: mix(running.choice.event.task, 0x10C), ordinal: running.choice.event.ordinal)
        let event = task.flatMap { self.event(of: $0, isTimer: false) } ?? (other, running.choice.task)
        let choice = RunChoice(
            event: event.id,
            task: event.task,
            executor: running.choice.executor,
            priority: running.choice.priority,
            kind: .job
        )
        var job =
            switch running.work {
            case .job(let job): job
            case .cancellation(let task):
                // It may outlive the task, so nothing looks at that.
                Pending(job: unsafeBitCast(task, to: UnownedJob.self), target: .generic, enabler: -1)
            }
        job.fiber = fiber
        job.enabler = Int32(truncatingIfNeeded: log.count - 1)
        stopped.fibers[Int(fiber)]?.place = place
        return (choice, job)
    }

    /// Leaves the job that runs, until somebody goes on with it.
    private func leave(_ choice: RunChoice) {
        stopped.count += 1
        if choice.executor != 0 { stopped.occupied[choice.executor] = true }
        interleaving_note_held()
        let isInActor = interleaving_is_in_default_actor()
        if isInActor { noteDefaultActor() }
        interleaving_stop_fiber()
        if isInActor { noteDefaultActor() }
    }

    /// Leaves the job that runs until a lock may be free, or a time has come.
    func wait(
        for lock: UnsafeRawPointer,
        _ isFree: @escaping StoppedJobs.LockCheck,
        at place: UInt,
        until deadline: Int64? = nil
    ) {
        let fiber = interleaving_fiber()
        guard fiber >= 0, let running = stopped.fibers[Int(fiber)] else { return }
        // A wait with a limit may come again and again.
        if isCleaningUp, isFree(lock), end(fiber) { return }
        let (choice, job) = rest(of: running, on: fiber, RuntimeTask.current, place)
        count(choice)
        stopped.blocked.append((choice, job, lock, isFree, deadline))
        if looks.isWatching, deadline != nil || Self.isLimit(isFree) { looks.addSleeper(choice.task) }
        leave(choice)
    }

    /// Makes the jobs possible that wait for a lock which is free now, or slept until now.
    /// - Parameter isByTime: Whether time went on, and no step has just been made.
    func unblock(byTime isByTime: Bool = false) {
        var index = 0
        while index < stopped.blocked.count {
            guard stopped.blocked[index].isFree(stopped.blocked[index].lock) else {
                index += 1
                continue
            }
            var free = stopped.blocked.remove(at: index)
            // What time enabled no step did; of a sleep that was over at once, its own did.
            free.job.enabler = isByTime && free.until != nil ? -1 : Int32(truncatingIfNeeded: log.count - 1)
            // Neither a limit on time nor a sleep is over before others had their turn.
            let isLast = free.until != nil || Self.isLimit(free.isFree)
            choices.insert(free.choice, at: isLast ? choices.count : 0)
            pending.insert(free.job, at: isLast ? pending.count : 0)
        }
    }

    private static func isLimit(_ isFree: StoppedJobs.LockCheck) -> Bool {
        String(cString: interleaving_awaited(isFree)) == "a limit"
    }

    private func abandon(_ fiber: Int32) {
        interleaving_unlock_all(fiber)
        interleaving_abandon_fiber(fiber)
        stopped.fibers[Int(fiber)] = nil
    }

    /// Does not let a job sleep any more, because its run is over; unless it never ends.
    func endSleeping(_ fiber: Int32) { if fiber >= 0 { _ = end(fiber) } }

    /// Does not stop a job any more, because its run is over; unless it never ends.
    private func end(_ fiber: Int32) -> Bool {
        stopped.refusals += 1
        if stopped.refusals > StoppedJobs.patience { interleaving_stop_fiber() }
        return true
    }

    /// Lets the jobs that are stopped at the end of a run go on to their next suspension, so that nothing is left in the middle: no lock that
    /// the next run needs, no actor. A job that waits for another in a loop is abandoned, and so are those that wait for each other's locks.
    func finishStopped() {
        repeat {
            while let index = pending.firstIndex(where: { $0.fiber >= 0 }) {
                perform(0, index: index, alternatives: 1)
            }
            let hopeless = stopped.blocked
            stopped.blocked.removeAll()
            for one in hopeless { abandon(one.job.fiber) }
            for one in hopeless { interleaving_release_word(one.lock, one.isFree) }
        } while pending.contains { $0.fiber >= 0 }
    }
}

extension SimulationSettings {
    /// Where jobs are really stopped in this process.
    var effectiveGranularity: Granularity {
        Self.reasonNotToStop == nil ? granularity : .jobs
    }

    /// Why no job can be stopped in this process, as the end of a sentence; nil if jobs can be.
    package static var reasonNotToStop: String? { interleaving_reason_not_to_stop().map { String(cString: $0) } }
}

/// A place where a job may be stopped so that others come in between, if the simulation stops jobs: see
/// ``SimulationSettings/Granularity/stops``. Elsewhere it does nothing.
///
/// Put it where synchronous code reads something that others may change before it goes on, such as an atomic.
@inline(never)
public func schedulingPoint() {
    Simulator.current?.stop(at: interleaving_caller())
}
