internal import DequeModule
internal import Locking

/// The calls sent last, so that what led to a violation can be done again.
final class CallRing: Sendable {
    /// A call and when it was sent.
    struct Sent: Sendable {
        let at: Duration
        let call: SoakCall
    }

    private let limit: Int
    private let ring = Guarded<Deque<Sent>>([])

    init(limit: Int) { self.limit = limit }

    func sent(_ call: SoakCall, at time: Duration) {
        ring.withLock { ring in
            if ring.count >= limit { ring.removeFirst() }
            ring.append(Sent(at: time, call: call))
        }
    }

    /// In the order sent.
    var newest: [Sent] { ring.withLock { Array($0) } }
}
