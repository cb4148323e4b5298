/// Something about a connection that whoever runs the service may want to log or count.
public struct VarlinkIncident: Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// The connection was refused: the server has as many as it may.
        case tooManyConnections(limit: Int)
        /// The connection was refused: its user has as many as it may.
        case tooManyConnectionsOfUser(limit: Int)
        /// The client broke the protocol and was cut off.
        case violation(VarlinkViolation)
        /// The client sent nothing in the time it had, and was cut off.
        case silent
        /// The client did not read its replies, and was cut off with `bytes` waiting.
        case stalled(bytes: Int)
        /// The server shut down, and the client was cut off before it had all replies, `bytes` of which were waiting.
        case cutOff(bytes: Int)
        /// The client, with what others of its user or all clients hold, took more memory than there is for it, and was
        /// cut off while it held `bytes`.
        case tooMuchMemory(bytes: Int)
        /// The call was refused: the peer may not make it.
        case denied(method: String)
        /// The service broke its own interface or forgot to answer; the connection was closed. A bug of the service.
        case defect(method: String, reason: String)
    }

    public let kind: Kind
    /// The number of the connection; `nil` if it was refused before it had one.
    public let connection: Int?
    public let peer: VarlinkPeer

    /// An incident, for tests of whoever logs or counts them.
    public init(kind: Kind, connection: Int?, peer: VarlinkPeer) {
        self.kind = kind
        self.connection = connection
        self.peer = peer
    }

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
            case .denied(let method): "was denied \(method)"
            case .defect(let method, let reason): "closed by a defect of \(method): \(reason)"
            }
        return "connection \(connection.map(String.init) ?? "(new)") of user \(peer.userID) \(what)"
    }
}
