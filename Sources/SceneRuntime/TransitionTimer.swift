internal import Synchronization

/// Lets the transitions of all scenes take their time, until the host is in a hurry.
package final class TransitionTimer: Sendable {
    private struct State {
        var isHurried = false
        /// One for each scene in transition, by number.
        var sleeps: [Int: Task<Void, Never>] = [:]
        var lastSleep = 0
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
        let (number, isHurried) = state.withLock { state in
            state.lastSleep += 1
            state.sleeps[state.lastSleep] = sleep
            return (state.lastSleep, state.isHurried)
        }
        if isHurried { sleep.cancel() }
        await sleep.value
        state.withLock { $0.sleeps[number] = nil }
    }

    /// Completes the transitions in progress and all later ones at once.
    package func hurry() {
        let sleeps = state.withLock { state in
            state.isHurried = true
            return Array(state.sleeps.values)
        }
        for sleep in sleeps { sleep.cancel() }
    }
}
