/// Which of the jobs that wait for one serial executor may go next.
public enum MailboxPolicy: String, Hashable, Sendable, CaseIterable {
    /// The one that came first, as most executors do it.
    case fifo
    /// The first of those with the highest priority, as default actors and Dispatch do it.
    case priority
    /// Any: what `Actor` promises, and so what correct code has to bear. Some bugs show only here.
    case anyOrder
}
