/// Decides one invariant from the records of one host.
protocol InvariantCheck: Sendable {
    var invariant: Invariant { get }

    /// Whether each record is judged without what came before, so that a gap does not matter.
    var standsAlone: Bool { get }

    /// Judges a record by what came before it.
    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings)

    /// What would be violated if the host had come to rest now. Asked when it says so, and when the records end.
    func debts(in history: KnownHost, at rest: Rest) -> [Violation]
}

/// How a host comes to rest.
enum Rest { case quiet, stopped }

extension InvariantCheck {
    var standsAlone: Bool { false }

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {}

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] { [] }
}

/// The records that show that an invariant does not hold.
public struct Violation: Hashable, Sendable {
    /// Their indices, in ascending order.
    public let records: [Int]
    /// What they show, as one sentence without full stop.
    public let explanation: String

    package init(_ records: [Int], _ explanation: String) {
        self.records = Set(records).sorted()
        self.explanation = explanation
    }

    /// The same, with the record that called the host to account.
    func shown(by record: Int) -> Violation { Violation(records + [record], explanation) }
}

/// What a check has found so far. Only the first violations are kept; they are what there is to look at.
struct Findings {
    static let kept = 8

    private(set) var violations: [Violation] = []
    /// How many there are in all.
    private(set) var count = 0
    /// Why the invariant cannot be decided, where that is so.
    private(set) var doubt: String?

    mutating func violated(_ records: [Int], _ explanation: String) {
        violated(Violation(records, explanation))
    }

    mutating func violated(_ violation: Violation) {
        count += 1
        if violations.count < Self.kept { violations.append(violation) }
    }

    /// The first doubt counts.
    mutating func doubted(_ reason: String) {
        doubt = doubt ?? reason
    }

    var verdict: Verdict {
        if count > 0 { return .violated(violations, count: count) }
        return doubt.map(Verdict.unknown) ?? .holds
    }
}

/// What the records decide about an invariant.
public enum Verdict: Hashable, Sendable {
    case holds
    /// The first violations, and how many there are in all.
    case violated([Violation], count: Int)
    /// The records do not decide it, for this reason.
    case unknown(String)
}
