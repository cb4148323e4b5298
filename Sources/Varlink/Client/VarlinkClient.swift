internal import Glibc
public import NIOCore
internal import NIOPosix
public import StrictJSON
internal import Synchronization

/// One connection to a service.
///
/// Calls are sent, and answered, in the order in which they are made; a call can be sent before the one in front of it is
/// answered. Dropping the last reference closes the connection.
public final class VarlinkClient: Sendable {
    private let channel: any Channel
    private let connection: NIOLoopBound<VarlinkClientConnection>
    private let lastStream = Atomic(0)

    /// Connects to the service at `path`.
    /// - Parameters:
    ///   - path: the socket of the service.
    ///   - limits: how long and how deep a reply may be; by default 16 MiB, because replies are often longer than calls.
    ///   - group: the event loops to run the connection on; by default NIO's shared group.
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

    /// Makes a client of a connected Unix stream socket. The client closes the descriptor in the end.
    /// - Parameters:
    ///   - descriptor: the socket.
    ///   - limits: how long and how deep a reply may be; 16 MiB by default.
    ///   - group: the event loops to run the connection on; by default NIO's shared group.
    /// - Throws: an error of NIO's if the descriptor is no connected stream socket.
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
        _ connect: @escaping @Sendable (ClientBootstrap) -> EventLoopFuture<any Channel>
    ) async throws -> VarlinkClient {
        let eventLoop = (group ?? MultiThreadedEventLoopGroup.singleton).next()
        return try await eventLoop.flatSubmit {
            // It is not looked up later: the pipeline of a connection that the service has closed at once is empty.
            let connection = NIOLoopBound(VarlinkClientConnection(limits: limits), eventLoop: eventLoop)
            let bootstrap = ClientBootstrap(group: eventLoop).channelInitializer { channel in
                eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(connection.value) }
            }
            return connect(bootstrap).map { VarlinkClient($0, connection) }
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
    /// If the task is cancelled, this stops waiting; the service still handles the call, and the connection stays usable.
    /// - Parameters:
    ///   - method: the full name: interface, dot, method.
    ///   - parameters: what the method takes.
    /// - Throws: ``VarlinkError`` if the service answered with one, ``VarlinkClientError`` if it did not answer,
    ///   `CancellationError` if the task was cancelled.
    public func call(_ method: String, _ parameters: JSONObject = [:]) async throws -> JSONObject {
        let promise = send(method, parameters)
        let reply = try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            // A reply that comes later finds the promise already completed and is dropped.
            promise.fail(CancellationError())
        }
        if let name = reply.error { throw VarlinkError(name, reply.parameters) }
        return reply.parameters
    }

    /// Calls a method without waiting. Calls that one thread makes this way go out in the order made.
    ///
    /// - Parameter answer: called once, on the connection's event loop, with the reply or the reason why there is none. It
    ///   must not block.
    package func send(
        _ method: String,
        _ parameters: JSONObject = [:],
        answer: @escaping @Sendable (Result<VarlinkReply, any Error>) -> Void
    ) {
        send(method, parameters).futureResult.whenComplete(answer)
    }

    private func send(_ method: String, _ parameters: JSONObject) -> EventLoopPromise<VarlinkReply> {
        let promise = channel.eventLoop.makePromise(of: VarlinkReply.self)
        let message = ByteBuffer(bytes: VarlinkCall(method: method, parameters: parameters).encoded())
        onEventLoop { $0.call(message, promise) }
        return promise
    }

    /// Calls a method with `more` and returns its replies, including the last, as a sequence.
    ///
    /// The call is sent at once. Calls made after it are answered when the sequence has ended.
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

    /// Sends a call with `oneway`, which is not answered; returns once the system has taken it.
    /// - Throws: ``VarlinkClientError`` if the connection closed before that.
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

    /// Asks the service for its description of the interface `name`.
    /// - Throws: what ``call(_:_:)`` throws, or ``VarlinkSyntaxError`` if the description cannot be parsed.
    public func interface(_ name: String) async throws -> VarlinkInterface {
        let reply = try await call("org.varlink.service.GetInterfaceDescription", ["interface": .string(name)])
        return try VarlinkInterface(parsing: reply["description"]?.stringValue ?? "")
    }

    /// Whether the connection is open. What is sent on one that is not, the service has not got.
    package func isOpen() async -> Bool {
        let isOpen = try? await channel.eventLoop.submit { [connection] in connection.value.isOpen }.get()
        return isOpen ?? false
    }

    /// Closes the connection; calls that are not answered yet fail with ``VarlinkClientError/connectionClosed``.
    public func close() async {
        // An error means that it was closed already.
        try? await channel.eventLoop.submit { [channel] in
            // The service sees the end at once. Closing alone would not show it while a program that this process is just starting has
            // a copy of the descriptor.
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
                VarlinkSocket.shutDown($0)
            }
        }.get()
        try? await channel.close().get()
    }

    /// Never runs in place, even on the event loop: a call would overtake those still on their way there.
    private func onEventLoop(_ body: @escaping @Sendable (VarlinkClientConnection) -> Void) {
        channel.eventLoop.execute { [connection] in body(connection.value) }
    }
}

/// Why a client got no answer. An error that the service answered is a ``VarlinkError`` instead.
public enum VarlinkClientError: Error, Hashable, Sendable {
    /// The connection to `path` was refused or never made; `reason` is the system's text for `errno`.
    case cannotConnect(path: String, errno: Int32, reason: String)
    /// The connection closed before the answer was complete.
    case connectionClosed
    /// The service broke the protocol, and the connection was closed.
    case violation(VarlinkViolation)
}

extension VarlinkClientError: CustomStringConvertible {
    /// The reason as a phrase for a message.
    public var description: String {
        switch self {
        case .cannotConnect(let path, _, let reason): "cannot connect to \(path): \(reason)"
        case .connectionClosed: "the connection closed before the answer was complete"
        case .violation(let violation): "the service broke the protocol: \(violation)"
        }
    }
}
