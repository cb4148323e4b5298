import Dispatch
import Glibc
import StrictJSON

/// A client that reads only when a test tells it to. Its calls block a thread of Dispatch, not one of Swift's pool.
final class SocketClient: Sendable {
    struct Failure: Error {
        let operation: String
        let code: CInt
    }

    private let descriptor: CInt

    private init(descriptor: CInt) {
        self.descriptor = descriptor
        // Longer than any delay but a hang.
        var timeout = timeval(tv_sec: 600, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// A client, and the descriptor of the other end of its connection.
    static func pair() throws -> (SocketClient, CInt) {
        var descriptors: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &descriptors) == 0 else {
            throw Failure(operation: "socketpair", code: errno)
        }
        return (SocketClient(descriptor: descriptors[0]), descriptors[1])
    }

    func send(_ call: String) async throws {
        let bytes = Array(call.utf8) + [0]
        try await blocking { [descriptor] in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(descriptor, Array(bytes[sent...]), bytes.count - sent, CInt(MSG_NOSIGNAL))
                guard count > 0 else { throw Failure(operation: "send", code: errno) }
                sent += count
            }
        }
    }

    /// The next message.
    func receive() async throws -> JSONObject {
        let bytes = try await blocking { [descriptor] in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                // Looks first, so that what follows the NUL stays for the next call.
                let seen = recv(descriptor, &buffer, buffer.count, CInt(MSG_PEEK))
                guard seen > 0 else { throw Failure(operation: "receive", code: seen == 0 ? 0 : errno) }
                let end = buffer[..<seen].firstIndex(of: 0)
                let count = recv(descriptor, &buffer, end.map { $0 + 1 } ?? seen, 0)
                bytes += buffer[..<count]
                if end != nil { return Array(bytes.dropLast()) }
            }
        }
        return try JSONValue(parsing: bytes).objectValue ?? [:]
    }

    private func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }
}
