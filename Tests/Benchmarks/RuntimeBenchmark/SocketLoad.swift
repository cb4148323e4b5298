import Foundation
import Glibc
import NIOCore
import NIOPosix
import SceneEntryPoints
import SceneManifest
import SceneRuntime
import SceneService
import Basics
import TestFixtures
import Varlink

/// The socket API, served in this process, with clients on separate threads.
final class SocketLoad: Sendable {
    let host: SceneHost
    private let server: VarlinkServer
    private let group: MultiThreadedEventLoopGroup
    /// One for each client and one to flood with; the clients' connections alternate between the two event loops, and so
    /// do the windows.
    private let connections: [BlockingClient]
    private let flooder: BlockingClient
    private static let clients = 4
    private static let callsPerRound = 2_000

    /// Where scenes run.
    enum Placement {
        /// On the event loop that wakes them, as in the daemon.
        case following
        /// Each on one event loop.
        case pinned
        /// On the default pool.
        case pooled
    }

    init(_ placement: Placement) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let loops: [any EventLoop] = Array(group.makeIterator())
        let pauses = LoopPauses(loops)
        let home: @Sendable (Int) -> any EventLoop = { loops[$0 % loops.count] }
        let executors =
            switch placement {
            case .following:
                HostExecutors(
                    session: loops[0].executor,
                    scene: { FollowingExecutor(loops: loops, home: home($0)) },
                    pause: { number, resume in
                        pauses.pause(of: FollowingExecutor.nearest(of: loops, home: home(number))).next(resume)
                    }
                )
            case .pinned:
                HostExecutors(
                    session: loops[0].executor,
                    scene: { home($0).executor },
                    pause: { number, resume in pauses.pause(of: home(number)).next(resume) }
                )
            case .pooled: HostExecutors.pooled()
            }
        host = try SceneHost(
            id: "bench",
            manifest: try AppManifestSource.shop(),
            executors: executors
        )
        for number in 0..<(Self.clients + 4) { try host.connect(scene: "s\(number)") }
        let controls = DaemonControls(
            version: "0",
            manifestFile: nil,
            reload: {},
            connections: { 0 },
            metrics: { "" }
        )
        server = try VarlinkServer(
            services: try SocketAPI.services(RunningHost(host) { old, _ in old }, controls: controls),
            identity: VarlinkIdentity(vendor: "bench", product: "bench", version: "0", url: "https://scened.example"),
            options: VarlinkServer.Options(),
            group: group
        )
        self.group = group
        var connections: [BlockingClient] = []
        for _ in 0...Self.clients {
            let (client, served) = try RawConnection.pair()
            try await server.adopt(descriptor: served)
            connections.append(BlockingClient(descriptor: client))
        }
        flooder = connections.removeLast()
        self.connections = connections
    }

    /// Every client sends links to its window, one after the other.
    /// - Parameter crossing: Whether each window belongs to the other event loop.
    func run(crossing: Bool) async -> Latencies {
        let all = Guarded<[Double]>([])
        let start = ContinuousClock.now
        await withTaskGroup { group in
            for (number, client) in connections.enumerated() {
                let scene = "s\(number + (crossing ? 1 : 0))"
                group.addTask {
                    let latencies = await client.call(Self.callsPerRound) { call in
                        let link = ["product/p1", "orders", "category/tea", "product/p2"][call % 4]
                        return
                            #"{"method":"io.scened.Events.OpenURL","parameters":{"url":"qcommerce://\#(link)","scene":"\#(scene)"}}"#
                    }
                    all.withLock { $0 += latencies }
                }
            }
        }
        let together = (ContinuousClock.now - start) / .seconds(1)
        return Latencies(each: all.withLock { $0 }, together: together)
    }

    /// Holds an event in a window that no client uses.
    func holdOne() async throws -> String {
        let scene = "s\(Self.clients + 2)"
        let hold = try host.hold(.planned, scene: scene)
        _ = try host.admit(Submission(try .url("qcommerce://orders"), scene: scene))
        await withCheckedContinuation { continuation in
            _ = host.whenCaught(by: hold) { _ in continuation.resume() }
        }
        return hold
    }

    /// Sends events `oneway` to a separate window, as fast as the daemon takes them.
    func flood() -> Flood {
        Flood(
            flooder,
            message:
                #"{"method":"io.scened.Events.OpenURL","oneway":true,"parameters":{"url":"qcommerce://orders","scene":"s\#(Self.clients + 3)"}}"#
        )
    }

    func stop() async throws {
        await host.drain()
        await server.shutDown(within: .zero)
        try await group.shutdownGracefully()
    }
}

/// A client that floods until it is stopped.
final class Flood: Sendable {
    private let isOver = Guarded(false)
    private let thread: Task<Void, Never>

    init(_ client: BlockingClient, message: String) {
        let isOver = self.isOver
        thread = Task.detached {
            await client.send(message) { isOver.withLock { $0 } }
        }
    }

    func stop() async {
        isOver.withLock { $0 = true }
        await thread.value
    }
}

/// A client whose calls block a separate thread, like a test's client in any language.
final class BlockingClient: Sendable {
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "client")

    init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Makes a number of calls, one after the other.
    /// - Returns: How long each took, in nanoseconds.
    func call(_ count: Int, _ message: @escaping @Sendable (Int) -> String) async -> [Double] {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in
                var latencies: [Double] = []
                latencies.reserveCapacity(count)
                var buffer = [UInt8](repeating: 0, count: 65_536)
                for number in 0..<count {
                    let bytes = Array(message(number).utf8) + [0]
                    let start = ContinuousClock.now
                    guard write(descriptor, bytes, bytes.count) == bytes.count else { break }
                    var isAnswered = false
                    while !isAnswered {
                        let length = read(descriptor, &buffer, buffer.count)
                        guard length > 0 else { return continuation.resume(returning: latencies) }
                        isAnswered = buffer[length - 1] == 0
                    }
                    latencies.append((ContinuousClock.now - start) / .nanoseconds(1))
                }
                continuation.resume(returning: latencies)
            }
        }
    }

    /// Sends one message again and again, without reading anything.
    func send(_ message: String, until isOver: @escaping @Sendable () -> Bool) async {
        await withCheckedContinuation { continuation in
            queue.async { [descriptor] in
                let bytes = Array(message.utf8) + [0]
                while !isOver() {
                    var sent = 0
                    while sent < bytes.count {
                        let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                        guard count > 0 else { return continuation.resume() }
                        sent += count
                    }
                }
                continuation.resume()
            }
        }
    }
}
