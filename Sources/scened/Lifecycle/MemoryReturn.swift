internal import Basics
internal import NIOCore
internal import SceneService
internal import Systemd

/// Returns free memory to the system when the process has grown and clients have gone; the allocator itself would keep it.
///
/// Many clients make it grow, and so do a few with large messages. It takes milliseconds, during which nobody else can allocate, so
/// it is done at most once in a while, and only for what is worth it.
final class MemoryReturn: Sendable {
    /// How many bytes the process must have grown by.
    private static let worthwhile = 16 << 20
    /// How long after a change of clients it is looked at.
    private static let patience = TimeAmount.seconds(3)

    private struct State {
        /// The least that the process has held since memory was returned.
        var least: Int?
        var isDue = false
    }

    private let state = Guarded(State())
    private let eventLoop: any EventLoop
    private let resident: @Sendable () -> Int?
    private let giveBack: @Sendable () -> Void

    /// - Parameters:
    ///   - resident: how many bytes of memory the process holds; `nil` if that cannot be told.
    ///   - giveBack: returns the memory.
    init(
        eventLoop: any EventLoop,
        resident: @escaping @Sendable () -> Int? = { OwnProcess.usage.residentBytes },
        giveBack: @escaping @Sendable () -> Void = returnFreeMemory
    ) {
        self.eventLoop = eventLoop
        self.resident = resident
        self.giveBack = giveBack
        state.withLock { $0.least = resident() }
    }

    /// Called when the number of clients has changed.
    func changed() {
        let begins = state.withLock { state in
            defer { state.isDue = true }
            return !state.isDue
        }
        if begins { eventLoop.scheduleTask(in: Self.patience) { self.look() } }
    }

    private func look() {
        let least = state.withLock { state in
            state.isDue = false
            return state.least
        }
        guard let now = resident() else { return }
        guard let least, now >= least + Self.worthwhile else {
            return state.withLock { $0.least = min(now, least ?? now) }
        }
        giveBack()
        // What is in use was not returned, and is not asked for again.
        state.withLock { $0.least = resident() }
    }
}
