/// Decides one invariant from the records of one host.
protocol InvariantCheck: Sendable {
    var invariant: Invariant { get }

    /// Whether each record is judged without earlier ones, so that a gap does not matter.
    var standsAlone: Bool { get }

    /// Judges a record by the history before it.
    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings)

    /// What is violated if the host is at rest now. Called when a record says that it is, and when the records end.
    func debts(in history: KnownHost, at rest: Rest) -> [Violation]

    /// Why it cannot be decided whatever the records say; `nil` if it can.
    var doubt: String? { get }
}

/// How a host comes to rest.
enum Rest { case quiet, stopped }

extension InvariantCheck {
    var standsAlone: Bool { false }

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {}

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] { [] }

    var doubt: String? { nil }
}

/// The records that show that an invariant does not hold.
package struct Violation: Hashable, Sendable {
    /// Their indices, in ascending order.
    package let records: [Int]
    /// What they show, as a sentence without a full stop.
    package let explanation: String

    package init(_ records: [Int], _ explanation: String) {
        self.records = Set(records).sorted()
        self.explanation = explanation
    }

    /// The same violation, with the record at which it was noticed.
    func shown(by record: Int) -> Violation { Violation(records + [record], explanation) }
}

/// What a check has found so far. Only the first violations are kept.
struct Findings {
    static let kept = 8

    private(set) var violations: [Violation] = []
    /// The number of all violations.
    private(set) var count = 0
    /// Why the invariant cannot be decided, if it cannot.
    private(set) var doubt: String?

    mutating func violated(_ records: [Int], _ explanation: String) {
        violated(Violation(records, explanation))
    }

    mutating func violated(_ violation: Violation) {
        count += 1
        if violations.count < Self.kept { violations.append(violation) }
    }

    /// Notes why the invariant cannot be decided; only the first reason is kept.
    mutating func doubted(_ reason: String) {
        doubt = doubt ?? reason
    }

    var verdict: Verdict {
        if count > 0 { return .violated(violations, count: count) }
        return doubt.map(Verdict.unknown) ?? .holds
    }
}

/// What the records decide about an invariant.
package enum Verdict: Hashable, Sendable {
    /// It holds.
    case holds
    /// It is violated: the first violations, and the number of all.
    case violated([Violation], count: Int)
    /// The records do not decide it, for this reason.
    case unknown(String)
}
