/// One thing that can happen next.
public struct Choice: Hashable, Sendable {
    /// Why it can happen.
    public enum Kind: UInt8, Hashable, Sendable {
        /// A job was enqueued: a task starts, or goes on after a suspension.
        case job
        /// Among sleeps with the same deadline, this one ends first. Time moves only when nothing else can happen.
        case timer
        /// A fault that was asked for, such as a cancellation, happens now.
        case fault
    }

    /// What names it across runs.
    public let event: EventID
    /// The number of its task in this run, counted from 0 in the order of creation.
    public let task: Int
    /// The serial executor it runs on, numbered from 1 in the order of first use; 0 is no serial executor, which orders nothing.
    public let executor: Int
    /// The priority of the job, as in `TaskPriority.rawValue`.
    public let priority: UInt8
    public let kind: Kind

    public init(event: EventID, task: Int, executor: Int, priority: UInt8, kind: Kind) {
        self.event = event
        self.task = task
        self.executor = executor
        self.priority = priority
        self.kind = kind
    }
}
