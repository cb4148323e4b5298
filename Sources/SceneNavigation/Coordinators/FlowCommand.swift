public import SceneRouting
internal import SceneVocabulary

/// Something that a coordinator wants done. The coordinator decides, and the runtime carries it out.
///
/// Of the commands in one answer, all session changes come first, in one commit that is made only once even if the navigation
/// is resumed. Then the flow moves, then it finishes, then other windows are opened, closed and refreshed, then it routes; each kind
/// in the order given. Last the window itself is closed.
public enum FlowCommand: Hashable, Codable, Sendable {
    /// Goes to a destination of the app. The request is internal, and the same policy applies as for any other.
    case route(Destination)
    /// Changes the session.
    case session(SessionChange)
    /// Pushes a screen onto the flow.
    case push(Destination, animated: Bool = true)
    /// Pops this many of the flow's screens, at least 1. The flow's first screen stays.
    case pop(Int = 1, animated: Bool = true)
    /// Pops to one of the flow's screens: the topmost of this ID below the one on top.
    case popTo(screen: String, animated: Bool = true)
    /// Pops to the flow's first screen.
    case popToRoot(animated: Bool = true)
    /// Replaces the flow's topmost screen by another.
    case replace(Destination, animated: Bool = true)
    /// Presents another flow over this one and starts it with these parameters. It counts among the flow's moves. When it ends,
    /// ``FlowCoordinator/childFinished(_:_:context:)`` is told how.
    ///
    /// Only a flow that owns the topmost screen can start another, as only what is in front can present in UIKit, and a flow is on
    /// screen at most once (<doc:/SceneRuntime/Windows>).
    case start(flow: String, parameters: [String: String] = [:], animated: Bool = true)
    /// Ends the flow with a result.
    case finish(FlowResult)
    /// Asks for a new window that shows a destination, in a configuration of the manifest; `nil` takes the first. What follows does
    /// not depend on whether there may be another window (Scenes of <doc:/SceneRuntime/Scenes>).
    case openWindow(Destination, configuration: String? = nil)
    /// Closes the window in which the flow is, for good, if everything else could be done.
    case closeWindow
    /// Closes every window that is for a destination, for good: that was opened for an event which led there, such as one that the
    /// app asked for (Windows that the app asks for, in <doc:/SceneRuntime/Scenes>). If the flow's own window is among them it is
    /// closed as by ``closeWindow``. That there is none changes nothing.
    case closeWindows(for: Destination)
    /// Has the window in which the flow is judged again by what holds now.
    case refreshWindow
    /// Has every window that is for a destination judged again. One that is disconnected is brought back in the background; none
    /// comes to the front. That there is none changes nothing.
    case refreshWindows(for: Destination)
    /// Answers whoever sent the intent, at most ``maximumAnswer`` bytes as JSON. Of several answers a later value counts. An answer to
    /// anything but an intent reaches nobody.
    case answer([String: FactValue])

    /// How many bytes an answer may take, as JSON writes it.
    public static let maximumAnswer = 16 << 10
}

/// A change of the session that a coordinator asks for. Those of one answer are made in order, in one commit.
public enum SessionChange: Hashable, Codable, Sendable {
    /// Sets a fact. A text is parsed as the fact's declared type.
    case set(fact: String, FactValue)
    /// Appends an element to a fact that is a list, unless the list has it already.
    case append(fact: String, String)
    /// Removes an element from a fact that is a list; changes nothing if the list does not have it.
    case remove(fact: String, String)
    /// Adds an integer, which may be negative, to what a fact that is an integer or a number is when the change is made, so that
    /// none is lost when windows count at once. A fact without a value counts as 0. A sum that an integer cannot have is
    /// refused as too large.
    case add(fact: String, Int)
    /// Sets a fact to its declared default.
    case reset(fact: String)
    /// Signs a user in. Another user who was signed in before leaves in the same commit; the same user's sign-in is fresh again.
    case signIn(user: String)
    /// Signs the user out.
    case signOut
    /// Makes the sign-in stale; changes nothing if nobody is signed in.
    case markStale
}

/// How a flow ended.
public enum FlowResult: Hashable, Codable, Sendable {
    /// The flow did its task, and reports this.
    case completed(FlowCompletion)
    /// The flow was given up, and reports nothing.
    case cancelled
}

/// What a completed flow reports. The user and the facts are committed to the session before anybody hears of the completion
/// (S4 of <doc:/SceneRuntime/TheSession>).
public struct FlowCompletion: Hashable, Codable, Sendable {
    /// Who signed in; `nil` for a flow that signs nobody in.
    public var user: String?
    /// Facts of the session by name, as the app declares them.
    public var facts: [String: FactValue]
    /// What it hands to the flow that started it, by name. The session does not learn of it.
    public var values: [String: String]

    /// A completion. Most flows report no user, no facts and no values.
    public init(user: String? = nil, facts: [String: FactValue] = [:], values: [String: String] = [:]) {
        self.user = user
        self.facts = facts
        self.values = values
    }
}

extension FlowCompletion {
    /// Whether both report the same. Values are compared by their bytes.
    public static func == (one: FlowCompletion, other: FlowCompletion) -> Bool {
        one.user == other.user && one.facts == other.facts && one.values.hasSameValues(as: other.values)
    }

    /// Hashes what is reported.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(user)
        hasher.combine(facts)
        values.hashValues(into: &hasher)
    }
}
