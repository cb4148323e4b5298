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
        /// The waits for each rest, by token.
        var waiters: [Rest: [Int: Waiter]] = [:]
        /// What each token waits for.
        var rests: [Int: Rest] = [:]
        var lastToken = 0

        func isReached(_ rest: Rest) -> Bool {
            switch rest {
            case .quiet(nil): total == 0
            case .quiet(let scene?): outstanding[scene] == nil
            // Every resting scene is in the middle of an item, so it is enough to compare the counts.
            case .settled: outstanding.count == resting.count
            }
        }

        /// Removes and returns the waits that a change in this scene has ended, in the order they began.
        mutating func takeReached(by scene: String) -> [Waiter] {
            guard !waiters.isEmpty else { return [] }
            var told: [Waiter] = []
            for rest in [Rest.quiet(scene), .quiet(nil), .settled] where isReached(rest) {
                guard let reached = waiters.removeValue(forKey: rest) else { continue }
                let inOrder = reached.sorted { $0.key < $1.key }
                for (token, _) in inOrder { rests[token] = nil }
                inOrder.lazy.compactMap(\.value.mark).first?()
                told += inOrder.map(\.value)
            }
            return told
        }
    }

    /// The ID under which the session's own work is counted; no scene can have it.
    package static let session = ""

    /// The ID under which the app's own mailbox is counted; no scene can have it.
    package static let app = "/app"

    /// What can be waited for.
    package enum Rest: Hashable, Sendable {
        /// The scene, or with `nil` every scene, has nothing to do.
        case quiet(String?)
        /// Every scene is quiet, held or asleep.
        case settled
    }

    private struct Waiter {
        /// Called under the lock.
        let mark: (@Sendable () -> Void)?
        /// Called outside of it.
        let notify: @Sendable () -> Void
    }

    private let state = Guarded(State())

    package init() {}

    /// Counts items put into the scene's mailbox.
    package func began(_ scene: String, count: Int = 1) {
        state.add { state in
            state.outstanding[scene, default: 0] += count
            state.total += count
        }
    }

    /// Counts items that have been handled or given up.
    package func ended(_ scene: String, count: Int = 1) {
        let told = add { state in
            state.total -= count
            if let place = state.outstanding.index(forKey: scene) {
                state.outstanding.values[place] -= count
                guard state.outstanding.values[place] <= 0 else { return [] }
                state.outstanding.remove(at: place)
            }
            if !state.resting.isEmpty { state.resting.remove(scene) }
            return state.takeReached(by: scene)
        }
        for waiter in told { waiter.notify() }
    }

    /// What scenes count commutes: whichever is the last ends the waits. Only a scene that ceases to rest is another matter.
    private func add(_ change: (inout State) -> [Waiter]) -> [Waiter] {
        state.add { state in
            let resting = state.resting.count
            defer { if state.resting.count != resting { self.state.report(.write) } }
            return change(&state)
        }
    }

    /// Says that the caller goes on because of what everybody has counted.
    package func goOn() { state.report(.read) }

    /// How many items of the scene are waiting or being handled.
    package func count(of scene: String) -> Int { state.read { $0.outstanding[scene] ?? 0 } }

    /// Whether this is so now.
    package func isReached(_ rest: Rest) -> Bool { state.read { $0.isReached(rest) } }

    /// How many waits have not ended.
    package var waiterCount: Int { state.read { $0.rests.count } }

    /// Marks the scene held or asleep in the middle of an item.
    package func rest(_ scene: String) {
        let told: [Waiter] = state.withLock { state in
            guard state.outstanding[scene] != nil else { return [] }
            state.resting.insert(scene)
            return state.takeReached(by: scene)
        }
        for waiter in told { waiter.notify() }
    }

    /// Marks the scene going on. Called before it does.
    package func wake(_ scene: String) {
        state.withLock { _ = $0.resting.remove(scene) }
    }

    /// Calls `notify` once, when `rest` is reached; immediately if it already is.
    ///
    /// - Parameters:
    ///   - mark: Called before anything can begin again, once for all waits for the same rest. It runs under the monitor's lock:
    ///     it may append a record, but must not call the monitor.
    ///   - notify: Called afterwards, on any thread. Something may have begun again by then.
    /// - Returns: A token for ``forget(_:)``.
    @discardableResult
    package func when(
        _ rest: Rest,
        mark: (@Sendable () -> Void)? = nil,
        _ notify: @escaping @Sendable () -> Void
    ) -> Int {
        let (token, isReached) = state.withLock { state in
            state.lastToken += 1
            let isReached = state.isReached(rest)
            if isReached {
                mark?()
            } else {
                state.waiters[rest, default: [:]][state.lastToken] = Waiter(mark: mark, notify: notify)
                state.rests[state.lastToken] = rest
            }
            return (state.lastToken, isReached)
        }
        if isReached { notify() }
        return token
    }

    /// Cancels a wait.
    /// - Returns: Whether it was still waiting; if not, its `notify` has been called or is about to be.
    @discardableResult
    package func forget(_ token: Int) -> Bool {
        state.withLock { state in
            guard let rest = state.rests.removeValue(forKey: token) else { return false }
            state.waiters[rest]?[token] = nil
            if state.waiters[rest]?.isEmpty == true { state.waiters[rest] = nil }
            return true
        }
    }
}
