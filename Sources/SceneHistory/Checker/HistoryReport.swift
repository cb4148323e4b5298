/// What a checker found.
public struct HistoryReport: Hashable, Sendable {
    public let hosts: [HostReport]
    /// The first lines that were no records.
    public let badLines: [HistoryReader.BadLine]
    /// How many such lines there are in all.
    public let badLineCount: Int
    /// Whether there were more hosts than can be checked at once.
    public let isOverrun: Bool

    /// The report in one word.
    public var conclusion: Conclusion {
        let verdicts = hosts.flatMap(\.verdicts).map(\.verdict)
        if verdicts.contains(where: { if case .violated = $0 { true } else { false } }) { return .violated }
        let isDecided = verdicts.allSatisfy { $0 == .holds }
        return isDecided && !hosts.isEmpty && badLineCount == 0 && !isOverrun ? .holds : .unknown
    }

    /// What all verdicts together come to; the raw value is the exit status of `scenectl check`.
    public enum Conclusion: Int, Hashable, Sendable {
        case holds = 0
        case violated = 1
        case unknown = 4
    }
}

/// The verdicts about one host.
public struct HostReport: Hashable, Sendable {
    /// The host's ID.
    public let host: String
    /// How many records it has.
    public let records: Int
    /// One for each invariant, in their order.
    public let verdicts: [InvariantReport]

    package init(host: String, records: Int, verdicts: [InvariantReport]) {
        self.host = host
        self.records = records
        self.verdicts = verdicts
    }
}

/// The verdict about one invariant.
public struct InvariantReport: Hashable, Sendable {
    public let invariant: Invariant
    public let verdict: Verdict

    package init(invariant: Invariant, verdict: Verdict) {
        self.invariant = invariant
        self.verdict = verdict
    }
}
