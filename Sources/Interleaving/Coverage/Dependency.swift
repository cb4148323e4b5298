/// Which steps' order can make a difference. Two runs that differ only in the order of independent steps are of one class:
/// one trace in the sense of Mazurkiewicz.
///
/// Steps of one task, a step and the one it enabled, and anything with a timer or a fault are ordered in every relation.
public enum Dependency: Hashable, Sendable {
    /// Steps on the same serial executor depend on each other, and as the policy has it those that enqueue on the same one;
    /// so do steps that touched the same shared thing.
    ///
    /// This takes it that state is shared only through serial executors and what `Step.touched` names: the order in which a
    /// group's children end, or tasks outside of actors write to a stream, would not count.
    case executors(MailboxPolicy)
    /// As ``executors(_:)``, and any two steps on no serial executor depend on each other, and the ends of tasks with each other
    /// and with what the task does that began them: what runs in no actor shares by locks, streams and groups.
    ///
    /// This takes it that actors share state among each other only through messages and what `Step.touched` names.
    case unisolated(MailboxPolicy)
    /// Any two steps depend on each other: every order is a class of its own.
    case everything
}

extension Dependency {
    /// Which jobs of one serial executor the runs offer, if it makes a difference.
    var mailboxes: MailboxPolicy? {
        switch self {
        case .executors(let policy), .unisolated(let policy): policy
        case .everything: nil
        }
    }

    /// What must hold for a class of schedules to be one, in words.
    var assumption: String? {
        switch self {
        case .executors: "if tasks share state only through actors"
        case .unisolated: "if actors share state only through messages"
        case .everything: nil
        }
    }
}

/// What a step was seen to do, as far as another's order with it can make a difference.
struct Footprint: Hashable, Sendable {
    /// The serial executor it ran on; 0 is none.
    var executor = 0
    /// The serial executors it enqueued jobs on, one bit for each modulo 64: sharing a bit can only order too much.
    var enqueues: UInt64 = 0
    /// As in `Step.touched`.
    var touched: UInt64 = 0
    /// Its task, as a bit like those for executors, and if that ended with it, the task that had begun this one.
    var task: UInt64 = 0
    var endsFor: UInt64 = 0
    /// A timer or a fault, or set free by one: ordered with everything.
    var isBarrier = false

    static func bit(of executor: Int) -> UInt64 {
        executor == 0 ? 0 : 1 << UInt64(truncatingIfNeeded: executor & 63)
    }
}

extension Dependency {
    /// Whether the order of two steps of different tasks can make a difference.
    func orders(_ one: Footprint, _ other: Footprint) -> Bool {
        if one.isBarrier || other.isBarrier || one.touched & other.touched != 0 { return true }
        switch self {
        case .everything: return true
        case .executors(let policy): return Self.orders(one, other, policy)
        case .unisolated(let policy):
            if one.executor == 0, other.executor == 0 { return true }
            // The results of a group, and whether the one that waits for them has to.
            if one.endsFor & (other.endsFor | other.task) != 0 || one.task & other.endsFor != 0 { return true }
            return Self.orders(one, other, policy)
        }
    }

    private static func orders(_ one: Footprint, _ other: Footprint, _ policy: MailboxPolicy) -> Bool {
        if one.executor == other.executor, one.executor != 0 { return true }
        switch policy {
        case .anyOrder: return false
        // Who enqueues first runs first.
        case .fifo: return one.enqueues & other.enqueues != 0
        // A job that comes later can overtake one that did not run yet.
        case .priority:
            return (one.enqueues | Footprint.bit(of: one.executor))
                & (other.enqueues | Footprint.bit(of: other.executor))
                != 0
        }
    }

    /// Whether two steps that are ordered could have been in the other order without any other change of order: two jobs in
    /// one mailbox that keeps its order could not.
    func canReverse(_ one: Footprint, _ other: Footprint) -> Bool {
        if one.isBarrier || other.isBarrier { return true }
        switch mailboxes {
        case nil, .anyOrder: return true
        case .fifo, .priority: return one.executor != other.executor || one.executor == 0
        }
    }
}
