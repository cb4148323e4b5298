/// Invariant 2: per connection and scene, admission order is send order.
struct SendOrder: InvariantCheck {
    let invariant = Invariant.sendOrder
    /// How many pairs of connection and scene are remembered, at least.
    let remembered: Int

    private struct Pair: Hashable {
        let connection: Int
        let scene: String
    }

    private struct Call {
        let number: Int
        let index: Int
    }

    private var last: [Pair: Call] = [:]
    /// The greatest number of a connection for which a pair was forgotten. No record says that a connection has closed, but
    /// connections are numbered in order, so a pair of a new connection cannot have been forgotten.
    private var forgotten = Int.min

    init(remembered: Int) {
        self.remembered = max(remembered, 1)
    }

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        // The connections of a host that goes on after its end are others, numbered anew.
        if case .hostRestarted = record.body {
            last = [:]
            forgotten = .min
        }
        guard case .eventAdmitted(let arrival) = record.body, let call = arrival.call,
            let connection = record.connection,
            let scene = record.scene
        else { return }
        let pair = Pair(connection: connection, scene: scene)
        if let before = last[pair] {
            // The URLs of a set come by one call.
            let isNext = call > before.number || call == before.number && arrival.set.map { $0.place > 1 } ?? false
            if !isNext {
                findings.violated(
                    [before.index, record.index],
                    "scene \(scene) admitted call \(call) of connection \(connection) after its call \(before.number)"
                )
            }
        } else if connection <= forgotten {
            findings.doubted("more than \(remembered) pairs of connection and scene were in use at once")
        }
        last[pair] = Call(number: call, index: record.index)
        if last.count >= 2 * remembered { forget() }
    }

    /// Forgets the pairs that were unused for longest.
    private mutating func forget() {
        let oldest = last.sorted { $0.value.index < $1.value.index }.prefix(last.count - remembered)
        for (pair, _) in oldest {
            last[pair] = nil
            forgotten = max(forgotten, pair.connection)
        }
    }
}
