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
    /// How many bytes the process must have grown by since it began. What of it is free only the allocator knows.
    private static let worthwhile = 16 << 20
    /// How long no client may have come or gone, at least; at most twice as long.
    private static let rest = TimeAmount.seconds(3)
    /// How often it looks for rest before it goes on without.
    private static let patience = 3

    private struct State {
        var changes = 0
        var isDue = false
    }

    private let state = Guarded(State())
    private let eventLoop: any EventLoop
    private let resident: @Sendable () -> Int?
    private let giveBack: @Sendable () -> Void
    /// What the process held at the beginning.
    private let beginning: Int

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
        beginning = resident() ?? 0
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
            let isOver = self.state.withLock { state in
                state.isDue = state.changes != changes && turns > 1
                return !state.isDue
            }
            guard isOver else { return self.wait(turns: turns - 1) }
            if let resident = self.resident(), resident >= self.beginning + Self.worthwhile { self.giveBack() }
        }
    }
}
