internal import CSystemd
internal import Glibc

/// A socket that the service manager opened and handed to this process.
package struct ListenDescriptor: Hashable, Sendable {
    /// What can be done with it.
    package enum Kind: Hashable, Sendable {
        /// It accepts connections (`Accept=no`).
        case listening
        /// It is one connection (`Accept=yes`).
        case connected
    }

    /// The open file descriptor, closed on exec. It belongs to whoever asked for it.
    package let descriptor: Int32
    /// The name given by `FileDescriptorName=`; `unknown` or `connection` where there is none.
    package let name: String
    package let kind: Kind
}

/// Takes the stream sockets that systemd passed to this process, in its order; empty when it passed none.
///
/// Removes `LISTEN_FDS` and its companions from the environment so that no child takes them for its own: call it once,
/// before there are other threads. See sd_listen_fds(3).
///
/// - Throws: ``ListenDescriptorError`` for a descriptor that is no stream socket or a malformed environment.
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
