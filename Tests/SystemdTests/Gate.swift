import Basics

import class Foundation.NSCondition

/// Stops a sink's thread at each element until the test lets it continue.
final class Gate: Sendable {
    private let condition = NSCondition()
    private let state = Guarded((arrived: 0, allowed: 0))

    /// Called by the sink: reports that it was entered and waits.
    func pass() {
        condition.lock()
        defer { condition.unlock() }
        let turn = state.withLock { state in
            state.arrived += 1
            return state.arrived
        }
        condition.broadcast()
        while state.withLock({ $0.allowed < turn }) { condition.wait() }
    }

    /// Waits until the sink has been entered this often.
    func awaitArrivals(_ count: Int) {
        condition.lock()
        defer { condition.unlock() }
        while state.withLock({ $0.arrived < count }) { condition.wait() }
    }

    /// Lets `count` more through.
    func open(_ count: Int = 1_000_000) {
        condition.lock()
        defer { condition.unlock() }
        state.withLock { $0.allowed += count }
        condition.broadcast()
    }
}
