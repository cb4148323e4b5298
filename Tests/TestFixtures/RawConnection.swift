internal import Glibc

/// Sends and receives bytes over a Unix socket. Its calls block threads of `BlockingCalls`, not of Swift's pool.
package final class RawConnection: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let operation: String
        package let errno: CInt
        package var description: String { "\(operation): \(String(cString: strerror(errno)))" }
    }

    package let descriptor: CInt

    package init(descriptor: CInt) {
        self.descriptor = descriptor
        // Longer than any delay except a hang.
        var timeout = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    package convenience init(path: String) throws {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            defer { Glibc.close(descriptor) }
            throw Failure(operation: "connect", errno: errno)
        }
        self.init(descriptor: descriptor)
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// The two ends of a connection.
    package static func pair() throws -> (CInt, CInt) {
        var descriptors: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &descriptors) == 0 else {
            throw Failure(operation: "socketpair", errno: errno)
        }
        return (descriptors[0], descriptors[1])
    }

    /// Writes all bytes; in `text` each `␀` stands for a NUL.
    package func write(_ text: String) async throws {
        try await write(bytes: text.utf8Bytes)
    }

    package func write(bytes: [UInt8]) async throws {
        try await BlockingCalls.run { [descriptor] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(operation: "send", errno: errno) }
                sent += count
            }
        }
    }

    /// Reads up to the `count`-th NUL, or to the end of the connection; NULs are shown as `␀`.
    package func read(messages count: Int) async throws -> String {
        try await read { $0.count { $0 == 0 } >= count }
    }

    /// Reads until the other side closes or resets the connection.
    package func readToEnd() async throws -> String {
        try await read { _ in false }
    }

    private func read(until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async throws -> String {
        try await BlockingCalls.run { [descriptor] in
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while !isEnough(bytes) {
                let received = recv(descriptor, &chunk, chunk.count, 0)
                if received == 0 || (received < 0 && errno == ECONNRESET) { break }
                guard received > 0 else { throw Failure(operation: "recv", errno: errno) }
                bytes += chunk[..<received]
            }
            return String(decoding: bytes, as: UTF8.self).replacing("\0", with: "␀")
        }
    }

    package func closeWriting() {
        shutdown(descriptor, CInt(SHUT_WR))
    }

    package func closeBoth() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }
}

extension String {
    package var utf8Bytes: [UInt8] { Array(replacing("␀", with: "\0").utf8) }
}
