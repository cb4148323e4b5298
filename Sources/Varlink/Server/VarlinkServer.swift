public import NIOCore
internal import NIOPosix
internal import Locking

/// Serves interfaces on any number of Unix sockets.
///
/// ```swift
/// var ping = try VarlinkService(interface: source)
/// try ping.on("Ping") { request, responder in
///     responder.reply(["pong": request.parameters["ping"] ?? .null])
/// }
/// let server = try VarlinkServer(services: [ping], identity: identity)
/// try await server.listen(path: "/run/ping/org.example.ping")
/// ```
public final class VarlinkServer: Sendable {
    /// What a server does beside answering.
    public struct Options: Sendable {
        /// What clients may take.
        public var limits = VarlinkServerLimits()
        /// Holds every reply against the interface; an ill-typed one closes the connection and is reported as a
        /// defect. Costs a walk over each reply.
        public var checksReplies = false
        /// Whether the peer may call the method of this full name; called on the connection's event loop for every
        /// method that exists, those of `org.varlink.service` included. Everybody may everything unless set.
        public var authorize: @Sendable (VarlinkPeer, String) -> Bool = { _, _ in true }
        /// Called, on some event loop, for everything worth a line in a log. It must not block.
        public var report: @Sendable (VarlinkIncident) -> Void = { _ in }
        /// Called, on some event loop, when ``VarlinkServer/connectionCount`` has changed. It must not block.
        public var connectionsChanged: @Sendable () -> Void = {}

        /// The options as documented at each of them.
        public init() {}
    }

    private struct Listener {
        let channel: any Channel
        /// The path to unlink; `nil` if the socket was inherited.
        let path: VarlinkSocket.Path?
    }

    private struct State {
        var listeners: [Listener] = []
        var isShutDown = false
    }

    private let group: any EventLoopGroup
    private let environment: VarlinkServerConnection.Environment
    private let registry: VarlinkConnectionRegistry
    private let state = Guarded(State())

    /// A server that listens nowhere yet.
    /// - Parameter group: the event loops that connections are spread over; one per core of the process unless told.
    /// - Throws: ``VarlinkServerError`` if two services have the same interface.
    public init(
        services: [VarlinkService],
        identity: VarlinkIdentity,
        options: Options = Options(),
        group: (any EventLoopGroup)? = nil
    ) throws(VarlinkServerError) {
        self.group = group ?? MultiThreadedEventLoopGroup.singleton
        environment = VarlinkServerConnection.Environment(
            dispatcher: try VarlinkDispatcher(
                services: services,
                identity: identity,
                authorize: options.authorize
            ),
            limits: options.limits,
            checksReplies: options.checksReplies,
            report: options.report,
            input: VarlinkMemoryPool(total: options.limits.inputMemory, perUser: options.limits.inputMemoryPerUser),
            output: VarlinkMemoryPool(total: options.limits.outputMemory, perUser: options.limits.outputMemoryPerUser),
            pauses: LoopPauses(self.group)
        )
        let wanted = max(1, options.limits.connections)
        let total = min(wanted, max(1, VarlinkSocket.descriptorLimit / 4 * 3))
        let perUser = min(options.limits.connectionsPerUser, wanted)
        connectionLimit = total
        registry = VarlinkConnectionRegistry(
            total: total,
            // So that one user cannot have them all only because there are few.
            perUser: total < wanted ? max(1, perUser * total / wanted) : perUser,
            onChange: options.connectionsChanged
        )
    }

    /// How many clients there may be: as the limits say, or fewer where the process may open few descriptors.
    public let connectionLimit: Int

    /// How many clients are connected.
    public var connectionCount: Int { registry.count }

    /// Listens on `path` with mode 0660. A socket there that nobody listens on is replaced; the path is unlinked by
    /// ``shutDown(within:)`` if it still is this server's.
    /// - Throws: ``VarlinkServerError`` if somebody listens there, something else is there, or the system refuses.
    public func listen(path: String) async throws {
        try checkNotShutDown()
        let (descriptor, bound) = try VarlinkSocket.listen(path: path)
        do {
            try await listen(descriptor: descriptor, path: bound)
        } catch {
            VarlinkSocket.remove(bound)
            throw error
        }
    }

