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
    private let state = Guarded(State())

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
        let sleep = Task { _ = try? await clock.sleep(until: deadline, watcher: watcher) }
        let isHurried = state.withLock { state in
            state.sleeps[scene] = Sleep(end: deadline, task: sleep)
            return state.isHurried || isGone()
        }
        if isHurried { sleep.cancel() }
        await sleep.value
        // The clock does not wake a task that was cancelled.
        activity.wake(scene)
        state.withLock { $0.sleeps[scene] = nil }
    }

    /// Completes the transition in progress in one scene at once.
    package func hurry(scene: String) {
        state.withLock { $0.sleeps[scene] }?.task.cancel()
    }

    /// When the transition in progress in a scene ends, by the clock; `nil` if none is in progress.
    func end(in scene: String) -> Duration? { state.withLock { $0.sleeps[scene]?.end } }

    /// Completes all transitions in progress, and every later one, at once.
    package func hurry() {
        let sleeps = state.withLock { state in
            state.isHurried = true
            return Array(state.sleeps.values)
        }
        for sleep in sleeps { sleep.task.cancel() }
    }
}
