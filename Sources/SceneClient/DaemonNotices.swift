internal import Basics
internal import Glibc
internal import NIOPosix

/// What a daemon tells its service manager, for whoever starts it: sd_notify(3).
///
/// It is read as long as the daemon runs: to one that cannot tell its service manager something, that is worth a warning.
struct DaemonNotices: Sendable {
    /// The value of `NOTIFY_SOCKET`.
    let path: String
    /// `nil` once nobody listens.
    private let descriptor: Guarded<Int32?>
    /// A thread that may block.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    init(in folder: PrivateFolder) throws(PrivateDaemonError) {
        path = folder.notices
        let opened = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: folder.notices.utf8.prefix($0.count - 1)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(opened, $0, length) }
        }
        guard bound == 0 else {
            let reason = String(cString: strerror(errno))
            close(opened)
            throw .noFolder(reason: "\(path): \(reason)")
        }
        descriptor = Guarded(opened)
        thread.start()
    }

    /// Waits until the daemon says that it serves.
    /// - Parameter limit: How long it may be silent, at least a second.
    /// - Returns: Whether it said so; not if it was silent for too long, or ``finish()`` came.
    func areReady(within limit: Duration) async -> Bool {
        await read(timeout: timeval(tv_sec: Int(limit.components.seconds), tv_usec: 0)) {
            $0.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual("READY=1".utf8) }
        }
    }

    /// Takes what else the daemon says, until ``finish()`` comes.
    func takeRest() async { _ = await read(timeout: timeval()) { _ in false } }

    /// Reads up to the notice that `isLast`.
    /// - Parameter timeout: How long to wait for each; zero is for ever.
    /// - Returns: Whether it has come.
    private func read(timeout: timeval, _ isLast: @escaping @Sendable (ArraySlice<UInt8>) -> Bool) async -> Bool {
        guard let descriptor = descriptor.withLock(\.self) else { return false }
        var timeout = timeout
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let hasCome = try? await thread.runIfActive {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                if isLast(buffer[..<count]) { return true }
            }
        }
        return hasCome ?? false
    }

    /// Ends the reading, because the daemon has ended.
    func finish() {
        descriptor.withLock { descriptor in
            if let descriptor { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Listens no more. Nobody may read.
    func stop() async {
        descriptor.withLock { descriptor in
            if let descriptor { _ = close(descriptor) }
            descriptor = nil
        }
        try? await thread.shutdownGracefully()
    }
}
