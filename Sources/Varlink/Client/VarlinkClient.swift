internal import Glibc
public import NIOCore
internal import NIOPosix
public import StrictJSON
internal import Synchronization

/// One connection to a service.
///
/// Calls are sent in the order in which they are made and answered in that order; a call does not wait for the one before
/// it to be answered. Dropping the last reference closes the connection.
public final class VarlinkClient: Sendable {
    private let channel: any Channel
    private let connection: NIOLoopBound<VarlinkClientConnection>
    private let lastStream = Atomic(0)

    /// Connects to the service at `path`.
    /// - Parameters:
    ///   - limits: what a reply may be; replies are often longer than calls, so 16 MiB unless told.
    ///   - group: where the connection lives; one event loop of the process unless told.
    /// - Throws: ``VarlinkClientError/cannotConnect(path:errno:reason:)``.
    public static func connect(
        path: String,
        limits: VarlinkMessageLimits = VarlinkMessageLimits(bytes: 16 << 20),
        group: (any EventLoopGroup)? = nil
    ) async throws -> VarlinkClient {
        do {
            return try await connect(limits: limits, group: group) { $0.connect(unixDomainSocketPath: path) }
        } catch let error as IOError {
            let reason = String(cString: strerror(error.errnoCode))
            throw VarlinkClientError.cannotConnect(path: path, errno: error.errnoCode, reason: reason)
        } catch is SocketAddressError {
            throw VarlinkClientError.cannotConnect(path: path, errno: ENAMETOOLONG, reason: "the path is too long")
        }
    }

    /// Speaks over a connected Unix stream socket, which the client owns from now on.
    public static func connect(
        descriptor: CInt,
        limits: VarlinkMessageLimits = VarlinkMessageLimits(bytes: 16 << 20),
        group: (any EventLoopGroup)? = nil
    ) async throws -> VarlinkClient {
        try await connect(limits: limits, group: group) { $0.withConnectedSocket(descriptor) }
    }

    private static func connect(
        limits: VarlinkMessageLimits,
        group: (any EventLoopGroup)?,
        _ connect: (ClientBootstrap) -> EventLoopFuture<any Channel>
    ) async throws -> VarlinkClient {
        let bootstrap = ClientBootstrap(group: group ?? MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(VarlinkClientConnection(limits: limits))
                }
            }
        return try await connect(bootstrap).flatMapThrowing { channel in
            let connection = try channel.pipeline.syncOperations.handler(type: VarlinkClientConnection.self)
            return VarlinkClient(channel, NIOLoopBound(connection, eventLoop: channel.eventLoop))
        }.get()
    }

    private init(_ channel: any Channel, _ connection: NIOLoopBound<VarlinkClientConnection>) {
        self.channel = channel
        self.connection = connection
    }

    deinit {
        channel.close(promise: nil)
    }

    /// Calls a method and waits for its reply.
    ///
    /// Cancelling the task ends the waiting; the call is not undone, and the connection goes on.
    /// - Parameter method: the full name: interface, dot, method.
    /// - Throws: ``VarlinkError`` if the service answered with one, ``VarlinkClientError`` if it did not answer.
    public func call(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONObject {
        let promise = channel.eventLoop.makePromise(of: VarlinkReply.self)
        let message = ByteBuffer(bytes: VarlinkCall(method: method, parameters: parameters).encoded())
        onEventLoop { $0.call(message, promise) }
        let reply = try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            // The reply that comes later finds the promise kept, which is no harm.
            promise.fail(CancellationError())
        }
        if let name = reply.error { throw VarlinkError(name, reply.parameters) }
        return reply.parameters
    }

    /// Calls a method without waiting: what one thread sends so goes out in the order sent.
    ///
    /// - Parameter answer: Called once, on the connection's event loop, with the reply or the reason why there is none; it
    ///   must not block.
    package func send(
        _ method: String,
        _ parameters: JSONObject = [:],
        answer: @escaping @Sendable (Result<VarlinkReply, any Error>) -> Void
    ) {
        let promise = channel.eventLoop.makePromise(of: VarlinkReply.self)
        promise.futureResult.whenComplete(answer)
        let message = ByteBuffer(bytes: VarlinkCall(method: method, parameters: parameters).encoded())
        onEventLoop { $0.call(message, promise) }
    }

    /// Calls a method with `more`; its replies come as a sequence, the last one included.
    ///
    /// The call is sent at once. Calls made after it wait until the sequence has ended.
    public func callMore(_ method: String, _ parameters: JSONObject = [:]) -> VarlinkReplies {
        let message = ByteBuffer(bytes: VarlinkCall(method: method, parameters: parameters, more: true).encoded())
        let id = lastStream.add(1, ordering: .relaxed).newValue
        let sequence = VarlinkReplies.Producer.makeSequence(
            elementType: JSONPart?.self,
            failureType: (any Error).self,
            backPressureStrategy: .init(lowWatermark: 8, highWatermark: 32),
            finishOnDeinit: false,
            delegate: VarlinkStream(eventLoop: channel.eventLoop, connection: connection, id: id)
        )
        let source = sequence.source
        onEventLoop { $0.callMore(message, id: id, source) }
        return VarlinkReplies(producer: sequence.sequence, client: self)
    }

    /// Sends a call that nobody answers; returns once it is handed to the system.
    /// - Throws: ``VarlinkClientError/connectionClosed`` if it could not be handed over.
    public func oneway(_ method: String, _ parameters: JSONObject = [:]) async throws {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        let message = ByteBuffer(bytes: VarlinkCall(method: method, parameters: parameters, oneway: true).encoded())
        onEventLoop { $0.oneway(message, promise) }
        do {
            try await promise.futureResult.get()
        } catch let error as VarlinkClientError {
            throw error
        } catch {
            throw VarlinkClientError.connectionClosed
        }
    }

    /// The interface of this name as the service describes it.
    /// - Throws: what ``call(_:_:)`` throws, or a ``VarlinkSyntaxError`` if the description is no interface.
    public func interface(_ name: String) async throws -> VarlinkInterface {
        let reply = try await call("org.varlink.service.GetInterfaceDescription", ["interface": .string(name)])
        return try VarlinkInterface(parsing: reply["description"]?.stringValue ?? "")
    }

    /// Closes the connection; whatever still waits for a reply fails with ``VarlinkClientError/connectionClosed``.
    public func close() async {
        // An error here says that it is closed already.
        try? await channel.close().get()
    }

    /// Never called in place, even on the event loop: calls would overtake those that are on their way there.
    private func onEventLoop(_ body: @escaping @Sendable (VarlinkClientConnection) -> Void) {
        channel.eventLoop.execute { [connection] in body(connection.value) }
    }
}
