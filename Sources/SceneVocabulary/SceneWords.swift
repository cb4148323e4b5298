/// A scene's activation state, as `UIScene.ActivationState` names them.
public enum Activation: String, Hashable, Sendable, CaseIterable {
    case unattached, foregroundActive, foregroundInactive, background
}

/// How an event reaches the app.
public enum EventDelivery: String, Hashable, Sendable, CaseIterable {
    /// With the connection options: the window is opened or brought back for it.
    case cold
    /// To a window that is there.
    case warm
}

/// Which items pass through a mailbox.
public enum DispatchKind: String, Hashable, Sendable, CaseIterable {
    case dispatch, resume, sweep
}

/// What the engine answers to a request: its target may be shown, or waits for a precondition, or is refused.
public enum RouteVerdict: String, Hashable, Sendable, CaseIterable {
    case proceed, gated, refused
}

/// How an event ended, or where it stands, without what else there is to say of it.
public enum OutcomeName: String, Hashable, Sendable, CaseIterable {
    case applied, unchanged, delivered, ignored, rejected, superseded, abandoned, gated
    /// Waiting in the mailbox, or being dispatched: no attempt ends so.
    case admitted
}

/// Why a window changed.
public enum NavigationCause: String, Hashable, Sendable, CaseIterable {
    case dispatch, flow, gesture, sweep, restore
}

/// How long a client waits for its receipt.
public enum ReceiptStage: String, Hashable, Sendable, CaseIterable {
    /// Not at all: the receipt says `admitted`.
    case admitted
    /// Until the first attempt has ended, be it in `gated`.
    case settled
    /// Until the terminal outcome.
    case finished
}

/// Where a dispatch, a resume or a sweep can be held on purpose.
///
/// A sweep passes ``admitted`` and ``settled`` once, and the points between once for every op by which it removes
/// something and once more when it finds nothing left to remove; that last time it passes no ``transition``.
public enum HoldPoint: String, Hashable, Sendable, CaseIterable {
    /// Its turn has come, nothing has been looked at.
    case admitted
    /// The engine has answered, nothing has been planned. In a sweep: what is shown has been judged.
    case resolved
    /// The plan stands, nothing has been shown. In a sweep: nothing has been removed; if the session changes here, what is
    /// shown is judged again with the step (<doc:/SceneRuntime/TheSession>).
    case planned
    /// An op has begun, its transition has not ended.
    case transition
    /// It has ended and is recorded, the next has not begun.
    case settled
}
