public import SceneEntryPoints

/// An event as a client hands it in.
public struct Submission: Sendable {
    public var event: SubmittedEvent
    /// The scene it is meant for; `nil` lets the host choose.
    public var scene: String?
    /// The client's ID, 1 to 128 bytes; `nil` lets the host make one.
    public var eventID: String?
    /// Who sends it: the same ID from another sender is another event.
    public var sender: String?
    /// The connection and its call's number, for the records.
    public var connection: Int?
    public var call: Int?

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

    /// A submission of `action`, which happens in a window. Without a scene it will be refused.
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

/// What is handed in.
public enum SubmittedEvent: Hashable, Sendable {
    /// Something that arrived at an entry point, for adapters to understand.
    case entry(EntryEvent)
    /// Something that happens inside a window.
    case action(SceneAction)
}
