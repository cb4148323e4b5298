public import NIOCore
internal import NIOPosix
internal import Basics

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
    /// Calls back, once and on any thread, when a reply to the method with this full name may be sent: with `nil`, or with the error that
    /// takes its place and ends the call. The calls come in the order in which they were asked for.
    package typealias Release =
        @Sendable (
            _ method: String, _ then: @escaping @Sendable (_ refusal: VarlinkError?) -> Void
        ) -> Void

    /// Limits, checks and callbacks of a server.
    public struct Options: Sendable {
        /// What clients may take up.
        public var limits = VarlinkServerLimits()
        /// Whether each reply is checked against the interface. One that does not fit closes the connection and is reported
        /// as ``VarlinkIncident/Kind/defect(method:reason:)``. Costs a walk over each reply.
        public var checksReplies = false
        /// Why the peer may not call the method with this full name: the error it is answered, usually
        /// ``VarlinkError/permissionDenied``; `nil` if it may. It is called on the connection's event loop for each call of a
        /// method that exists, including those of `org.varlink.service`. By default everything is allowed.
        public var authorize: @Sendable (VarlinkPeer, String) -> VarlinkError? = { _, _ in nil }
        /// Why the method with this full name cannot be called at present, by anybody: the error that is answered; `nil` if it can. Called
        /// on the connection's event loop for each call that ``authorize`` allows.
        package var refuse: @Sendable (_ method: String) -> VarlinkError? = { _ in nil }
        /// Called on an event loop for each incident. It must not block.
        public var report: @Sendable (VarlinkIncident) -> Void = { _ in }
        /// Called on an event loop when it has spent more processor time on a message of a method than ever before, and at
        /// least a millisecond; with the method's full name, or `nil` for what was no call of a known method. It must not block.
        public var longestStretch: @Sendable (String?, TimeAmount) -> Void = { _, _ in }
        /// Called on an event loop when ``VarlinkServer/connectionCount`` has changed. It must not block.
        public var connectionsChanged: @Sendable () -> Void = {}
        /// Holds each reply of a handler back until it may be sent; by default all are sent at once.
        package var release: Release?
        /// The error that a call of the method with this full name is answered when the server shuts down and stops waiting for it, and
        /// that those are answered which the client has sent behind it; `nil` for none. By default there is none.
        package var cutOffError: @Sendable (_ method: String) -> VarlinkError? = { _ in nil }
        /// The event loop that accepts connections; by default one of NIO's shared group.
        package var acceptor: (any EventLoop)?
        /// The pauses of the server's event loops, if others use these loops too. The server closes them in the end.
        package var pauses: LoopPauses?

        /// All options at their defaults.
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

    /// Those for clients.
    private let loops: [any EventLoop]
    /// Accepts connections and hands them to their users' loops.
    private let acceptor: any EventLoop
    private let environment: VarlinkServerConnection.Environment
    private let registry: VarlinkConnectionRegistry
    private let pauses: LoopPauses
    private let state = Guarded(State())

    /// A server that listens nowhere yet.
    /// - Parameters:
    ///   - services: the interfaces that it serves.
    ///   - identity: what `org.varlink.service.GetInfo` answers.
    ///   - options: limits, checks and callbacks.
    ///   - group: the event loops for clients; by default NIO's shared group, one loop per core. Connections of a user are
    ///     spread over at most as many of them as there are cores. Users share a loop only when none is free.
    /// - Throws: ``VarlinkServerError/interfaceTwice(_:)``.
    public init(
        services: [VarlinkService],
        identity: VarlinkIdentity,
        options: Options = Options(),
        group: (any EventLoopGroup)? = nil
    ) throws(VarlinkServerError) {
        acceptor = options.acceptor ?? MultiThreadedEventLoopGroup.singleton.next()
        loops = Array((group ?? MultiThreadedEventLoopGroup.singleton).makeIterator())
        let limits = options.limits.fitting(descriptors: DescriptorLimit.inForce)
        let dispatcher = try VarlinkDispatcher(
            services: services,
            identity: identity,
            authorize: options.authorize,
            refuse: options.refuse,
            longestStretch: options.longestStretch
        )
        // They open pipes, so nothing may throw after this.
        pauses = options.pauses ?? LoopPauses(loops + [acceptor])
        environment = VarlinkServerConnection.Environment(
            dispatcher: dispatcher,
            limits: limits,
            checksReplies: options.checksReplies,
            report: options.report,
            input: VarlinkMemoryPool(total: limits.inputMemory, perUser: limits.inputMemoryPerUser),
            output: VarlinkMemoryPool(total: limits.outputMemory, perUser: limits.outputMemoryPerUser),
            loops: FairLoops(pauses),
            release: options.release,
            cutOffError: options.cutOffError
        )
        registry = VarlinkConnectionRegistry(
            total: limits.connections,
            perUser: limits.connectionsPerUser,
            loops: LoopShares(loops: loops.count, most: System.coreCount),
            onChange: options.connectionsChanged
        )
    }

    /// How many clients are connected.
    public var connectionCount: Int { registry.count }

    /// Listens at `path`, with mode 0660. A socket there that nobody listens at is replaced. ``stopListening(onlyInherited:)`` unlinks the
    /// path if it still is this server's.
    /// - Throws: ``VarlinkServerError`` if another process listens there, the path is not a socket, or a system call fails.
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

    /// Takes over an inherited socket, which listens or is connected. It is closed in the end, but not unlinked. One that listens
    /// is not shut down either, because other processes may hold it too.
    /// - Throws: ``VarlinkServerError`` if the descriptor is not a Unix stream socket.
    public func adopt(descriptor: CInt) async throws {
        try checkNotShutDown()
        let isListening = try VarlinkSocket.isListening(descriptor)
        VarlinkSocket.closeOnExecution(descriptor)
        if isListening {
            try await listen(descriptor: descriptor, path: nil)
        } else {
            try await acceptor.flatSubmit { [self] in take(descriptor) }.get()
        }
    }

    /// Stops listening, lets each call that has arrived be answered, flushes and closes.
    ///
    /// A client that sends another call sees that it cannot (`EPIPE`): every call that it could send before is answered.
    /// Streams without a callback for this (``VarlinkResponder/onDrain(_:)``) are ended at once.
    /// - Parameters:
    ///   - deadline: after this time all connections that are left are cut off.
    ///   - stall: a client that reads none of its waiting replies for this time is cut off earlier.
    ///   - lastWord: a client that is cut off has this time to read the rest, including what the service sends then
    ///     (``VarlinkResponder/onCutOff(_:)``). Then its connection closes.
    public func shutDown(
        within deadline: TimeAmount = .seconds(5),
        stall: TimeAmount = .seconds(2),
        lastWord: TimeAmount = .milliseconds(500)
    ) async {
        await stopListening()
        // What was accepted until then has become a connection.
        try? await pauses.haveLooked(loops + [acceptor], tell: acceptor).get()
        registry.drain(.init(stall: stall, lastWord: lastWord))
        let cutOff = acceptor.scheduleTask(in: deadline) { [registry] in registry.cutOffAll() }
        await registry.waitUntilEmpty()
        cutOff.cancel()
        pauses.close()
    }

    /// Accepts no further clients, and goes on serving those that are connected. A client that connects to an inherited socket
    /// from now on waits for the next process that listens there. One that has connected to another socket is still accepted.
    /// - Parameter onlyInherited: whether it goes on listening at the sockets that it has bound.
    public func stopListening(onlyInherited: Bool = false) async {
        let listeners = state.withLock { state in
            if !onlyInherited { state.isShutDown = true }
            let leaves = { (listener: Listener) in !onlyInherited || listener.path == nil }
            defer { state.listeners.removeAll(where: leaves) }
            return state.listeners.filter(leaves)
        }
        for listener in listeners {
            if let path = listener.path {
                VarlinkSocket.remove(path)
                await acceptWaiting(at: listener.channel)
            }
            // An error means that it was closed already.
            try? await listener.channel.close().get()
        }
    }

    /// Accepts the clients that wait at a socket whose path is gone, so that none is added.
    private func acceptWaiting(at listener: any Channel) async {
        // A loop accepts at least one client each time it looks at its sockets, unless there is no descriptor for it.
        for _ in 0..<VarlinkSocket.backlog {
            let hasWaiting = try? await listener.eventLoop.submit { VarlinkSocket.hasWaiting(listener) }.get()
            guard hasWaiting == true else { return }
            try? await pauses.haveLooked([listener.eventLoop], tell: listener.eventLoop).get()
        }
    }

    private func checkNotShutDown() throws(VarlinkServerError) {
        guard !state.withLock({ $0.isShutDown }) else { throw .shutDown }
    }

    private func listen(descriptor: CInt, path: VarlinkSocket.Path?) async throws {
        let channel = try await ServerBootstrap(group: acceptor)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    // Without free descriptors it waits a second instead of trying in a loop.
                    try pipeline.addHandler(AcceptBackoffHandler())
                    try pipeline.addHandler(Handover { [self] in _ = take($0) })
                }
            }
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

    /// Makes a connection of a connected socket, which is closed in the end. Called on the acceptor's loop.
    private func take(_ descriptor: CInt) -> EventLoopFuture<Void> {
        let peer: VarlinkPeer
        do {
            VarlinkSocket.closeOnExecution(descriptor)
            peer = try VarlinkPeer(socket: descriptor)
        } catch {
            VarlinkSocket.close(descriptor)
            return acceptor.makeFailedFuture(error)
        }
        let admission = registry.admit(user: peer.userID)
        guard case .refused(let reason) = admission, let looking = registry.beginLooking(reason, user: peer.userID)
        else {
            return connect(descriptor, peer, admission)
        }
        // A connection that has closed still counts until its event loop has noticed.
        return pauses.haveLooked(looking.map { loops[$0] }, tell: acceptor).flatMap { [self] in
            defer { registry.endLooking() }
            return connect(descriptor, peer, registry.admit(user: peer.userID))
        }
    }

    private func connect(
        _ descriptor: CInt,
        _ peer: VarlinkPeer,
        _ admission: VarlinkConnectionRegistry.Admission
    ) -> EventLoopFuture<Void> {
        switch admission {
        case .draining:
            VarlinkSocket.close(descriptor)
            return acceptor.makeFailedFuture(VarlinkServerError.shutDown)
        case .refused(let reason):
            // Who sees that it was refused finds out why in the journal.
            environment.report(VarlinkIncident(kind: reason, connection: nil, peer: peer))
            VarlinkSocket.close(descriptor)
            return acceptor.makeSucceededVoidFuture()
        case .admitted(let id, let loop):
            let connected = ClientBootstrap(group: loops[loop])
                .channelOption(.allowRemoteHalfClosure, value: true)
                // One read, then it is the next connection's turn.
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelInitializer { [self] channel in
                    channel.eventLoop.makeCompletedFuture { try addConnection(id, peer, to: channel) }
                }
                .withConnectedSocket(descriptor)
            connected.whenFailure { [registry] _ in registry.remove(id) }
            return connected.map { _ in }.hop(to: acceptor)
        }
    }

    private func addConnection(_ id: Int, _ peer: VarlinkPeer, to channel: any Channel) throws {
        let connection = VarlinkServerConnection(
            id: id,
            peer: peer,
            environment: environment,
            onLeft: { [registry] in registry.leave(id) },
            onClosed: { [registry] in registry.remove(id) }
        )
        try channel.pipeline.syncOperations.addHandler(connection)
        registry.add(
            .init(
                eventLoop: channel.eventLoop,
                connection: NIOLoopBound(connection, eventLoop: channel.eventLoop)
            ),
            id: id
        )
    }

    /// Takes each accepted socket from the channel that NIO has made for it, because a channel stays on its event loop, and only
    /// the socket tells whose it is.
    private final class Handover: ChannelInboundHandler {
        typealias InboundIn = any Channel

        private let take: (CInt) -> Void

        init(_ take: @escaping (CInt) -> Void) {
            self.take = take
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let channel = Self.unwrapInboundIn(data)
            let socket = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self,
                VarlinkSocket.duplicate
            )
            channel.close(promise: nil)
            if let socket = socket.flatMap({ $0 }).flatMap({ $0 }) { take(socket) }
        }
    }
}
