/// Something that happened to a connection and is worth logging or counting.
public struct VarlinkIncident: Sendable, CustomStringConvertible {
    /// The kinds of incidents.
    public enum Kind: Hashable, Sendable {
        /// The connection was refused: the server has `limit` connections.
        case tooManyConnections(limit: Int)
        /// The connection was refused: its user has `limit` connections.
        case tooManyConnectionsOfUser(limit: Int)
        /// The client broke the protocol and was cut off.
        case violation(VarlinkViolation)
        /// The client sent nothing within ``VarlinkServerLimits/firstByte`` and was cut off.
        case silent
        /// The client did not read its replies and was cut off while `bytes` of them waited.
        case stalled(bytes: Int)
        /// The server shut down and cut the client off before it had all replies; `bytes` of them waited.
        case cutOff(bytes: Int)
        /// The client was cut off while it held `bytes`: it, its user or all clients together exceeded a memory limit of
        /// ``VarlinkServerLimits``.
        case tooMuchMemory(bytes: Int)
        /// The call was refused with this error of ``VarlinkServer/Options/authorize``.
        case denied(method: String, error: VarlinkError)
        /// A bug in the service: it broke its own interface or gave no answer. The connection was closed.
        case defect(method: String, reason: String)
    }

    /// What happened.
    public let kind: Kind
    /// ``VarlinkConnection/id``; `nil` for a connection that was refused.
    public let connection: Int?
    /// Who is at the other end.
    public let peer: VarlinkPeer

    /// An incident, for tests of the code that logs or counts them.
    public init(kind: Kind, connection: Int?, peer: VarlinkPeer) {
        self.kind = kind
        self.connection = connection
        self.peer = peer
    }

    /// The connection, its user and what happened, as a line for a log.
    public var description: String {
        let what =
            switch kind {
            case .tooManyConnections(let limit): "refused: there are \(limit) connections already"
            case .tooManyConnectionsOfUser(let limit): "refused: its user has \(limit) connections already"
            case .violation(let violation): "closed: \(violation)"
            case .silent: "closed: it sent nothing"
            case .stalled(let bytes): "closed: it left \(bytes) bytes of replies unread"
            case .cutOff(let bytes): "closed by the shutdown: it left \(bytes) bytes of replies unread"
            case .tooMuchMemory(let bytes): "closed: it held \(bytes) bytes and there is no memory left for it"
            case .denied(let method, _): "was denied \(method)"
            case .defect(let method, let reason): "closed because of a defect in \(method): \(reason)"
            }
        return "connection \(connection.map(String.init) ?? "(new)") of user \(peer.userID) \(what)"
    }
}
