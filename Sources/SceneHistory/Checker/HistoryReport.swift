/// The result of a ``HistoryChecker``.
package struct HistoryReport: Hashable, Sendable {
    /// The hosts, in the order of their first records.
    package let hosts: [HostReport]
    /// The first lines that are not records.
    package let badLines: [HistoryReader.BadLine]
    /// How many such lines there are in all.
    package let badLineCount: Int
    /// Whether there were more hosts than can be checked at once.
    package let isOverrun: Bool

    init(hosts: [HostReport], badLines: [HistoryReader.BadLine], badLineCount: Int, isOverrun: Bool) {
        self.hosts = hosts
        self.badLines = badLines
        self.badLineCount = badLineCount
        self.isOverrun = isOverrun
    }

    /// The report about one host, all of whose records could be read.
    package init(_ host: HostReport) {
        self.init(hosts: [host], badLines: [], badLineCount: 0, isOverrun: false)
    }

    /// What all verdicts together mean.
    package var conclusion: Conclusion {
        let verdicts = hosts.flatMap(\.verdicts).map(\.verdict)
        if verdicts.contains(where: { if case .violated = $0 { true } else { false } }) { return .violated }
        let isDecided = verdicts.allSatisfy { $0 == .holds }
        return isDecided && !hosts.isEmpty && badLineCount == 0 && !isOverrun ? .holds : .unknown
    }

    /// The conclusion from all verdicts; the raw value is the exit status of `scenectl check`.
    package enum Conclusion: Int, Hashable, Sendable {
        /// All invariants hold, and all lines were records.
        case holds = 0
        /// An invariant is violated.
        case violated = 1
        /// None is violated, but not all could be decided.
        case unknown = 4
    }
}

/// The verdicts about one host.
package struct HostReport: Hashable, Sendable {
    /// The host's ID.
    package let host: String
    /// How many records it has.
    package let records: Int
    /// How many of them could not be judged, because records before them are missing.
    package let unjudged: Int
    /// A verdict for each invariant, in their order.
    package let verdicts: [InvariantReport]

    package init(host: String, records: Int, unjudged: Int = 0, verdicts: [InvariantReport]) {
        self.host = host
        self.records = records
        self.unjudged = unjudged
        self.verdicts = verdicts
    }
}

/// The verdict about one invariant.
package struct InvariantReport: Hashable, Sendable {
    /// What was judged.
    package let invariant: Invariant
    /// What the records decide about it.
    package let verdict: Verdict

    package init(invariant: Invariant, verdict: Verdict) {
        self.invariant = invariant
        self.verdict = verdict
    }
}
