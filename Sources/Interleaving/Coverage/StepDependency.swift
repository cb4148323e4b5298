/// A rule that says for which steps the order can make a difference. Two runs that differ only in the order of independent steps belong to
/// one class: one trace in the sense of Mazurkiewicz.
///
/// Every rule orders the steps of one task, a step with the step that enabled it, and timers and faults with everything.
public enum StepDependency: Hashable, Sendable {
    /// Steps on the same serial executor depend on each other, as do steps that touched the same shared thing and, depending on the mailbox
    /// policy, steps that enqueue on the same executor.
    ///
    /// This assumes that state is shared only through serial executors and what ``RunStep/touched`` names: it ignores the order in
    /// which a group's children end, or in which tasks outside of actors write to a stream.
    case executors(MailboxPolicy)
    /// Like ``executors(_:)``; besides, any two steps outside of serial executors depend on each other, and the end of a task depends on the
    /// ends of its siblings and on the steps of its parent, because code outside of actors shares locks, streams and groups.
    ///
    /// This assumes that actors share state with each other only through messages and what ``RunStep/touched`` names.
    case unisolated(MailboxPolicy)
    /// Any two steps depend on each other, so every order is a class.
    case everything
}

extension StepDependency {
    /// The mailbox policy, if the rule depends on it.
    var mailboxes: MailboxPolicy? {
        switch self {
        case .executors(let policy), .unisolated(let policy): policy
        case .everything: nil
        }
    }

    /// What the rule assumes, in words.
    var assumption: String? {
        switch self {
        case .executors: "if tasks share state only through actors"
        case .unisolated: "if actors share state only through messages"
        case .everything: nil
        }
    }
}

/// What a step did, as far as it matters for its order with other steps.
struct StepFootprint: Hashable, Sendable {
    /// The serial executor it ran on; 0 is none.
    var executor = 0
    /// The serial executors it enqueued jobs on, one bit for each modulo 64. Two executors that share a bit can only make the order stricter.
    var enqueues: UInt64 = 0
    /// As in ``RunStep/touched``.
    var touched: UInt64 = 0
    /// The bit of its task, numbered like those of executors.
    var task: UInt64 = 0
    /// The bit of the task that began its task, if its task ended with this step; else 0.
    var endsFor: UInt64 = 0
    /// Whether it is a timer or a fault, or was enabled by one: it is ordered with everything.
    var isBarrier = false

    static func bit(of executor: Int) -> UInt64 {
        executor == 0 ? 0 : 1 << UInt64(truncatingIfNeeded: executor & 63)
    }
}

extension StepDependency {
    /// Whether the order of two steps of different tasks can make a difference.
    func orders(_ one: StepFootprint, _ other: StepFootprint) -> Bool {
        if one.isBarrier || other.isBarrier || one.touched & other.touched != 0 { return true }
        switch self {
        case .everything: return true
        case .executors(let policy): return Self.orders(one, other, policy)
        case .unisolated(let policy):
            if one.executor == 0, other.executor == 0 { return true }
            // The order of a group's results, and whether its parent has to wait for them.
            if one.endsFor & (other.endsFor | other.task) != 0 || one.task & other.endsFor != 0 { return true }
            return Self.orders(one, other, policy)
        }
    }

    private static func orders(_ one: StepFootprint, _ other: StepFootprint, _ policy: MailboxPolicy) -> Bool {
        if one.executor == other.executor, one.executor != 0 { return true }
        switch policy {
        case .anyOrder: return false
        // The job that is enqueued first runs first.
        case .fifo: return one.enqueues & other.enqueues != 0
        // A later job can overtake one that has not run yet.
        case .priority:
            return (one.enqueues | StepFootprint.bit(of: one.executor))
                & (other.enqueues | StepFootprint.bit(of: other.executor))
                != 0
        }
    }

    /// Whether two ordered steps could swap places without any other change of order. Two jobs in a mailbox that keeps its order
    /// could not.
    func canReverse(_ one: StepFootprint, _ other: StepFootprint) -> Bool {
        if one.isBarrier || other.isBarrier { return true }
        switch mailboxes {
        case nil, .anyOrder: return true
        case .fifo, .priority: return one.executor != other.executor || one.executor == 0
        }
    }
}
