/// What a client may do with the daemon. No role includes another. The cases stand in the order in which everything lists them,
/// from the least to the most that a holder can do.
package enum Role: String, CaseIterable, Hashable, Sendable {
    /// Look at everything and change nothing.
    case observe
    /// Deliver what the system would deliver. No such event signs in or out, finishes a flow or touches a screen.
    case inject
    /// Do what fingers and screens do.
    case act
    /// Change the session and the scenes' lives directly.
    case mutate
    /// Control what a real app cannot: time, order, and adapters that decide for everybody.
    case control
    /// Manage the daemon.
    case manage

    /// What its holders may do, as in "Who may …".
    package var purpose: String {
        switch self {
        case .observe: "look at scenes, session, records, routing, adapters and status, and wait for quiet"
        case .inject:
            "send events as the system would, ask how their own ended, which shows them the whole window that took the event, and try adapters"
        case .act:
            "do what fingers and screens do: gestures, intents, and the ends of flows, which sign users in and out, and, with inject, what of a notification hands an intent to the app; and ask what became of it"
        case .mutate: "change the session, and connect, activate, disconnect and discard scenes"
        case .control: "hold scenes, advance the clock, reset, read the calls of others, and register adapters"
        case .manage: "reload the manifest and drain the daemon"
        }
    }

    /// Whether the members of the socket's group have it unless the configuration says otherwise.
    package var isUsual: Bool {
        switch self {
        case .observe, .inject, .act, .mutate: true
        case .control, .manage: false
        }
    }
}
