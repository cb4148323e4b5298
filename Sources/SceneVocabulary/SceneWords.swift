/// A scene's activation state, named as in UIKit's `UIScene.ActivationState`.
public enum Activation: String, Hashable, Codable, Sendable, CaseIterable {
    /// The scene has no window.
    case unattached
    /// The window is in front and takes input.
    case foregroundActive
    /// The window is in front but takes no input, as during a transition.
    case foregroundInactive
    /// The window is connected but not in front.
    case background
}

/// How an event reaches the app.
public enum EventDelivery: String, Hashable, Sendable, CaseIterable {
    /// In the connection options of a window that is opened or brought back for the event.
    case cold
    /// To a window that is already connected.
    case warm
}

/// Why a scene takes an event ("Which scene takes an event" of <doc:/SceneRuntime/Scenes>).
public enum SceneChoice: String, Hashable, Codable, Sendable, CaseIterable {
    /// The sender named it.
    case named
    /// Its configuration prefers the event's content identifier, and no better one does.
    case preferred
    /// Of those that can take the event, it is in front, or will be by then.
    case active
    /// None of those is in front, and it was active most recently.
    case recent
    /// None of those was ever active, and it is the oldest.
    case oldest
    /// It was opened for the event.
    case new
}

/// The kinds of item in a mailbox.
public enum DispatchKind: String, Hashable, Sendable, CaseIterable {
    /// An event's first attempt.
    case dispatch
    /// Another attempt of an intent that was parked.
    case resume
    /// After a commit: removes what may no longer be shown.
    case sweep
}

/// The engine's answer to a request.
public enum RouteVerdict: String, Hashable, Sendable, CaseIterable {
    /// The target may be shown.
    case proceed
    /// The target has to wait for a precondition.
    case gated
    /// The target may not be shown.
    case refused
}

/// The names of the outcomes, as <doc:/SceneRuntime/Outcomes> describes them, and of the stages before one.
public enum OutcomeName: String, Hashable, Sendable, CaseIterable {
    /// The window changed to show the target.
    case applied
    /// The window showed the target already.
    case unchanged
    /// There was nothing to navigate, or whoever took the intent wanted nothing shown.
    case delivered
    /// A gesture that could have no effect where the window stood.
    case ignored
    /// The event was refused; a reason says why.
    case rejected
    /// A newer event took its place.
    case superseded
    /// It was given up before it could end otherwise.
    case abandoned
    /// It waits for a precondition. Not a terminal outcome.
    case gated
    /// It waits in the mailbox or is being dispatched. No attempt ends like this.
    case admitted
}

/// Why a window changed.
public enum NavigationCause: String, Hashable, Sendable, CaseIterable {
    /// An event's plan was carried out.
    case dispatch
    /// A flow began, ended or moved between its screens.
    case flow
    /// A person's gesture.
    case gesture
    /// A sweep removed what may no longer be shown.
    case sweep
    /// A scene connected again with what it showed before.
    case restore
    /// A locked window can be seen, and the lock's flow covers what it shows.
    case lock
}

/// Why a window is locked.
public enum LockReason: String, Hashable, Sendable, CaseIterable {
    /// It was opened, or brought back.
    case connected
    /// It went to the background.
    case background
}

/// Why a window is locked no longer.
public enum UnlockReason: String, Hashable, Sendable, CaseIterable {
    /// The lock's flow has completed in it.
    case completed
    /// The lock's condition does not hold any more: somebody has signed out, for example, or a reload has taken the lock away.
    case lifted
}

/// How long a client waits for its receipt.
public enum ReceiptStage: String, Hashable, Sendable, CaseIterable {
    /// Not at all: the receipt says `admitted`.
    case admitted
    /// Until the first attempt has ended, even if it ended as `gated`.
    case settled
    /// Until the terminal outcome.
    case finished
}

/// What an app can ask of its windows.
public enum WindowWish: String, Hashable, Sendable, CaseIterable {
    /// A new window.
    case open
    /// That a window is closed for good.
    case close
    /// That a window is judged again, and brought back if it is disconnected, with nobody looking at it.
    case refresh
}

/// Why what was asked of windows was not done, by the codes of UIKit's `UISceneError`.
public enum WindowError: String, Hashable, Codable, Sendable, CaseIterable {
    /// The app allows one scene only.
    case multipleScenesNotSupported
    /// The app has as many scenes as it allows, or what waits takes as much as it may; or there is no such window.
    case requestDenied
}

/// A point at which a client can hold a dispatch, a resume or a sweep.
///
/// A sweep passes ``admitted`` and ``settled`` once. It passes the points between them once for every op that removes
/// something, and once more when nothing is left to remove; that last time without ``transition``.
public enum HoldPoint: String, Hashable, Sendable, CaseIterable {
    /// Its turn has come; nothing has been looked at.
    case admitted
    /// The engine has answered; nothing has been planned. In a sweep: what the window shows has been judged.
    case resolved
    /// The plan exists; nothing has been shown. In a sweep: nothing has been removed. If the session changes here, the
    /// sweep judges the window again before its next step (<doc:/SceneRuntime/TheSession>).
    case planned
    /// An op has begun; its transition has not ended.
    case transition
    /// It has ended and is recorded; the next has not begun.
    case settled
}
