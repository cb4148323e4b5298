internal import Dispatch
internal import Basics

/// Runs no job until it is opened, and then all in order.
package final class GatedExecutor: SerialExecutor {
    private struct State {
        var waiting: [UnownedJob] = []
        var isOpen: Bool
        /// How many are queued to run or running.
        var running = 0
        var watchers: [CheckedContinuation<Void, Never>] = []
        var enqueued = 0
    }

    private let queue = DispatchQueue(label: "gated")
    private let state: Guarded<State>

    package init(isOpen: Bool = false) {
        state = Guarded(State(isOpen: isOpen))
    }

    /// How many jobs it has been given so far.
    package var enqueued: Int { state.withLock { $0.enqueued } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { state in
            state.enqueued += 1
            if state.isOpen { run(job, &state) } else { state.waiting.append(job) }
        }
    }

    /// Runs all jobs that wait, and all later ones.
    package func open() {
        state.withLock { state in
            state.isOpen = true
            for job in state.waiting { run(job, &state) }
            state.waiting = []
        }
    }

    /// Waits until all queued jobs have run, and then runs no more.
    package func close() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                guard state.running > 0 else {
                    state.isOpen = false
                    return true
                }
                state.watchers.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    private func run(_ job: UnownedJob, _ state: inout State) {
        state.running += 1
        queue.async {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
            self.hasRun()
        }
    }

    private func hasRun() {
        let watchers = state.withLock { state in
            state.running -= 1
            guard state.running == 0, !state.watchers.isEmpty else { return [CheckedContinuation<Void, Never>]() }
            state.isOpen = false
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
    }
}
