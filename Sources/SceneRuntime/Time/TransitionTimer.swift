internal import Basics

/// Makes the transitions of all scenes take time, until the host stops and is in a hurry.
package final class TransitionTimer: Sendable {
    private struct Sleep {
        let end: Duration
        let task: Task<Void, Never>
    }

    private struct State {
        var isHurried = false
        /// The transitions in progress by scene; each scene has one at a time.
        var sleeps: [String: Sleep] = [:]
    }

    private let clock: any RuntimeClock
    private let activity: ActivityMonitor
    // Each scene has its own place, with the task in it; what hurries all scenes concerns the whole.
    private let state = Guarded(State(), isReported: false)

    package init(clock: any RuntimeClock, activity: ActivityMonitor) {
        self.clock = clock
        self.activity = activity
    }

    /// Returns after `duration`, or at once when hurried.
    /// - Parameter isGone: Whether the scene is discarded; its transitions take no time.
    package func wait(_ duration: Duration, in scene: String, isGone: () -> Bool = { false }) async {
        guard duration > .zero else { return }
        let (clock, activity) = (clock, activity)
        let deadline = clock.now + duration
        let watcher = SleepWatcher(fallsAsleep: { activity.rest(scene) }, wakes: { activity.wake(scene) })
        let sleep = Task { [state] in
            // Whether it is cancelled before it sleeps.
            state.report(.read, of: scene)
            _ = try? await clock.sleep(until: deadline, watcher: watcher)
        }
        state.report(.write, of: scene)
        state.report(.read)
        let isHurried = state.withLock { state in
            state.sleeps[scene] = Sleep(end: deadline, task: sleep)
            return state.isHurried || isGone()
        }
        if isHurried { sleep.cancel() }
        await sleep.value
        // The clock does not wake a task that was cancelled.
        activity.wake(scene)
        state.report(.write, of: scene)
        state.withLock { $0.sleeps[scene] = nil }
    }

    /// Completes the transition in progress in one scene at once.
    package func hurry(scene: String) {
        state.report(.write, of: scene)
        state.withLock { $0.sleeps[scene] }?.task.cancel()
    }

    /// When the transition in progress in a scene ends, by the clock; `nil` if none is in progress.
    func end(in scene: String) -> Duration? {
        state.report(.read, of: scene)
        return state.withLock { $0.sleeps[scene]?.end }
    }

    /// Completes all transitions in progress, and every later one, at once.
    package func hurry() {
        state.report(.write)
        let sleeps = state.withLock { state in
            state.isHurried = true
            for scene in state.sleeps.keys { self.state.report(.write, of: scene) }
            return Array(state.sleeps.values)
        }
        for sleep in sleeps { sleep.task.cancel() }
    }
}
