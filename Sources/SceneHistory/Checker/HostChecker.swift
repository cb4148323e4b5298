internal import SceneModel

/// Checks the records of one host.
struct HostChecker {
    private let limit: Int
    private var history = KnownHost()
    private var checks: [any InvariantCheck]
    private var findings: [Findings]
    private var count = 0
    /// Why the records after some record cannot be judged.
    private var end: String?

    init(limit: Int, apps: [AppModel]) {
        self.limit = limit
        checks = [
            TicketOrder(), SendOrder(remembered: limit), Outcomes(), Snapshots(), Visibility(), Resumes(),
            QuietScenes(), Stacks(), Coordinators(), WindowRules(), Lifecycle(), Completion(),
            Ownership(), Continuity(),
        ]
        if !apps.isEmpty { checks.append(Agreement(apps)) }
        findings = checks.map { _ in Findings() }
    }

    mutating func check(_ record: HistoryRecord) {
        count += 1
        guard end == nil, isContinued(by: record) else { return judgeAlone(record) }
        history.turn(to: record)
        for index in checks.indices { checks[index].judge(record, after: history, &findings[index]) }
        switch record.body {
        case .hostQuiet: judgeDebts(at: .quiet, record)
        case .hostStopped: judgeDebts(at: .stopped, record)
        default: break
        }
        history.apply(record)
        if history.openItems > limit {
            end = "more than \(limit) events and scenes were open at record \(record.index)"
        }
    }

    var violationCount: Int { findings.reduce(0) { $0 + $1.count } }

    /// The verdicts if no more records follow.
    func finish(host: String) -> HostReport {
        var findings = findings
        if let end {
            for index in findings.indices { findings[index].doubted(end) }
        } else if !history.isStopped {
            for (index, check) in checks.enumerated() {
                guard let debt = check.debts(in: history, at: .quiet).first else { continue }
                findings[index].doubted("the records end before the host stopped or was quiet: \(debt.explanation)")
            }
        }
        let verdicts = zip(checks, findings).map { InvariantReport(invariant: $0.invariant, verdict: $1.verdict) }
        return HostReport(host: host, records: count, verdicts: verdicts)
    }

    private mutating func judgeDebts(at rest: Rest, _ record: HistoryRecord) {
        for (index, check) in checks.enumerated() {
            for debt in check.debts(in: history, at: rest) { findings[index].violated(debt.shown(by: record.index)) }
        }
    }

    /// Whether the record directly follows the previous one. After a gap, records cannot be judged by earlier ones.
    private mutating func isContinued(by record: HistoryRecord) -> Bool {
        let due = history.lastIndex + 1
        if case .gap(let count) = record.body {
            end =
                "\(count == 1 ? "1 record" : "\(count) records") before record \(record.index) \(count == 1 ? "is" : "are") missing"
        } else if record.index > due {
            end =
                due == 1
                ? "the records begin with record \(record.index)"
                : record.index - due == 1
                    ? "record \(due) is missing" : "records \(due) to \(record.index - 1) are missing"
        } else if record.index < due {
            end = "record \(record.index) comes after record \(due - 1)"
        }
        return end == nil
    }

    /// Judges a record by the invariants that need no earlier records.
    private mutating func judgeAlone(_ record: HistoryRecord) {
        for index in checks.indices where checks[index].standsAlone {
            checks[index].judge(record, after: history, &findings[index])
        }
    }
}
