internal import Synchronization

/// Knows whether anything is going on: every item in a mailbox or being handled counts, what is parked does not.
package final class ActivityMonitor: Sendable {
    private struct State {
        var outstanding: [String: Int] = [:]
        var total = 0
        var waiters: [Waiter] = []
        var nextWaiter = 0

        func isQuiet(_ scene: String?) -> Bool {
            guard let scene else { return total == 0 }
            return outstanding[scene] == nil
        }
    }

    private struct Waiter {
        let id: Int
        let scene: String?
        let notify: @Sendable () -> Void
    }

    private let state = Mutex(State())

    package init() {}

    /// An item was put into the scene's mailbox.
    package func began(_ scene: String, count: Int = 1) {
        state.withLock { state in
            state.outstanding[scene, default: 0] += count
            state.total += count
        }
    }

    /// An item has been handled, or given up.
    package func ended(_ scene: String, count: Int = 1) {
        state.withLock { state in
            state.total -= count
            let left = state.outstanding[scene, default: 0] - count
            state.outstanding[scene] = left > 0 ? left : nil
            guard left <= 0 else { return }
            // Told under the lock, so that nothing can begin between being quiet and saying so.
            let quiet = state.waiters.filter { state.isQuiet($0.scene) }
            state.waiters.removeAll { waiter in quiet.contains { $0.id == waiter.id } }
            for waiter in quiet { waiter.notify() }
        }
    }

    /// Calls `notify` once, when the scene, or with `nil` every scene, has nothing to do; at once if that is so.
    ///
    /// It runs under the monitor's lock and may append records, but must not call back.
    /// - Returns: A token for ``forget(_:)``.
    @discardableResult
    package func whenQuiet(_ scene: String?, _ notify: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextWaiter += 1
            if state.isQuiet(scene) {
                notify()
            } else {
                state.waiters.append(Waiter(id: state.nextWaiter, scene: scene, notify: notify))
            }
            return state.nextWaiter
        }
    }

    /// Gives up waiting.
    /// - Returns: Whether it was still waiting; if not, it has been notified.
    @discardableResult
    package func forget(_ token: Int) -> Bool {
        state.withLock { state in
            let count = state.waiters.count
            state.waiters.removeAll { $0.id == token }
            return state.waiters.count < count
        }
    }
}
