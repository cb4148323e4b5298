/// The session by the records so far.
struct KnownSession {
    private(set) var snapshot: HistoryRecord.Snapshot?
    private(set) var user: String?
    /// Which preconditions, and conditions without parameters, hold; others are not in it.
    private(set) var holds: [String: Bool] = [:]
    /// Those that nothing but a stale sign-in keeps from holding; `nil` unless it is stale.
    private(set) var stale: [String]?
    /// The index of the record that changed it last.
    private(set) var index = 0
    /// How often the manifest has been replaced, which can change what holds without a commit.
    private(set) var reloads = 0

    mutating func apply(_ record: HistoryRecord) {
        switch record.body {
        case .hostStarted(_, let holds): self.holds = holds
        case .hostSnapshot(let known):
            // It says what is known already, unless the history is taken up with it.
            guard snapshot == nil else { return }
            user = known.user
            note(known.truths)
        case .sessionCommitted(let user, let truths, _):
            self.user = user
            note(truths)
        case .manifestLoaded(_, let truths):
            note(truths)
            reloads += 1
            index = record.index
            // If the reload makes a commit, its record follows.
            return
        default: return
        }
        index = record.index
        if let snapshot = record.snapshot { self.snapshot = snapshot }
    }

    private mutating func note(_ truths: HistoryRecord.Truths?) {
        holds = truths?.holds ?? [:]
        stale = truths?.stale
    }

    /// The first of these needs that does not hold; unknown ones count as holding.
    func firstFailing(of needs: [String]) -> String? {
        needs.first { holds[$0] == false }
    }

    /// The first of these needs for which what is shown must go: one that does not hold, and not only because the sign-in is
    /// stale.
    func firstForbidding(_ needs: [String]) -> String? {
        needs.first { holds[$0] == false && stale?.contains($0) != true }
    }
}
