/// Why a service or a server could not be set up.
public enum VarlinkServerError: Error, Hashable, Sendable {
    /// Two services implement the same interface.
    case interfaceTwice(String)
    /// A handler was set for a method that the interface does not declare.
    case noSuchMethod(interface: String, method: String)
    /// A second handler was set for a method.
    case handlerTwice(interface: String, method: String)
    /// The path is longer than a Unix socket address can hold: `limit` bytes.
    case pathTooLong(path: String, limit: Int)
    /// Another process listens at the path.
    case alreadyServed(path: String)
    /// The path exists and is not a socket.
    case notASocket(path: String)
    /// The inherited descriptor is not what is `expected`, a Unix stream socket.
    case unfitDescriptor(descriptor: Int32, expected: String)
    /// The server was shut down.
    case shutDown
    /// The system call `operation` failed, with `path` if it took one.
    case system(operation: String, path: String?, errno: Int32)
}

extension VarlinkServerError: CustomStringConvertible {
    /// The reason as a phrase for a message.
    public var description: String {
        switch self {
        case .interfaceTwice(let name): "two services implement the interface \(name)"
        case .noSuchMethod(let interface, let method): "interface \(interface) declares no method '\(method)'"
        case .handlerTwice(let interface, let method): "method \(interface).\(method) has two handlers"
        case .pathTooLong(let path, let limit): "the socket path \(path) is longer than \(limit) bytes"
        case .alreadyServed(let path): "another process listens at \(path)"
        case .notASocket(let path): "\(path) exists and is not a socket; remove it or choose another path"
        case .unfitDescriptor(let descriptor, let expected): "descriptor \(descriptor) is not a \(expected)"
        case .shutDown: "the server was shut down"
        case .system(let operation, let path, let errno):
            "\(operation)\(path.map { " of \($0)" } ?? "") failed: \(VarlinkSocket.message(for: errno))"
        }
    }
}
