package import NIOCore
internal import Locking
internal import NIOPosix

/// A serial executor that goes to the event loop of whoever gives it something to do.
///
/// While it rests it belongs to no loop. A job that comes from one of its loops, such as what a connection asks for, runs on
/// that loop in the same turn, so that the answer needs no other thread. While it is at work, whatever comes waits for it
/// where it is. Two jobs never run at once, and they run in the order enqueued.
package final class FollowingExecutor: SerialExecutor {
    private struct State {
        /// Whether a job runs or its loop has been asked to run one.
        var isBusy = false
        var waiting: [UnownedJob] = []
    }

    private let loops: [any EventLoop]
    private let home: any EventLoop
    private let state = Guarded(State())

    /// An executor that goes to any of `loops`, and to `home` for whoever is on none of them.
    package init(loops: [any EventLoop], home: any EventLoop) {
        self.loops = loops
        self.home = home
    }

    /// The loop among `loops` on which this is called, or else `home`.
    package static func nearest(of loops: [any EventLoop], home: any EventLoop) -> any EventLoop {
        guard let current = MultiThreadedEventLoopGroup.currentEventLoop else { return home }
        return loops.contains { $0 === current } ? current : home
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

    /// Runs what has come meanwhile, after whatever else the loop has to do by now; rests where that is nothing.
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
