internal import Basics
package import NIOCore

/// A serial executor for a scene that runs on the event loop its work comes from.
///
/// While it is idle it belongs to no loop. A job enqueued on one of its loops, such as a connection's call, runs on that loop
/// in the same turn, so the answer needs no other thread. Jobs enqueued meanwhile wait and run on the same loop. Jobs run one
/// at a time, in the order enqueued.
package final class FollowingExecutor: SerialExecutor {
    private struct State {
        /// A job runs, or a loop has been asked to run one.
        var isBusy = false
        var waiting: [UnownedJob] = []
    }

    private let loops: [any EventLoop]
    private let home: any EventLoop
    private let state = Guarded(State())

    /// An executor that runs on the one of `loops` that a job is enqueued on, or on `home` if that is none of them.
    package init(loops: [any EventLoop], home: any EventLoop) {
        self.loops = loops
        self.home = home
    }

    /// The one of `loops` that this is called on, or else `home`.
    package static func nearest(of loops: [any EventLoop], home: any EventLoop) -> any EventLoop {
        loops.first(where: \.inEventLoop) ?? home
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let starts = state.withLock { state in
            if state.isBusy { state.waiting.append(job) }
            defer { state.isBusy = true }
            return !state.isBusy
        }
        guard starts else { return }
        let loop = Self.nearest(of: loops, home: home)
        loop.execute {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
            self.goOn(on: loop)
        }
    }

    /// Enqueues on the loop what has come meanwhile, behind the loop's other work; becomes idle if nothing has.
    private func goOn(on loop: any EventLoop) {
        let jobs = state.withLock { state in
            defer { state.waiting = [] }
            state.isBusy = !state.waiting.isEmpty
            return state.waiting
        }
        guard !jobs.isEmpty else { return }
        loop.execute {
            for job in jobs { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            self.goOn(on: loop)
        }
    }
}
