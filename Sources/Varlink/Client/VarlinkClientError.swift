/// Why a client has no answer, other than an error that the service answered (``VarlinkError``).
public enum VarlinkClientError: Error, Hashable, Sendable {
    /// Nobody can be reached at the path.
    case cannotConnect(path: String, errno: Int32, reason: String)
    /// The connection closed before the answer was complete.
    case connectionClosed
    /// The service broke the protocol, and the connection was closed.
    case violation(VarlinkViolation)
}

extension VarlinkClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotConnect(let path, _, let reason): "cannot connect to \(path): \(reason)"
        case .connectionClosed: "the connection closed before the answer was complete"
        case .violation(let violation): "the service broke the protocol: \(violation)"
        }
    }
}
