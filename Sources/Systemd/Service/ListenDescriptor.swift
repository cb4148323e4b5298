internal import CSystemd
internal import Glibc

/// A socket that the service manager opened and passed to this process.
package struct ListenDescriptor: Hashable, Sendable {
    /// Whether the socket listens or is a connection.
    package enum Kind: Hashable, Sendable {
        /// It accepts connections (`Accept=no`).
        case listening
        /// It is one connection (`Accept=yes`).
        case connected
    }

    /// The open descriptor, with close-on-exec set. The caller of ``listenDescriptors()`` owns it.
    package let descriptor: Int32
    /// The name given by `FileDescriptorName=`; `unknown` or `connection` without one.
    package let name: String
    /// Whether it listens or is a connection.
    package let kind: Kind
}

/// Takes the stream sockets that systemd passed to this process, in its order; empty if it passed none.
///
/// Removes `LISTEN_FDS` and its companions from the environment, so that no child uses them. Call it once, before there are
/// other threads. See sd_listen_fds(3).
///
/// - Throws: ``ListenDescriptorError`` if a descriptor is not a stream socket or the environment is malformed.
package func listenDescriptors() throws(ListenDescriptorError) -> [ListenDescriptor] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    defer {
        var name = names
        while let text = name?.pointee {
            free(text)
            name = name?.successor()
        }
        free(names)
    }
    guard count >= 0 else { throw .environment(SystemError("take over the sockets in LISTEN_FDS", code: -count)) }

    var descriptors: [ListenDescriptor] = []
    for index in 0..<Int(count) {
        let descriptor = Int32(SD_LISTEN_FDS_START) + Int32(index)
        let name = names?[index].map { String(cString: $0) } ?? "unknown"
        let kind: ListenDescriptor.Kind
        if sd_is_socket(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 1) > 0 {
            kind = .listening
        } else if sd_is_socket(descriptor, AF_UNSPEC, Int32(SOCK_STREAM.rawValue), 0) > 0 {
            kind = .connected
        } else {
            throw .notAStreamSocket(descriptor: descriptor, name: name)
        }
        descriptors.append(ListenDescriptor(descriptor: descriptor, name: name, kind: kind))
    }
    return descriptors
}

/// Why the descriptors that the service manager passed cannot be used.
package enum ListenDescriptorError: Error, Hashable, Sendable {
    /// `LISTEN_FDS`, `LISTEN_PID` or `LISTEN_FDNAMES` is malformed, or a descriptor is not open.
    case environment(SystemError)
    /// The descriptor is a file, a datagram socket or something else.
    case notAStreamSocket(descriptor: Int32, name: String)
}

extension ListenDescriptorError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .environment(let error):
            "\(error); unset LISTEN_FDS, LISTEN_PID and LISTEN_FDNAMES to start without passed sockets"
        case .notAStreamSocket(let descriptor, let name):
            "descriptor \(descriptor) (\(name)) passed by the service manager is not a stream socket; "
                + "use ListenStream= in the socket unit"
        }
    }
}
