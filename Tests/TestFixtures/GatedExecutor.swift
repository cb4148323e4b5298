internal import Dispatch
internal import Locking

/// Runs nothing until it is opened, and then everything in order.
package final class GatedExecutor: SerialExecutor {
    private struct State {
        var waiting: [UnownedJob] = []
        var isOpen = false
    }

    private let queue = DispatchQueue(label: "gated")
    private let state = Guarded(State())

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { state in
            if state.isOpen { run(job) } else { state.waiting.append(job) }
        }
    }

    /// Lets everything go on that waits, and whatever comes.
    package func open() {
        state.withLock { state in
            state.isOpen = true
            for job in state.waiting { run(job) }
            state.waiting = []
        }
    }

    private func run(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
