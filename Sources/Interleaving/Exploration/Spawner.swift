internal import Locking

/// Starts the root of each run with the task-locals of whoever asked for the exploration.
///
/// A task-local is copied from the task that makes a task, and on the thread of a simulation there is none. So one task is
/// made by the caller, waits, and makes the root of each run when it is told to. Nobody but the thread of the simulation
/// runs it, between runs, and it is not part of any.
final class Spawner: TaskExecutor {
    private struct State {
        var job: UnownedJob?
        var continuation: UnsafeContinuation<UInt64?, Never>?
    }

    private let state = Guarded(State())

    /// To be called in the caller's task.
    func begin(_ body: @escaping Body, onDefaultExecutor: Bool) {
        let root: @Sendable (UInt64) async -> Void = { seed in
            do {
                try await body(SplitMix(seed: seed))
                Simulator.rootEnded(nil)
            } catch {
                Simulator.rootEnded(error)
            }
        }
        Task(executorPreference: self, priority: .medium) {
            while let seed = await self.next() {
                // A preference for no executor is one too, which every hop of every child would look up.
                if onDefaultExecutor {
                    Task(priority: .medium) { await root(seed) }
                } else {
                    Task(executorPreference: SimulatedTaskExecutor(), priority: .medium) { await root(seed) }
                }
            }
        }
        turn()
    }

    /// Makes a root.
    func spawn(seed: UInt64) {
        resume(seed)
    }

    /// Lets go of the body.
    func end() {
        resume(nil)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.job = job }
    }

    private func next() async -> UInt64? {
        await withUnsafeContinuation { continuation in
            state.withLock { $0.continuation = continuation }
        }
    }

    private func resume(_ seed: UInt64?) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: seed)
        turn()
    }

    /// Runs the task until it waits again.
    private func turn() {
        let job = state.withLock { state in
            defer { state.job = nil }
            return state.job
        }
        job?.runSynchronously(on: asUnownedTaskExecutor())
    }
}
