internal import Basics

/// A serial executor on the shared thread pool.
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
        enqueue(UnownedJob(job), of: self)
    }

    /// Runs a job after all that were enqueued before it, as one of the executor that this queue works for: always the same.
    func enqueue(_ job: UnownedJob, of executor: some SerialExecutor) {
        let starts = state.withLock { state in
            state.jobs.append(job)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        // The drain ends by itself when the queue is empty. It is not cancelled, because its jobs must run.
        if starts { Task.detached { self.drain(executor) } }
    }

    private func drain(_ executor: some SerialExecutor) {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                if state.jobs.isEmpty { state.isDraining = false }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
        }
    }
}
