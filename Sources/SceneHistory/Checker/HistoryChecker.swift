/// Decides the twelve invariants from records alone, of one or several hosts, one record at a time.
///
/// Memory is bounded by what is open (events without outcome, scenes, pairs of connection and scene in use), not by the
/// number of records.
public struct HistoryChecker: Sendable {
    /// How many events and scenes may be open at once in one host before its verdicts become `unknown`.
    public let limit: Int
    /// The ``limit`` where none is given.
    public static let usualLimit = 1_000_000
    /// How many hosts may be checked at once; of more, the later are not.
    public static let mostHosts = 1_024

    private var hosts: [String: HostChecker] = [:]
    private var order: [String] = []
    private var badLines: [HistoryReader.BadLine] = []
    private var badLineCount = 0
    private var isOverrun = false

    /// A checker that has seen nothing.
    public init(limit: Int = HistoryChecker.usualLimit) {
        self.limit = max(limit, 1)
    }

    /// Takes the next record.
    public mutating func check(_ record: HistoryRecord) {
        if hosts[record.host] == nil {
            guard hosts.count < Self.mostHosts else {
                isOverrun = true
                return
            }
            hosts[record.host] = HostChecker(limit: limit)
            order.append(record.host)
        }
        hosts[record.host]?.check(record)
    }

    /// Takes the next line of a file.
    public mutating func check(_ line: HistoryReader.Line) {
        switch line {
        case .record(let record): check(record)
        case .bad(let bad):
            badLineCount += 1
            if badLines.count < Findings.kept { badLines.append(bad) }
        }
    }

    /// How many violations the records have shown so far, over all hosts: whoever watches a history that goes on asks this
    /// after some records, and for the verdicts only when it has grown.
    public var violationCount: Int { hosts.values.reduce(0) { $0 + $1.violationCount } }

    /// The verdicts, hosts in the order met.
    public func finish() -> HistoryReport {
        HistoryReport(
            hosts: order.compactMap { host in hosts[host]?.finish(host: host) },
            badLines: badLines,
            badLineCount: badLineCount,
            isOverrun: isOverrun
        )
    }
}
