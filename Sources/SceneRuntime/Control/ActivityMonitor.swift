internal import Basics

/// Knows whether anything is going on. Items in a mailbox or being handled count; parked intents do not.
///
/// A scene is *quiet* when it has nothing to do. It is *settled* when it can do nothing more by itself: it is quiet, held,
/// or asleep until the clock moves.
package final class ActivityMonitor: Sendable {
    private struct State {
        var outstanding: [String: Int] = [:]
        var total = 0
        /// The scenes that are held or asleep in the middle of an item.
        var resting: Set<String> = []
        var waiters: [Waiter] = []
        var nextWaiter = 0

        func isReached(_ rest: Rest) -> Bool {
            switch rest {
            case .quiet(nil): total == 0
            case .quiet(let scene?): outstanding[scene] == nil
            // Every resting scene is in the middle of an item, so it is enough to compare the counts.
            case .settled: outstanding.count == resting.count
            }
        }
    }

    /// The ID under which the session's own work is counted; no scene can have it.
    package static let session = ""

    /// What can be waited for.
    package enum Rest: Hashable, Sendable {
        /// The scene, or with `nil` every scene, has nothing to do.
        case quiet(String?)
        /// Every scene is quiet, held or asleep.
        case settled
    }

    private struct Waiter {
        let id: Int
        let rest: Rest
        let notify: @Sendable () -> Void
    }

    private let state = Guarded(State())

    package init() {}

    /// Counts items put into the scene's mailbox.
    package func began(_ scene: String, count: Int = 1) {
        state.withLock { state in
            state.outstanding[scene, default: 0] += count
            state.total += count
        }
    }

    /// Counts items that have been handled or given up.
    package func ended(_ scene: String, count: Int = 1) {
        state.withLock { state in
            state.total -= count
            if let place = state.outstanding.index(forKey: scene) {
                state.outstanding.values[place] -= count
                guard state.outstanding.values[place] <= 0 else { return }
                state.outstanding.remove(at: place)
            }
            if !state.resting.isEmpty { state.resting.remove(scene) }
            Self.tell(&state)
        }
    }

    /// How many items of the scene are waiting or being handled.
    package func count(of scene: String) -> Int { state.withLock { $0.outstanding[scene] ?? 0 } }

    /// Marks the scene held or asleep in the middle of an item.
    package func rest(_ scene: String) {
        state.withLock { state in
            guard state.outstanding[scene] != nil else { return }
            state.resting.insert(scene)
            Self.tell(&state)
        }
    }

    /// Marks the scene going on. Called before it does.
    package func wake(_ scene: String) {
        state.withLock { _ = $0.resting.remove(scene) }
    }

    /// Calls `notify` once, when `rest` is reached; immediately if it already is.
    ///
    /// It runs under the monitor's lock. It may append records, but must not call the monitor.
    /// - Returns: A token for ``forget(_:)``.
    @discardableResult
    package func when(_ rest: Rest, _ notify: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextWaiter += 1
            if state.isReached(rest) {
                notify()
            } else {
                state.waiters.append(Waiter(id: state.nextWaiter, rest: rest, notify: notify))
            }
            return state.nextWaiter
        }
    }

    /// Cancels a wait.
    /// - Returns: Whether it was still waiting; if not, its `notify` has been called.
    @discardableResult
    package func forget(_ token: Int) -> Bool {
        state.withLock { state in
            let count = state.waiters.count
            state.waiters.removeAll { $0.id == token }
            return state.waiters.count < count
        }
    }

    /// Notifies those whose rest is reached. It does so under the lock, so that nothing can begin before they know.
    private static func tell(_ state: inout State) {
        guard !state.waiters.isEmpty else { return }
        let told = state.waiters.filter { state.isReached($0.rest) }
        state.waiters.removeAll { waiter in told.contains { $0.id == waiter.id } }
        for waiter in told { waiter.notify() }
    }
}
