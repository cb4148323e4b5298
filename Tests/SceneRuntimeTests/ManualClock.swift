import Basics
import SceneRuntime

/// A virtual clock on whose sleepers a test can wait.
final class ManualClock: RuntimeClock {
    private struct State {
        var sleeping = 0
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let clock = VirtualClock(wallTime: 1_000_000)
    private let state = Guarded(State())

    var now: Duration { clock.now }
    var wallTime: Double { clock.wallTime }

    func sleep(until deadline: Duration) async throws {
        try await sleep(until: deadline, watcher: SleepWatcher(fallsAsleep: {}, wakes: {}))
    }

    func sleep(until deadline: Duration, watcher: SleepWatcher) async throws {
        let isAsleep = Guarded(false)
        // Uncount it when it is cancelled, not when its task notices.
        try await withTaskCancellationHandler {
            defer { awake(isAsleep) }
            try await clock.sleep(
                until: deadline,
                watcher: SleepWatcher(
                    fallsAsleep: {
                        watcher.fallsAsleep()
                        isAsleep.withLock { $0 = true }
                        self.fellAsleep()
                    },
                    wakes: {
                        watcher.wakes()
                        self.awake(isAsleep)
                    }
                )
            )
        } onCancel: {
            awake(isAsleep)
        }
    }

    private func awake(_ isAsleep: Guarded<Bool>) {
        let was = isAsleep.withLock { isAsleep in
            defer { isAsleep = false }
            return isAsleep
        }
        if was { state.withLock { $0.sleeping -= 1 } }
    }

    /// How many tasks sleep now.
    var sleeping: Int { state.withLock { $0.sleeping } }

    func advance(by duration: Duration) async {
        await clock.advance(by: duration) {}
    }

    /// Returns when at least this many tasks sleep.
    func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.sleeping >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    private func fellAsleep() {
        let met = state.withLock { state in
            state.sleeping += 1
            defer { state.watchers.removeAll { $0.count <= state.sleeping } }
            return state.watchers.filter { $0.count <= state.sleeping }.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }
}
