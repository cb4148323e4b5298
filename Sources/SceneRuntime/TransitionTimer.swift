internal import Synchronization

/// Lets the transitions of all scenes take their time, until the host is in a hurry.
package final class TransitionTimer: Sendable {
    private struct State {
        var isHurried = false
        var sleeps: [Int: Task<Void, Never>] = [:]
        var nextSleep = 0
    }

    private let clock: any RuntimeClock
    private let state = Mutex(State())

    package init(clock: any RuntimeClock) {
        self.clock = clock
    }

    /// Returns after `duration`, or at once when hurried.
    package func wait(_ duration: Duration) async {
        guard duration > .zero else { return }
        let clock = self.clock
        let deadline = clock.now + duration
        let sleep = Task { _ = try? await clock.sleep(until: deadline) }
        let (isHurried, id) = state.withLock { state in
            state.nextSleep += 1
            state.sleeps[state.nextSleep] = sleep
            return (state.isHurried, state.nextSleep)
        }
        if isHurried { sleep.cancel() }
        await sleep.value
        state.withLock { $0.sleeps[id] = nil }
    }

    /// Completes the transitions in progress and all later ones at once.
    package func hurry() {
        state.withLock { state in
            state.isHurried = true
            for sleep in state.sleeps.values { sleep.cancel() }
        }
    }
}
