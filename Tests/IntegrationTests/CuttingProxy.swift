import Basics
import Glibc
import TestFixtures

/// Stands between clients and a daemon, and cuts connections after so many bytes, counted in both directions together: what is left of
/// a request does not reach the daemon, and what is left of a reply does not reach the client. What asks for the daemon's status is not
/// counted, unless it is to be.
final class CuttingProxy: Sendable {
    private struct State {
        var cuts: [Int] = []
        var made = 0
        var requests: [String] = []
        var connections = 0
    }

    /// Where clients connect.
    let path: String
    private let daemon: String
    private let countsStatus: Bool
    private let atCut: @Sendable () async throws -> Void
    private let listener: RawConnection
    private let directory: TemporaryDirectory
    private let state = Guarded(State())

    /// Runs a proxy while `body` runs.
    /// - Parameter atCut: What happens before a client learns that its connection is cut.
    static func run(
        to daemon: String,
        countingStatus: Bool = false,
        atCut: @escaping @Sendable () async throws -> Void = {},
        _ body: @escaping @Sendable (CuttingProxy) async throws -> Void
    ) async throws {
        let proxy = try CuttingProxy(daemon, countingStatus, atCut)
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                defer { proxy.listener.closeBoth() }
                try await body(proxy)
            }
            while let client = try await proxy.accept() {
                // What breaks between the two ends a connection, and nothing else.
                group.addTask { try? await proxy.serve(client) }
            }
        }
    }

    private init(_ daemon: String, _ countsStatus: Bool, _ atCut: @escaping @Sendable () async throws -> Void) throws {
        directory = try TemporaryDirectory()
        path = "\(directory.path)/s"
        self.daemon = daemon
        self.countsStatus = countsStatus
        self.atCut = atCut
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        listener = RawConnection(descriptor: descriptor)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(descriptor, 128) == 0 else {
            throw DaemonFailure(reason: "cannot listen at \(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Has the next connections cut, each after so many bytes, and forgets what was before.
    func cut(after cuts: Int...) {
        state.withLock { $0 = State(cuts: cuts) }
    }

    /// How many connections were cut.
    var made: Int { state.withLock(\.made) }
    /// What has reached the daemon, whole.
    var requests: [String] { state.withLock(\.requests) }
    /// How many connections there have been.
    var connections: Int { state.withLock(\.connections) }

    private func accept() async throws -> RawConnection? {
        try await BlockingCalls.run { [descriptor = listener.descriptor] in
            while true {
                let client = Glibc.accept(descriptor, nil, nil)
                if client >= 0 { return RawConnection(descriptor: client) }
                // Nobody came for a long time.
                if errno != EAGAIN { return nil }
            }
        }
    }

    private func serve(_ client: RawConnection) async throws {
        var left = state.withLock { state in
            state.connections += 1
            return state.cuts.isEmpty ? Int.max : state.cuts.removeFirst()
        }
        let daemon = try RawConnection(path: daemon)
        while left > 0, let request = try await Self.message(client, atMost: left) {
            let isCounted = countsStatus || !request.isWhole || !request.text.contains("GetStatus")
            if isCounted { left -= request.bytes.count }
            guard request.isWhole else { break }
            state.withLock { $0.requests.append(request.text) }
            try await daemon.write(bytes: request.bytes)
            while true {
                guard let reply = try await Self.message(daemon, for: client), reply.isWhole else { return }
                let count = isCounted ? min(left, reply.bytes.count) : reply.bytes.count
                // At its end, what happens then happens before the client hears of it.
                if count < reply.bytes.count { return try await end(client, reply.bytes.prefix(count)) }
                try await client.write(bytes: reply.bytes)
                if isCounted { left -= count }
                if !reply.text.contains(#""continues":true"#) { break }
            }
        }
        if left == 0 { try await end(client, []) }
    }

    private func end(_ client: RawConnection, _ rest: ArraySlice<UInt8>) async throws {
        state.withLock { $0.made += 1 }
        try await atCut()
        try await client.write(bytes: Array(rest))
        client.closeBoth()
    }

    private struct Message {
        var bytes: [UInt8] = []
        var isWhole: Bool { bytes.last == 0 }
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// A message, or as much of it as there may be; `nil` at the end of the connection. Neither side sends the next one before it has
    /// an answer.
    ///
    /// - Parameter reader: Who is to get it; once that one has left, nobody waits for it.
    private static func message(
        _ connection: RawConnection,
        atMost limit: Int = .max,
        for reader: RawConnection? = nil
    ) async throws -> Message? {
        try await BlockingCalls.run { [descriptor = connection.descriptor, reader = reader?.descriptor ?? -1] in
            var message = Message()
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while !message.isWhole, message.bytes.count < limit {
                var waited = [
                    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: reader, events: 0, revents: 0),
                ]
                guard poll(&waited, 2, -1) > 0, waited[0].revents != 0 else { return nil }
                let most = min(chunk.count, limit - message.bytes.count)
                // Of several replies the next ones are left.
                let seen = recv(descriptor, &chunk, most, CInt(MSG_PEEK))
                guard seen > 0 else { return nil }
                let length = chunk[..<seen].firstIndex(of: 0).map { $0 + 1 } ?? seen
                guard recv(descriptor, &chunk, length, 0) == length else { return nil }
                message.bytes += chunk[..<length]
            }
            return message
        }
    }
}
