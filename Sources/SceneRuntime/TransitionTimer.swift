internal import Synchronization

/// Lets a scene's transitions take their time, until the host is in a hurry.
package final class TransitionTimer: Sendable {
    private struct State {
        var isHurried = false
        var sleep: Task<Void, Never>?
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
        let isHurried = state.withLock { state in
            state.sleep = sleep
            return state.isHurried
        }
        if isHurried { sleep.cancel() }
        await sleep.value
        state.withLock { $0.sleep = nil }
    }

    /// Completes the transition in progress and all later ones at once.
    package func hurry() {
        state.withLock { state in
            state.isHurried = true
            state.sleep?.cancel()
        }
    }
}
