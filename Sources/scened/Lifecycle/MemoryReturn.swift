internal import Locking
internal import Systemd

/// Gives memory back to the system when many clients have gone: the allocator would keep for ever what they needed once.
final class MemoryReturn: Sendable {
    /// Fewer clients than this are not worth it.
    private static let many = 64

    private let peak = Guarded(0)
    private let giveBack: @Sendable () -> Void

    /// - Parameter giveBack: Takes milliseconds, so it is done beside everything else, and nobody waits for it: a second later, when
    ///   the last of those that went together have gone too.
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

    /// There are so many clients now.
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
