internal import Basics

/// A rule that says for which steps the order can make a difference. Two runs that differ only in the order of independent steps belong to
/// one class: one trace in the sense of Mazurkiewicz.
///
/// Every rule orders the steps of one task, a step with the step that enabled it, and the passing of time and faults with everything.
public enum StepDependency: Hashable, Sendable {
    /// Steps on the same serial executor depend on each other, as do steps that did something with the same object and, depending on the mailbox
    /// policy, steps that enqueue on the same executor.
    ///
    /// This assumes that state is shared only through serial executors and what ``RunAccesses`` name: it ignores the order in
    /// which a group's children end, or in which tasks outside of actors write to a stream.
    case executors(MailboxPolicy)
    /// Like ``executors(_:)``; besides, any two steps outside of serial executors depend on each other, and the end of a task depends on the
    /// ends of its siblings and on the steps of its parent, because code outside of actors shares locks, streams and groups.
    ///
    /// This assumes that actors share state with each other only through messages and what ``RunAccesses`` name.
    case unisolated(MailboxPolicy)
    /// Steps on the same serial executor depend on each other, as do steps that did something with the same object, unless all of them only
    /// read it, or only added to it; and the end of a child task depends on the steps of its parent.
    ///
    /// This assumes that state is shared only through serial executors and what ``RunAccesses`` name, and that nobody looks at the order in
    /// which the tasks of a group end, at whether a task that is no child has ended, or at whether a task is cancelled.
    case reported(MailboxPolicy)
    /// Any two steps depend on each other, so every order is a class.
    case everything
}

extension StepDependency {
    /// The mailbox policy, if the rule depends on it.
    var mailboxes: MailboxPolicy? {
        switch self {
        case .executors(let policy), .unisolated(let policy), .reported(let policy): policy
        case .everything: nil
        }
    }

    /// What the rule assumes, in words.
    var assumption: String? {
        switch self {
        case .executors: "if tasks share state only through actors, and \(Self.looksAtNoEnd)"
        case .unisolated: "if actors share state only through messages"
        case .reported:
            "if tasks share state only through actors and what reports its accesses, and \(Self.looksAtNoEnd)"
        case .everything: nil
        }
    }
}

extension StepDependency {
    private static let looksAtNoEnd =
        "do not look at which others have ended or are cancelled, as groups, sleeps and streams do"
}

/// What a step did, as far as it matters for its order with other steps.
struct StepFootprint: Hashable, Sendable {
    /// The name of the serial executor it ran on; 0 is none.
    var executor: UInt64 = 0
    /// What it did with what tasks share, mailboxes included, in ascending order of the objects.
    private(set) var accesses: [RunAccess] = []
    /// A bit for each object, which several may have in common.
    private var objects: UInt64 = 0
    /// Whether it is a timer or a fault, or was enabled by one: it is ordered with everything.
    var isBarrier = false

    /// - Parameter joined: What it did, in ascending order of the objects, each once.
    mutating func setAccesses(_ joined: [RunAccess]) {
        guard accesses != joined else { return }
        // The memory is used again, if nobody else has it.
        accesses.removeAll(keepingCapacity: true)
        accesses.append(contentsOf: joined)
        objects = 0
        for access in accesses { objects |= 1 << (access.object & 63) }
    }

    /// Whether the two did something with one object that cannot swap places.
    func clashes(with other: StepFootprint) -> Bool {
        if objects & other.objects == 0 { return false }
        var (one, another) = (accesses.startIndex, other.accesses.startIndex)
        while one < accesses.endIndex, another < other.accesses.endIndex {
            let (mine, its) = (accesses[one], other.accesses[another])
            if mine.object == its.object, mine.kind.clashes(with: its.kind) { return true }
            if mine.object <= its.object { one += 1 }
            if mine.object >= its.object { another += 1 }
        }
        return false
    }
}

extension StepDependency {
    /// Whether the order of two steps of different tasks can make a difference.
    func orders(_ one: StepFootprint, _ other: StepFootprint) -> Bool {
        if one.isBarrier || other.isBarrier || one.executor == other.executor && one.executor != 0 { return true }
        switch self {
        case .everything: return true
        case .unisolated where one.executor == 0 && other.executor == 0: return true
        case .executors, .unisolated, .reported: return one.clashes(with: other)
        }
    }

    /// What says which tasks others may wait for; `nil` where any task may wait for any that it began, child or not.
    func awaited(_ accesses: RunAccesses) -> RunAccesses? {
        if case .reported = self { accesses } else { nil }
    }

    /// Whether a step is ordered with everything: a timer, a fault, or a job other than the root that no step enqueued, which time or a fault
    /// enabled. Where accesses are reported, of those that time enabled at the same instant only the first, with which time moved: nothing else
    /// could go on then, and after it the others are possible like any job.
    func isBarrier(_ step: RunStep, after previous: RunStep?) -> Bool {
        guard step.choice.kind != .job || step.enabler == nil else { return false }
        guard let previous else { return step.choice.kind != .job }
        if case .reported = self, step.choice.kind != .fault { return step.time != previous.time }
        return true
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

    /// What a step does with the mailbox of the executor that it runs on.
    func running(on executor: UInt64) -> RunAccess? {
        // A later job can overtake one that has not run yet.
        mailboxes == .priority && executor != 0 ? RunAccess(mix(executor, Self.mailbox), .write) : nil
    }

    /// What a step does with the mailbox of an executor that it enqueues a job on.
    func enqueueing(on executor: UInt64) -> RunAccess? {
        // The job that is enqueued first runs first.
        mailboxes == .anyOrder || executor == 0 ? nil : RunAccess(mix(executor, Self.mailbox), .write)
    }

    private static var mailbox: UInt64 { 0xB0 }

    /// What the end of a task is for its siblings, if it is ordered with the steps of its parent.
    var endOfTask: SharedAccess? {
        switch self {
        case .unisolated: .write
        case .reported: .addition
        case .executors, .everything: nil
        }
    }
}