    /// Takes over a socket that was inherited, listening or already connected; it is closed in the end, but never
    /// unlinked or shut down, so that whoever else holds it can go on.
    /// - Throws: ``VarlinkServerError`` if the descriptor is no Unix stream socket.
    public func adopt(descriptor: CInt) async throws {
        try checkNotShutDown()
        let isListening = try VarlinkSocket.isListening(descriptor)
        VarlinkSocket.closeOnExecution(descriptor)
        if isListening {
            try await listen(descriptor: descriptor, path: nil)
        } else {
            _ = try await ClientBootstrap(group: group)
                .channelOption(.allowRemoteHalfClosure, value: true)
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelInitializer { [self] in take($0) }
                .withConnectedSocket(descriptor)
                .get()
        }
    }

    /// Stops listening, lets every call that has begun be answered, flushes and closes.
    ///
    /// Streams that do not ask to be told (``VarlinkResponder/onDrain(_:)``) are ended at once.
    /// - Parameters:
    ///   - deadline: after this time, connections that are left are cut off.
    ///   - stall: a client that has read nothing of what waits for it for so long is cut off earlier.
    ///   - lastWord: who is cut off has so long to read the rest and what the service says to that
    ///     (``VarlinkResponder/onCutOff(_:)``); then the connection closes.
    public func shutDown(
        within deadline: TimeAmount = .seconds(5),
        stall: TimeAmount = .seconds(2),
        lastWord: TimeAmount = .milliseconds(500)
    ) async {
        await stopListening()
        registry.drain(.init(stall: stall, lastWord: lastWord))
        let cutOff = group.next().scheduleTask(in: deadline) { [registry] in registry.cutOffAll() }
        await registry.waitUntilEmpty()
        cutOff.cancel()
        environment.pauses.close()
    }

    /// Takes no new client and serves those there are. Who connects to an inherited socket from here on waits for whoever
    /// listens there next.
    public func stopListening() async {
        let listeners = state.withLock { state in
            state.isShutDown = true
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners {
            // An error here says that it is closed already.
            try? await listener.channel.close().get()
            if let path = listener.path { VarlinkSocket.remove(path) }
        }
    }

    private func checkNotShutDown() throws(VarlinkServerError) {
        guard !state.withLock({ $0.isShutDown }) else { throw .shutDown }
    }

    private func listen(descriptor: CInt, path: VarlinkSocket.Path?) async throws {
        let channel = try await ServerBootstrap(group: group)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    // Out of descriptors: wait a second instead of trying in a loop.
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // One read, then the next connection's turn.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelInitializer { [self] in take($0) }
            .withBoundSocket(descriptor)
            .get()
        let isTooLate = state.withLock { state in
            if !state.isShutDown { state.listeners.append(Listener(channel: channel, path: path)) }
            return state.isShutDown
        }
        if isTooLate {
            try await channel.close()
            throw VarlinkServerError.shutDown
        }
    }

    /// Makes a channel a connection, or fails, which closes it.
    private func take(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let transport = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
                VarlinkSocket.closeOnExecution(socket)
                return try VarlinkPeer(socket: socket)
            }
            guard let peer = transport else { throw ChannelError.operationUnsupported }
            return peer
        }
        .flatMap { [self] peer in
            let admission = registry.admit(user: peer.userID)
            guard case .refused = admission, registry.beginLooking() else {
                return channel.eventLoop.makeSucceededFuture((admission, peer))
            }
            // Somebody may have left who is still counted because their event loop has not looked yet.
            return environment.pauses.allHaveLooked(tell: channel.eventLoop).map { [self] in
                defer { registry.endLooking() }
                return (registry.admit(user: peer.userID), peer)
            }
        }
        .flatMapThrowing { [self] admission, peer in try take(channel, from: peer, admission) }
    }

    private func take(
        _ channel: any Channel,
        from peer: VarlinkPeer,
        _ admission: VarlinkConnectionRegistry.Admission
    ) throws {
        switch admission {
        case .draining: throw VarlinkServerError.shutDown
        case .refused(let reason):
            environment.report(VarlinkIncident(kind: reason, connection: nil, peer: peer))
            throw ChannelError.operationUnsupported
        case .admitted(let id):
            let connection = VarlinkServerConnection(id: id, peer: peer, environment: environment) {
                [registry] in registry.remove(id)
            }
            do {
                try channel.pipeline.syncOperations.addHandler(connection)
            } catch {
                registry.remove(id)
                throw error
            }
            registry.add(
                .init(
                    eventLoop: channel.eventLoop,
                    connection: NIOLoopBound(connection, eventLoop: channel.eventLoop)
                ),
                id: id
            )
        }
    }
}
