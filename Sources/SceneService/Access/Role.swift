/// What somebody may do with the daemon. No role contains another.
package enum Role: String, CaseIterable, Hashable, Sendable {
    /// Look: scenes, session, records, routing, status. Changes nothing.
    case observe
    /// Send events, and ask what became of one's own.
    case inject
    /// Change the session and the scenes' lives directly.
    case mutate
    /// Move what a real app cannot: holds, the clock, a reset, adapters that decide for everybody.
    case control
    /// Look after the daemon: reload, drain.
    case manage
}
