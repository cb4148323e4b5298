/// The session by the records so far.
struct KnownSession {
    private(set) var snapshot: HistoryRecord.Snapshot?
    private(set) var user: String?
    /// Which preconditions, and conditions without parameters, hold; others are not in it.
    private(set) var holds: [String: Bool] = [:]
    /// The index of the record that changed it last.
    private(set) var index = 0
    /// How often the manifest has been replaced, which can change what holds without a commit.
    private(set) var reloads = 0

    mutating func apply(_ record: HistoryRecord) {
        switch record.body {
        case .hostStarted(let holds): self.holds = holds
        case .sessionCommitted(let user, let holds, _):
            self.user = user
            self.holds = holds
        case .manifestLoaded(let holds):
            self.holds = holds ?? [:]
            reloads += 1
            index = record.index
            // If the reload makes a commit, its record follows.
            return
        default: return
        }
        index = record.index
        if let snapshot = record.snapshot { self.snapshot = snapshot }
    }

    /// The first of these needs that does not hold; unknown ones count as holding.
    func firstFailing(of needs: [String]) -> String? {
        needs.first { holds[$0] == false }
    }
}
