internal import Basics
internal import Systemd

/// Returns free memory to the system when many clients have gone; the allocator itself would keep it.
final class MemoryReturn: Sendable {
    /// With fewer clients there is too little to return.
    private static let many = 64

    private let peak = Guarded(0)
    private let giveBack: @Sendable () -> Void

    /// - Parameter giveBack: returns the memory. By default a task does it a second later, when clients that leave together
    ///   have all gone, because it takes milliseconds.
    init(
        giveBack: @escaping @Sendable () -> Void = {
            Task.detached {
                try? await Task.sleep(for: .seconds(1))
                returnFreeMemory()
            }
        }
    ) {
        self.giveBack = giveBack
    }

    /// Called with the number of clients when it has changed.
    func changed(_ connections: Int) {
        let isOver = peak.withLock { peak in
            peak = max(peak, connections)
            guard peak >= Self.many, connections * 4 <= peak else { return false }
            peak = connections
            return true
        }
        if isOver { giveBack() }
    }
}
