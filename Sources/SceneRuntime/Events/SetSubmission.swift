public import SceneEntryPoints

/// Several URLs that are opened at once, as a client submits them (<doc:WayOfAnEvent#Several-URLs-at-once>).
public struct SetSubmission: Sendable {
    /// The URLs. Each is an event of its own.
    public var urls: URLSet
    /// The order in which they come, as their places from 1: `[2, 1]`. `nil` leaves it to the host's chance.
    public var order: [Int]?
    /// The ID of the scene that they are meant for; `nil` lets the host choose one for all.
    public var scene: String?
    /// The client's ID for the set, a name (<doc:Words#Names>), from which the events have theirs; `nil` lets the host make them.
    public var eventID: String?
    /// Who sends them.
    public var sender: String?
    /// The number of the connection that they came by, for the records.
    public var connection: Int?
    /// The number of the call on that connection, for the records.
    public var call: Int?

    /// A submission of `urls`.
    public init(
        _ urls: URLSet,
        order: [Int]? = nil,
        scene: String? = nil,
        eventID: String? = nil,
        sender: String? = nil,
        connection: Int? = nil,
        call: Int? = nil
    ) {
        self.urls = urls
        self.order = order
        self.scene = scene
        self.eventID = eventID
        self.sender = sender
        self.connection = connection
        self.call = call
    }

    /// The ID of the event of the URL at `place`, from 1, in the set with this ID: `mail/1`.
    public static func eventID(_ set: String, _ place: Int) -> String { "\(set)/\(place)" }

    /// The submission of one of the URLs by itself, by its index as given.
    package func member(_ index: Int) -> Submission {
        Submission(
            urls.events[index],
            scene: scene,
            eventID: eventID.map { Self.eventID($0, index + 1) },
            sender: sender,
            connection: connection,
            call: call
        )
    }
}
