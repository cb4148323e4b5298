internal import SceneModel

/// Checks the records of one host.
struct HostChecker {
    private let limit: Int
    private let apps: [AppModel]
    private var history = KnownHost()
    private var checks: [any InvariantCheck]
    private var findings: [Findings]
    private var count = 0
    /// How many records could not be judged by those before.
    private var unjudged = 0
    /// The index of the last record, and the greatest so far.
    private var (last, newest) = (0, 0)
    /// Whether what came before the next record is known.
    private var isKnown = true
    /// Why that was not so for the first time, and how often it was not.
    private var interruption: (reason: String, count: Int)?

    init(limit: Int, apps: [AppModel]) {
        self.limit = limit
        self.apps = apps
        checks = Self.checks(limit: limit, apps)
        findings = checks.map { _ in Findings() }
    }

    private static func checks(limit: Int, _ apps: [AppModel]) -> [any InvariantCheck] {
        let checks: [any InvariantCheck] = [
            TicketOrder(), SendOrder(remembered: limit), Outcomes(), Snapshots(), Visibility(), Resumes(),
            QuietScenes(), Stacks(), Coordinators(), WindowRules(), Lifecycle(), Completion(),
            Ownership(), Continuity(),
        ]
        return apps.isEmpty ? checks : checks + [Agreement(apps)]
    }

    mutating func check(_ record: HistoryRecord) {
        count += 1
        if let reason = objection(toJudging: record) { interrupt(reason) }
        let isForeign = record.format.map { $0 > HistoryRecord.newestFormat } ?? false
        if isForeign, isKnown {
            interrupt(
                "its records are of the format \(record.format ?? 0), which is newer than \(HistoryRecord.newestFormat)"
            )
        }
        if !isKnown, !isForeign, record.isHostSnapshot, record.index > newest { takeUp(at: record) }
        // A gap has the index of the record that follows it.
        if case .gap = record.body {
            last = record.index - 1
            return
        }
        last = record.index
        newest = max(newest, record.index)
        guard isKnown, let judgeable = history.judgeable(of: record) else {
            if isKnown { history.skip(record) }
            unjudged += 1
            return judgeAlone(record)
        }
        judge(judgeable)
    }

    private mutating func judge(_ record: HistoryRecord) {
        history.turn(to: record)
        switch record.body {
        case .hostQuiet: history.rest(.quiet)
        case .hostStopped: history.rest(.stopped)
        default: break
        }
        for index in checks.indices { checks[index].judge(record, after: history, &findings[index]) }
        switch record.body {
        case .hostQuiet: judgeDebts(at: .quiet, record)
        case .hostStopped: judgeDebts(at: .stopped, record)
        default: break
        }
        history.apply(record)
        if history.openItems > limit {
            interrupt("more than \(limit) events and scenes were open at record \(record.index)")
        }
    }

    private mutating func interrupt(_ reason: String) {
        isKnown = false
        interruption = (interruption?.reason ?? reason, (interruption?.count ?? 0) + 1)
    }

    /// Goes on with what a snapshot says.
    private mutating func takeUp(at snapshot: HistoryRecord) {
        isKnown = true
        history = KnownHost(takenUpAt: snapshot)
        checks = Self.checks(limit: limit, apps)
    }

    var violationCount: Int { findings.reduce(0) { $0 + $1.count } }

    /// The verdicts if no more records follow.
    func finish(host: String) -> HostReport {
        var findings = findings
        if let interruption {
            let others = interruption.count - 1
            let reason =
                interruption.reason
                + (others > 0 ? ", and there \(others == 1 ? "is 1 more gap" : "are \(others) more gaps")" : "")
                + (unjudged > 0 ? "; \(unjudged) of \(count) records could not be judged" : "; all others were judged")
            for index in findings.indices { findings[index].doubted(reason) }
        }
        for (index, check) in checks.enumerated() { check.doubt.map { findings[index].doubted($0) } }
        if isKnown, !history.isStopped {
            var history = history
            history.rest(.stopped)
            for (index, check) in checks.enumerated() {
                guard let debt = check.debts(in: history, at: .quiet).first else { continue }
                findings[index].doubted("the records end before the host stopped or was quiet: \(debt.explanation)")
            }
        }
        let verdicts = zip(checks, findings).map { InvariantReport(invariant: $0.invariant, verdict: $1.verdict) }
        return HostReport(host: host, records: count, unjudged: unjudged, verdicts: verdicts)
    }

    private mutating func judgeDebts(at rest: Rest, _ record: HistoryRecord) {
        if history.isRestPartial, let place = checks.firstIndex(where: { $0.invariant == .quietScenes }) {
            findings[place].doubted("there are too many windows and commits to judge each window at each rest")
        }
        for (index, check) in checks.enumerated() {
            for debt in check.debts(in: history, at: rest) { findings[index].violated(debt.shown(by: record.index)) }
        }
    }

    /// Why a record cannot be judged by the one before: it does not directly follow it.
    private func objection(toJudging record: HistoryRecord) -> String? {
        let due = last + 1
        if case .gap(let count) = record.body { return MissingRecords.phrase(count: count, before: record.index) }
        if record.index < due { return "record \(record.index) comes after record \(due - 1)" }
        if record.index == due { return nil }
        if due == 1 { return "the records begin with record \(record.index)" }
        return MissingRecords.phrase(due...record.index - 1)
    }

    /// Judges a record by the invariants that need no earlier records.
    private mutating func judgeAlone(_ record: HistoryRecord) {
        for index in checks.indices where checks[index].standsAlone {
            checks[index].judge(record, after: history, &findings[index])
        }
    }
}
