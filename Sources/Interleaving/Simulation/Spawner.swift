internal import Basics

/// Starts the root of each run with the task-locals of the caller of the exploration.
///
/// A new task copies the task-locals of the task that creates it, and the thread of a simulation has no task. So the caller creates one task,
/// which waits, and creates the root of each run on request. Only the thread of the simulation runs it, between runs, and it
/// belongs to no run.
final class Spawner: TaskExecutor {
    private struct State {
        var job: UnownedJob?
        var continuation: UnsafeContinuation<UInt64?, Never>?
    }

    // No run depends on it.
    private let state = Guarded(State())

    /// Creates the waiting task. The caller's task has to call this.
    func begin(_ body: @escaping ExplorationBody, onDefaultExecutor: Bool) {
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
                // Even a preference for no executor is a preference, which every hop of every child would look up.
                if onDefaultExecutor {
                    Task(priority: .medium) { await root(seed) }
                } else {
                    Task(executorPreference: SimulatedTaskExecutor(), priority: .medium) { await root(seed) }
                }
            }
        }
        turn()
    }

    /// Starts the root of a run.
    func spawn(seed: UInt64) {
        resume(seed)
    }

    /// Ends the waiting task, which releases the body.
    func end() {
        resume(nil)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock(for: nil) { $0.job = job }
    }

    private func next() async -> UInt64? {
        await withUnsafeContinuation { continuation in
            state.withLock(for: nil) { $0.continuation = continuation }
        }
    }

    private func resume(_ seed: UInt64?) {
        let continuation = state.withLock(for: nil) { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: seed)
        turn()
    }

    /// Runs the task until it waits again.
    private func turn() {
        let job = state.withLock(for: nil) { state in
            defer { state.job = nil }
            return state.job
        }
        job?.runSynchronously(on: asUnownedTaskExecutor())
    }
}
