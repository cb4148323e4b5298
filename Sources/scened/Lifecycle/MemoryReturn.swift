internal import Basics
internal import NIOCore
internal import Systemd

/// Returns free memory to the system when many clients have gone; the allocator itself would keep it.
///
/// It takes milliseconds, during which nobody else can allocate, so it is not done while others come.
final class MemoryReturn: Sendable {
    /// With fewer clients there is too little to return.
    private static let many = 16
    /// How long most have to be gone.
    private static let patience = TimeAmount.seconds(3)

    private struct State {
        var peak = 0
        var connections = 0
        var isDue = false

        var isOver: Bool { peak >= MemoryReturn.many && connections * 4 <= peak }
    }

    private let state = Guarded(State())
    private let eventLoop: any EventLoop
    private let giveBack: @Sendable () -> Void

    /// - Parameter giveBack: returns the memory.
    init(eventLoop: any EventLoop, giveBack: @escaping @Sendable () -> Void = returnFreeMemory) {
        self.eventLoop = eventLoop
        self.giveBack = giveBack
    }

    /// Called with the number of clients when it has changed.
    func changed(_ connections: Int) {
        let begins = state.withLock { state in
            state.connections = connections
            state.peak = max(state.peak, connections)
            guard state.isOver, !state.isDue else { return false }
            state.isDue = true
            return true
        }
        if begins { eventLoop.scheduleTask(in: Self.patience) { self.patienceIsOver() } }
    }

    private func patienceIsOver() {
        let isOver = state.withLock { state in
            state.isDue = false
            guard state.isOver else { return false }
            state.peak = state.connections
            return true
        }
        if isOver { giveBack() }
    }
}
