/// Which event loops the connections of each user are on, so that what one user sends keeps no other user waiting.
///
/// A loop belongs to one user as long as that user has connections on it. While half of the loops are free, a user may have
/// several. Only when none is free, users share one.
struct LoopShares {
    /// The connections on each loop, by user.
    private var connections: [[UInt32: Int]]
    private let most: Int

    /// - Parameters:
    ///   - loops: how many there are; at least one.
    ///   - most: how many a user may have.
    init(loops: Int, most: Int) {
        connections = Array(repeating: [:], count: max(1, loops))
        self.most = max(1, most)
    }

    /// The loop for one more connection of a user, until ``release(_:of:)``.
    mutating func take(for user: UInt32) -> Int {
        let own = connections.indices.filter { connections[$0][user] != nil }
        let free = connections.indices.filter { connections[$0].isEmpty }
        let candidates: [Int]
        if own.isEmpty {
            candidates = free.isEmpty ? Array(connections.indices) : free
        } else {
            candidates = own.count < most && free.count * 2 >= connections.count ? free : own
        }
        // With the fewest other users, then with the fewest connections of this one.
        let loop = candidates.min { lhs, rhs in
            let (left, right) = (connections[lhs], connections[rhs])
            return (left.count, left[user, default: 0]) < (right.count, right[user, default: 0])
        }
        let taken = loop ?? 0
        connections[taken][user, default: 0] += 1
        return taken
    }

    /// The loops on which a user has connections; with `nil`, those on which anybody has.
    func loops(of user: UInt32?) -> [Int] {
        connections.indices.filter { loop in user.map { connections[loop][$0] != nil } ?? !connections[loop].isEmpty }
    }

    mutating func release(_ loop: Int, of user: UInt32) {
        let rest = connections[loop][user, default: 1] - 1
        connections[loop][user] = rest > 0 ? rest : nil
    }
}
