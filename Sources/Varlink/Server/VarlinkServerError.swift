/// Why a service or a server cannot be set up.
public enum VarlinkServerError: Error, Hashable, Sendable {
    /// Two services implement the same interface.
    case interfaceTwice(String)
    /// A handler is for a method that the interface does not declare.
    case noSuchMethod(interface: String, method: String)
    /// A method has two handlers.
    case handlerTwice(interface: String, method: String)
    /// The path is longer than a Unix socket address can hold.
    case pathTooLong(path: String, limit: Int)
    /// Another process listens on the path.
    case alreadyServed(path: String)
    /// Something that is no socket stands at the path.
    case notASocket(path: String)
    /// The descriptor is no stream socket of the Unix family in the state it was said to be in.
    case unfitDescriptor(descriptor: Int32, expected: String)
    /// The server was shut down.
    case shutDown
    /// A system call failed.
    case system(operation: String, path: String?, errno: Int32)
}

extension VarlinkServerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .interfaceTwice(let name): "interface \(name) is implemented by two services"
        case .noSuchMethod(let interface, let method): "interface \(interface) declares no method '\(method)'"
        case .handlerTwice(let interface, let method): "method \(interface).\(method) has two handlers"
        case .pathTooLong(let path, let limit): "the socket path \(path) is longer than \(limit) bytes"
        case .alreadyServed(let path): "another process listens on \(path)"
        case .notASocket(let path): "\(path) exists and is no socket; remove it or choose another path"
        case .unfitDescriptor(let descriptor, let expected): "descriptor \(descriptor) is no \(expected)"
        case .shutDown: "the server was shut down"
        case .system(let operation, let path, let errno):
            "\(operation)\(path.map { " of \($0)" } ?? "") failed: \(VarlinkSocket.message(for: errno))"
        }
    }
}
