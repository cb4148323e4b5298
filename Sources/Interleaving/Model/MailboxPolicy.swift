/// Which jobs of one serial executor can happen next.
public enum MailboxPolicy: String, Hashable, Sendable, CaseIterable {
    /// Only the one enqueued first.
    case fifo
    /// Only the one enqueued first among those of the highest priority.
    case priority
    /// Any of them.
    case anyOrder
}
