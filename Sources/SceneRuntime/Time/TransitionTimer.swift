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
        let isHurried = state.withLock { state in
            self.state.report(.write, of: scene)
            self.state.report(.read)
            state.sleeps[scene] = Sleep(end: deadline, task: sleep)
            return state.isHurried || isGone()
        }
        if isHurried { cancel(sleep, in: scene) }
        await sleep.value
        // The clock does not wake a task that was cancelled.
        activity.wake(scene)
        state.withLock { state in
            self.state.report(.write, of: scene)
            state.sleeps[scene] = nil
        }
    }

    /// Completes the transition in progress in one scene at once.
    package func hurry(scene: String) {
        let sleep = state.withLock { state in
            self.state.report(.read, of: scene)
            return state.sleeps[scene]
        }
        if let sleep { cancel(sleep.task, in: scene) }
    }

    /// Cancels the sleep of a scene, which it may not have begun.
    private func cancel(_ sleep: Task<Void, Never>, in scene: String) {
        sleep.cancel()
        state.report(.write, of: scene)
    }

    /// When the transition in progress in a scene ends, by the clock; `nil` if none is in progress.
    func end(in scene: String) -> Duration? {
        state.withLock { state in
            self.state.report(.read, of: scene)
            return state.sleeps[scene]?.end
        }
    }

    /// Completes all transitions in progress, and every later one, at once.
    package func hurry() {
        let sleeps = state.withLock { state in
            self.state.report(.write)
            state.isHurried = true
            for scene in state.sleeps.keys { self.state.report(.read, of: scene) }
            return state.sleeps
        }
        for (scene, sleep) in sleeps.sorted(by: { $0.key < $1.key }) { cancel(sleep.task, in: scene) }
    }
}
