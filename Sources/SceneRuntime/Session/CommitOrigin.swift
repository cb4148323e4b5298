/// Where a commit came from, for the records.
public struct CommitOrigin: Hashable, Sendable {
    public var scene: String?
    public var event: String?
    public var connection: Int?

    /// An origin; all parts may be absent, as for an expiry.
    public init(scene: String? = nil, event: String? = nil, connection: Int? = nil) {
        self.scene = scene
        self.event = event
        self.connection = connection
    }
}
