internal import Foundation
package import Glibc

/// The service manager's end of `NOTIFY_SOCKET`.
package final class NotificationSocket {
    private let descriptor: Int32
    package let path: String

    package init(in directory: TemporaryDirectory) throws {
        path = "\(directory.path)/notify"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard bindUnix(descriptor, to: path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        // Longer than any delay except a hang.
        var limit = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Fills the queue, so that whoever sends more has to wait.
    package func fill() {
        let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { close(sender) }
        while withUnixAddress(path, { sendto(sender, "X", 1, 0, $0, $1) }) == 1 {}
    }

    /// The lines of the next message; empty if none comes.
    package func receive() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return [] }
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The next message that `matches` accepts, skipping others; empty if none comes.
    package func receive(where matches: ([String]) -> Bool) -> [String] {
        while true {
            let lines = receive()
            if lines.isEmpty || matches(lines) { return lines }
        }
    }

    /// Waits for a message that is this line.
    /// - Returns: whether it comes.
    package func await(_ line: String) -> Bool { receive { $0 == [line] } == [line] }
}

/// Calls `body` with the address of a Unix socket.
package func withUnixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

package func bindUnix(_ descriptor: Int32, to path: String) -> Int32 {
    withUnixAddress(path) { bind(descriptor, $0, $1) }
}

package func connectUnix(_ descriptor: Int32, to path: String) -> Int32 {
    withUnixAddress(path) { connect(descriptor, $0, $1) }
}
