internal import Basics
internal import CFatalSignal
internal import Dispatch
internal import NIOCore

/// Runs the app's own code for one window, one job at a time, on a thread that nobody else waits for.
///
/// A job that does not return keeps only this queue. An idle queue has no thread.
final class CodeQueue: SerialExecutor {
    let work: CodeWork
    private let queue = DispatchQueue(label: "io.scened.code")
    private let watch: CodeWatch

    init(watch: CodeWatch) {
        self.watch = watch
        work = CodeWork()
        queue.setSpecific(key: CodeWork.ofQueue, value: work)
        watch.add(work)
    }

    deinit { watch.remove(work) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        run { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Runs `body` after all that came before.
    func run(_ body: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            watch.began(work)
            body()
            watch.ended(work)
        }
    }
}

/// What one ``CodeQueue`` is doing, for the watch and for a handler of fatal signals.
final class CodeWork: Sendable {
    /// Finds the work of the queue that is running.
    fileprivate static let ofQueue = DispatchSpecificKey<CodeWork>()

    /// The work of the queue that this is called on.
    static var current: CodeWork? { DispatchQueue.getSpecific(key: ofQueue) }

    private struct State {
        var activity: CodeActivity?
        /// Since when a job has been running.
        var began: NIODeadline?
        /// Whether the log says of this job that it does not return.
        var isNamed = false
    }

    private let state = Guarded(State())
    /// Only functions that any thread may call touch what it points to. `nil` if there are too many windows.
    private nonisolated(unsafe) let place = fatal_work_take()

    deinit { if let place { fatal_work_give_back(place) } }

    /// Says what the queue works on from now on; `nil` for nothing.
    func doing(_ activity: CodeActivity?) {
        state.withLock { $0.activity = activity }
        guard let place else { return }
        let text = activity?.description ?? ""
        fatal_work_say(place, text, text.utf8.count)
    }

    fileprivate func began(at time: NIODeadline) {
        state.withLock { $0.began = time }
        if let place { fatal_work_enter(place) }
    }

    /// - Returns: What was named as not returning and for how long it ran, if it was named.
    fileprivate func ended(at time: NIODeadline) -> Overdue? {
        if let place { fatal_work_leave(place) }
        return state.withLock { state in
            defer { (state.began, state.isNamed) = (nil, false) }
            guard state.isNamed, let began = state.began else { return nil }
            return Overdue(activity: state.activity, time: time - began)
        }
    }

    /// A job that runs for too long.
    struct Overdue {
        let activity: CodeActivity?
        let time: TimeAmount
    }

    /// What one look at the queue found.
    struct Look {
        /// Whether a job runs that is not named yet, and when it will have run for too long.
        var due: NIODeadline?
        /// A job that has run for too long, when that is found first.
        var overdue: Overdue?
    }

    fileprivate func look(at time: NIODeadline, patience: TimeAmount) -> Look {
        state.withLock { state in
            guard let began = state.began, !state.isNamed else { return Look() }
            guard time - began >= patience else { return Look(due: began + patience) }
            state.isNamed = true
            return Look(overdue: Overdue(activity: state.activity, time: time - began))
        }
    }
}

/// Tells of code that does not return: once when it has run for ``patience``, and again when it has returned.
///
/// It looks only while something runs: an app that does nothing wakes nobody.
final class CodeWatch: Sendable {
    /// How long the app's code may run without awaiting anything. It only has to decide, which takes microseconds.
    static let usualPatience = TimeAmount.seconds(5)

    private struct State {
        var works: [ObjectIdentifier: Weak] = [:]
        var isLooking = false
    }

    private struct Weak {
        weak var work: CodeWork?
    }

    private let eventLoop: any EventLoop
    private let patience: TimeAmount
    private let blocks: @Sendable (CodeWork.Overdue) -> Void
    private let goesOn: @Sendable (CodeWork.Overdue) -> Void
    private let state = Guarded(State())

    /// - Parameters:
    ///   - eventLoop: Where it looks; its clock is the time.
    ///   - blocks: Called on the event loop with code that does not return.
    ///   - goesOn: Called on the thread of such code when it has returned.
    init(
        eventLoop: any EventLoop,
        patience: TimeAmount = usualPatience,
        blocks: @escaping @Sendable (CodeWork.Overdue) -> Void,
        goesOn: @escaping @Sendable (CodeWork.Overdue) -> Void
    ) {
        self.eventLoop = eventLoop
        self.patience = patience
        self.blocks = blocks
        self.goesOn = goesOn
    }

    fileprivate func add(_ work: CodeWork) {
        state.withLock { $0.works[ObjectIdentifier(work)] = Weak(work: work) }
    }

    fileprivate func remove(_ work: CodeWork) {
        state.withLock { _ = $0.works.removeValue(forKey: ObjectIdentifier(work)) }
    }

    fileprivate func began(_ work: CodeWork) {
        let now = eventLoop.now
        work.began(at: now)
        look(at: now + patience)
    }

    fileprivate func ended(_ work: CodeWork) {
        if let overdue = work.ended(at: eventLoop.now) { goesOn(overdue) }
    }

    /// Looks at `time`, unless it will look before.
    private func look(at time: NIODeadline) {
        let starts = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        if starts { eventLoop.scheduleTask(deadline: time) { [weak self] in self?.look() } }
    }

    private func look() {
        let works = state.withLock { state in
            // What begins from now on has itself looked at.
            state.isLooking = false
            return state.works.values.compactMap(\.work)
        }
        let looks = works.map { $0.look(at: eventLoop.now, patience: patience) }
        for overdue in looks.compactMap(\.overdue) { blocks(overdue) }
        if let due = looks.compactMap(\.due).min() { look(at: due) }
    }
}
