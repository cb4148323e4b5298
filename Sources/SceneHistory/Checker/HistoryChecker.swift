package import SceneModel

/// Decides the invariants from the records of one or several hosts, one record at a time.
///
/// Its memory grows with what is open (events without outcome, scenes, pairs of connection and scene in use), not with the
/// number of records.
package struct HistoryChecker: Sendable {
    /// How many events and scenes may be open at once in one host before its verdicts become `unknown`.
    package let limit: Int
    /// The default ``limit``.
    package static let usualLimit = 1_000_000
    /// The apps by whose manifests histories are judged; none leaves out ``Invariant/agreement``.
    private let apps: [AppModel]
    /// How many hosts can be checked; records of further ones are not.
    package static let mostHosts = 1_024

    /// The hosts, in the order of their first records.
    private var hosts: [(id: String, checker: HostChecker)] = []
    private var places: [String: Int] = [:]
    /// The index of the last record's host, which mostly is the next record's too.
    private var last = 0
    private var badLines: [HistoryReader.BadLine] = []
    private var badLineCount = 0
    private var isOverrun = false

    /// A checker that has seen no records; `limit` is at least 1.
    ///
    /// - Parameter apps: The versions of the app that the history may be of. With none, nothing is judged by a manifest.
    package init(limit: Int = HistoryChecker.usualLimit, apps: [AppModel] = []) {
        self.limit = max(limit, 1)
        self.apps = apps
    }

    /// Takes the next record.
    package mutating func check(_ record: HistoryRecord) {
        if !hosts.indices.contains(last) || hosts[last].id != record.host {
            guard let place = place(of: record.host) else {
                isOverrun = true
                return
            }
            last = place
        }
        hosts[last].checker.check(record)
    }

    /// The index of a host, which is added if it is new; `nil` if there are too many.
    private mutating func place(of host: String) -> Int? {
        if let place = places[host] { return place }
        guard hosts.count < Self.mostHosts else { return nil }
        places[host] = hosts.count
        hosts.append((host, HostChecker(limit: limit, apps: apps)))
        return hosts.count - 1
    }

    /// Takes the next line of a file, which may be a bad one.
    package mutating func check(_ line: HistoryReader.Line) {
        switch line {
        case .record(let record): check(record)
        case .bad(let bad):
            badLineCount += 1
            if badLines.count < Findings.kept { badLines.append(bad) }
        }
    }

    /// How many violations of all hosts the records have shown so far. While following a history, ask for verdicts only when
    /// this has grown.
    package var violationCount: Int { hosts.reduce(0) { $0 + $1.checker.violationCount } }

    /// The verdicts if no more records follow.
    package func finish() -> HistoryReport {
        HistoryReport(
            hosts: hosts.map { $0.checker.finish(host: $0.id) },
            badLines: badLines,
            badLineCount: badLineCount,
            isOverrun: isOverrun
        )
    }
}
