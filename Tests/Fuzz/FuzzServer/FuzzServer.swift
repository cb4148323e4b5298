import Dispatch
import FuzzerDriver
import Glibc
import NIOCore
import NIOPosix
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneService
import StrictJSON
import Varlink

/// Any bytes to the whole server, over a pair of sockets, in pieces of at most 143 bytes. It answers or closes; it never
/// traps, hangs, breaks its own interfaces, or says what is no reply.
private final class Target: Sendable {
    private static let longestPiece = 143
    /// How long to wait for an answer, which may never come.
    private static let patience: CInt = 1

    let server: VarlinkServer

    init() throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let executor = group.next().executor
        let host = try SceneHost(
            id: "fuzz",
            manifest: try AppManifest.builtInShop(),
            settings: HostSettings(mailboxCapacity: 16, retainedRecords: 64, retainedEvents: 16),
            executors: HostExecutors(session: executor, scene: { _ in executor })
        )
        let controls = DaemonControls(
            version: "0",
            manifestFile: nil,
            reload: {},
            connections: { 0 },
            metrics: { "# EOF\n" }
        )
        var options = VarlinkServer.Options()
        options.checksReplies = true
        options.limits.message.bytes = 4_096
        options.report = { incident in
            if case .defect = incident.kind { preconditionFailure("\(incident)") }
        }
        server = try VarlinkServer(
            services: try SocketAPI.services(RunningHost(host) { old, _ in old }, controls: controls),
            identity: VarlinkIdentity(vendor: "", product: "", version: "", url: ""),
            options: options,
            group: group
        )
    }

    func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        var ends: [CInt] = [-1, -1]
        precondition(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let (ours, theirs) = (ends[0], ends[1])
        let adopted = DispatchSemaphore(value: 0)
        Task { [server] in
            do {
                try await server.adopt(descriptor: theirs)
            } catch {
                preconditionFailure("the server does not take the socket: \(error)")
            }
            adopted.signal()
        }
        adopted.wait()

        var replies: [UInt8] = []
        var sent = 0
        var isOpen = true
        while sent < bytes.count, isOpen {
            let length = min(1 + Int(bytes[sent]) % Self.longestPiece, bytes.count - sent)
            guard let piece = bytes.baseAddress?.advanced(by: sent) else { break }
            let count = send(ours, piece, length, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
            if count > 0 { sent += count } else if errno != EAGAIN { isOpen = false }
            isOpen = read(ours, &replies, waiting: count > 0 ? 0 : Self.patience) != .end && isOpen
        }
        shutdown(ours, CInt(SHUT_WR))
        while read(ours, &replies, waiting: Self.patience) == .some {}
        close(ours)
        check(replies)
        let deadline = DispatchTime.now() + .seconds(10)
        while server.connectionCount > 0 {
            precondition(DispatchTime.now() < deadline, "a connection does not end")
            sched_yield()
        }
    }

    private enum Reading {
        case some, nothing, end
    }

    private func read(_ descriptor: CInt, _ replies: inout [UInt8], waiting: CInt) -> Reading {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, waiting) > 0 else { return .nothing }
        return withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
            guard count > 0 else { return .end }
            replies += buffer[..<count]
            return .some
        }
    }

    private func check(_ replies: [UInt8]) {
        // The last message may be cut off with the connection.
        for message in replies.split(separator: 0, omittingEmptySubsequences: false).dropLast() {
            let reply = try? VarlinkReply(parsing: Array(message).span)
            precondition(reply != nil, "what the server says is no reply")
        }
    }
}

private let target: Target = {
    do {
        return try Target()
    } catch {
        preconditionFailure("\(error)")
    }
}()

private func fuzzServer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.run(UnsafeBufferPointer(start: start, count: count))
    return 0
}

@main
struct FuzzServer {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { fuzzServer($0, $1) }
    }
}
