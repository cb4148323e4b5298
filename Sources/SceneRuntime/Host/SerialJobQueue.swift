internal import Basics

/// A serial executor on the shared thread pool. A host gives one to each of its actors unless it is given other executors.
///
/// Jobs run one at a time in the order enqueued. It has no thread of its own, so ten thousand of them cost nothing while they
/// are idle.
public final class SerialJobQueue: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isDraining = false
    }

    private let state = Guarded(State())

    /// An empty queue.
    public init() {}

    /// Runs the job after all that were enqueued before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let starts = state.withLock { state in
            state.jobs.append(job)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        // The drain ends by itself when the queue is empty. It is not cancelled, because its jobs must run.
        if starts { Task.detached { self.drain() } }
    }

    private func drain() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                if state.jobs.isEmpty { state.isDraining = false }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
        }
    }
}
