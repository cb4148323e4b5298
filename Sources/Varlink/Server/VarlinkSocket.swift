internal import NIOCore
internal import Glibc

/// Calls on Unix sockets that NIO does not offer: to bind a path with its mode set from the start, to replace a stale path,
/// and to find out what an inherited descriptor is.
enum VarlinkSocket {
    /// A bound path, which can be told from another socket that was put there since.
    struct Path: Sendable {
        let path: String
        fileprivate let device: UInt64
        fileprivate let inode: UInt64
    }

    /// How many clients may wait to be accepted.
    static let backlog = 1024

    /// Opens a listening socket with mode 0660 at `path`. Replaces a socket there that nobody listens at any more.
    static func listen(path: String) throws(VarlinkServerError) -> (descriptor: CInt, Path) {
        try removeIfStale(path)
        let descriptor = try makeSocket(path)
        do throws(VarlinkServerError) {
            // The mode of the descriptor limits that of the path from the moment of bind; chmod then undoes the umask.
            try check("fchmod", path, fchmod(descriptor, 0o660))
            try check("bind", path, try withAddress(path) { bind(descriptor, $0, $1) })
            let bound = try identify(path)
            do throws(VarlinkServerError) {
                try check("chmod", path, chmod(path, 0o660))
                try check("listen", path, Glibc.listen(descriptor, CInt(backlog)))
            } catch {
                remove(bound)
                throw error
            }
            return (descriptor, bound)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Unlinks the path if it still is the socket that was bound there.
    static func remove(_ bound: Path) {
        var status = stat()
        guard lstat(bound.path, &status) == 0, UInt64(status.st_dev) == bound.device,
            UInt64(status.st_ino) == bound.inode
        else { return }
        unlink(bound.path)
    }

    /// Whether an inherited descriptor is a listening (`true`) or a connected (`false`) Unix stream socket.
    static func isListening(_ descriptor: CInt) throws(VarlinkServerError) -> Bool {
        guard option(SO_DOMAIN, of: descriptor) == AF_UNIX,
            option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue),
            let listening = option(SO_ACCEPTCONN, of: descriptor)
        else {
            throw .unfitDescriptor(descriptor: descriptor, expected: "stream socket of the Unix family")
        }
        return listening != 0
    }

    /// Keeps programs that this process starts from inheriting the socket and keeping it open.
    static func closeOnExecution(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Another descriptor of the same socket, which programs that this process starts do not inherit; `nil` if no file can be opened.
    static func duplicate(_ descriptor: CInt) -> CInt? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    static func close(_ descriptor: CInt) {
        _ = Glibc.close(descriptor)
    }

    /// Ends the connection in both directions, for everybody who has a copy of the descriptor.
    static func shutDown(_ descriptor: CInt) {
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Lets the other end send nothing more; what has arrived can still be read, and then the end.
    /// - Returns: whether the channel has a socket.
    static func shutDownInput(_ channel: any Channel) -> Bool {
        let result = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            shutdown($0, CInt(SHUT_RD))
        }
        return result.flatMap { $0 } != nil
    }

    /// Whether clients that have connected to a listening socket wait to be accepted.
    static func hasWaiting(_ channel: any Channel) -> Bool {
        let result = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            var question = pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            return poll(&question, 1, 0) > 0 && question.revents & Int16(POLLIN) != 0
        }
        return result.flatMap { $0 } ?? false
    }

    /// What the system has taken and the other end has not read, in bytes of the system's memory. It counts in pieces of up to
    /// 36 KiB (Linux, `unix_stream_sendmsg`), each until all of it is read; 0 for a channel without a socket.
    static func unread(_ channel: any Channel) -> Int {
        let unread = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            var unread: CInt = 0
            return ioctl($0, UInt(TIOCOUTQ), &unread) == 0 ? Int(unread) : 0
        }
        return unread.flatMap { $0 } ?? 0
    }

    static func message(for errno: CInt) -> String {
        guard let text = strerror(errno) else { return "error \(errno)" }
        return String(cString: text)
    }

    // MARK: - Steps

    private static func removeIfStale(_ path: String) throws(VarlinkServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .system(operation: "lstat", path: path, errno: errno) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path: path) }
        let probe = try makeSocket(path)
        defer { close(probe) }
        let result = try withAddress(path) { connect(probe, $0, $1) }
        if result == 0 { throw .alreadyServed(path: path) }
        switch errno {
        // The backlog is full: a process listens, but accepts too slowly.
        case EAGAIN, EINPROGRESS: throw .alreadyServed(path: path)
        case ECONNREFUSED:
            guard unlink(path) == 0 || errno == ENOENT else {
                throw .system(operation: "unlink", path: path, errno: errno)
            }
        case ENOENT: return
        default: throw .system(operation: "connect", path: path, errno: errno)
        }
    }

    private static func makeSocket(_ path: String) throws(VarlinkServerError) -> CInt {
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        try check("socket", path, descriptor)
        return descriptor
    }

    private static func identify(_ path: String) throws(VarlinkServerError) -> Path {
        var status = stat()
        try check("lstat", path, lstat(path, &status))
        return Path(path: path, device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    private static func withAddress<Result>(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(VarlinkServerError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard path.utf8.count <= limit else { throw .pathTooLong(path: path, limit: limit) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private static func check(_ operation: String, _ path: String, _ result: CInt) throws(VarlinkServerError) {
        guard result >= 0 else { throw .system(operation: operation, path: path, errno: errno) }
    }
}
