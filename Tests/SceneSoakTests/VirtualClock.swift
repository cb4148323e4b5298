import Locking

@testable import SceneSoak

/// Time that goes on only when somebody waits for it.
final class VirtualClock: SoakClock {
    private let time = Guarded(Duration.zero)

    var now: Duration { time.withLock { $0 } }

    func wait(until moment: Duration) { time.withLock { $0 = max($0, moment) } }

    /// Moves on by itself, as a machine does that is busy otherwise.
    func pass(_ length: Duration) { time.withLock { $0 += length } }
}
