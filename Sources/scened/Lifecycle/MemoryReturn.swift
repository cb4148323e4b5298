internal import Basics
internal import NIOCore
internal import SceneService
internal import Systemd

/// Returns free memory to the system when the process has grown and its clients have come to rest; the allocator itself would
/// keep it.
///
/// Many clients make it grow, and so do a few with large messages. It takes milliseconds, during which nobody else can allocate. So it
/// waits until no client has come or gone for a while; if they never cease to, it is done all the same after a few seconds.
final class MemoryReturn: Sendable {
    /// How many bytes the process must have grown by since it was last at rest.
    private static let worthwhile = 16 << 20
    /// How long no client may have come or gone, at least; at most twice as long.
    private static let rest = TimeAmount.seconds(3)
    /// How often it looks for rest before it goes on without.
    private static let patience = 3

    private struct State {
        /// The least that the process has held at rest.
        var atRest: Int?
        var changes = 0
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
        state.withLock { $0.atRest = resident() }
    }

    /// Called when a client has come or gone.
    func changed() {
        let begins = state.withLock { state in
            state.changes += 1
            defer { state.isDue = true }
            return !state.isDue
        }
        if begins { wait(turns: Self.patience) }
    }

    private func wait(turns: Int) {
        let changes = state.withLock { $0.changes }
        eventLoop.scheduleTask(in: Self.rest) {
            let isAtRest = self.state.withLock { $0.changes == changes }
            guard isAtRest || turns == 1 else { return self.wait(turns: turns - 1) }
            self.state.withLock { $0.isDue = false }
            self.look(isAtRest: isAtRest)
        }
    }

    private func look(isAtRest: Bool) {
        guard var now = resident() else { return }
        let atRest = state.withLock { $0.atRest } ?? 0
        if now >= atRest + Self.worthwhile {
            giveBack()
            now = resident() ?? now
            // What is still in use at rest is not asked for again.
            if isAtRest { state.withLock { $0.atRest = now } }
        } else if now < atRest {
            state.withLock { $0.atRest = now }
        }
    }
}
