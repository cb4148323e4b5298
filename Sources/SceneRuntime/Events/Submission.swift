public import SceneEntryPoints

/// An event as a client submits it.
public struct Submission: Sendable {
    /// What happened.
    public var event: SubmittedEvent
    /// The ID of the scene that the event is meant for; `nil` lets the host choose. An action needs one.
    public var scene: String?
    /// The client's ID for the event, a name (<doc:Words#Names>); `nil` lets the host make one.
    public var eventID: String?
    /// Who sends the event. The same event ID from another sender is another event.
    public var sender: String?
    /// The number of the connection that the event came by, for the records.
    public var connection: Int?
    /// The number of the call on that connection, for the records: the order in which events were sent.
    public var call: Int?
    /// Whether the sender may press buttons. Without that, an action of a notification that hands an intent to the app is refused, and
    /// so is a notification of which the app's code hears.
    public var mayAct = true

    /// A submission of `event`, which came from outside the app.
    public init(
        _ event: EntryEvent,
        scene: String? = nil,
        eventID: String? = nil,
        sender: String? = nil,
        connection: Int? = nil,
        call: Int? = nil
    ) {
        self.event = .entry(event)
        self.scene = scene
        self.eventID = eventID
        self.sender = sender
        self.connection = connection
        self.call = call
    }

    /// A submission of `action`, which happens in a window. Without a scene it is refused.
    public init(
        _ action: SceneAction,
        scene: String?,
        eventID: String? = nil,
        sender: String? = nil,
        connection: Int? = nil,
        call: Int? = nil
    ) {
        event = .action(action)
        self.scene = scene
        self.eventID = eventID
        self.sender = sender
        self.connection = connection
        self.call = call
    }
}

/// What a submission is about.
public enum SubmittedEvent: Hashable, Sendable {
    /// Something that arrived at an entry point; an adapter turns it into a request.
    case entry(EntryEvent)
    /// Something that happens inside a window.
    case action(SceneAction)
}
