/// Why the descriptors passed by the service manager cannot be used.
package enum ListenDescriptorError: Error, Hashable, Sendable {
    /// `LISTEN_FDS`, `LISTEN_PID` or `LISTEN_FDNAMES` cannot be read, or a descriptor they name is not open.
    case environment(SystemError)
    /// A descriptor is a file, a datagram socket or something else.
    case notAStreamSocket(descriptor: Int32, name: String)
}

extension ListenDescriptorError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .environment(let error):
            "\(error); unset LISTEN_FDS, LISTEN_PID and LISTEN_FDNAMES to start without passed sockets"
        case .notAStreamSocket(let descriptor, let name):
            "descriptor \(descriptor) (\(name)) passed by the service manager is no stream socket; "
                + "use ListenStream= in the socket unit"
        }
    }
}
