public import SceneEntryPoints

/// An event as a client hands it in.
public struct Submission: Sendable {
    public var event: EntryEvent
    /// The scene it is meant for; `nil` lets the host choose.
    public var scene: String?
    /// The client's ID, 1 to 128 bytes; `nil` lets the host make one.
    public var eventID: String?
    /// Who sends it: the same ID from another sender is another event.
    public var sender: String?
    /// The connection and its call's number, for the records.
    public var connection: Int?
    public var call: Int?

    /// A submission of `event`.
    public init(
        _ event: EntryEvent,
        scene: String? = nil,
        eventID: String? = nil,
        sender: String? = nil,
        connection: Int? = nil,
        call: Int? = nil
    ) {
        self.event = event
        self.scene = scene
        self.eventID = eventID
        self.sender = sender
        self.connection = connection
        self.call = call
    }
}
