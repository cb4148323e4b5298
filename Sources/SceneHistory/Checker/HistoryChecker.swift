/// Decides the invariants from records alone, of one or several hosts, one record at a time.
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

    /// In the order met.
    private var hosts: [(id: String, checker: HostChecker)] = []
    private var places: [String: Int] = [:]
    /// Where the host of the last record is: mostly that of the next too.
    private var last = 0
    private var badLines: [HistoryReader.BadLine] = []
    private var badLineCount = 0
    private var isOverrun = false

    /// A checker that has seen nothing.
    public init(limit: Int = HistoryChecker.usualLimit) {
        self.limit = max(limit, 1)
    }

    /// Takes the next record.
    public mutating func check(_ record: HistoryRecord) {
        if !hosts.indices.contains(last) || hosts[last].id != record.host {
            guard let place = place(of: record.host) else {
                isOverrun = true
                return
            }
            last = place
        }
        hosts[last].checker.check(record)
    }

    /// Where a host is, which is added if it is new; `nil` where there are too many.
    private mutating func place(of host: String) -> Int? {
        if let place = places[host] { return place }
        guard hosts.count < Self.mostHosts else { return nil }
        places[host] = hosts.count
        hosts.append((host, HostChecker(limit: limit)))
        return hosts.count - 1
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
    public var violationCount: Int { hosts.reduce(0) { $0 + $1.checker.violationCount } }

    /// The verdicts, hosts in the order met.
    public func finish() -> HistoryReport {
        HistoryReport(
            hosts: hosts.map { $0.checker.finish(host: $0.id) },
            badLines: badLines,
            badLineCount: badLineCount,
            isOverrun: isOverrun
        )
    }
}
