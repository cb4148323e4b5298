public import NIOCore
public import StrictJSON

/// Answers one call.
///
/// It is called on the connection's event loop, in the order in which the calls were read, and must not block. It may answer
/// at once, or pass the responder on and have any thread answer later. A responder that is dropped without an answer closes
/// the connection, so that no client waits for ever.
public typealias VarlinkHandler = @Sendable (VarlinkRequest, VarlinkResponder) -> Void

/// One interface and the code that answers its methods.
public struct VarlinkService: Sendable {
    struct Method: Sendable {
        let requiresMore: Bool
        let handler: VarlinkHandler
    }

    /// The parsed interface.
    public let interface: VarlinkInterface
    /// The text of the interface file, which clients get unchanged from `GetInterfaceDescription`.
    public let source: String
    /// What is required of the texts in the parameters of its calls. A text that breaks the rule is answered with
    /// `InvalidParameter`, before any handler sees it, as is one with more than 30 combining marks in a row.
    public var texts: VarlinkTextRule = { _, _, _ in nil }
    private(set) var methods: [String: Method] = [:]

    /// A service for the interface in the text `source`, without handlers yet.
    /// - Throws: ``VarlinkSyntaxError`` if the text cannot be parsed.
    public init(interface source: String) throws(VarlinkSyntaxError) {
        interface = try VarlinkInterface(parsing: source)
        self.source = source
    }

    /// Answers calls of `method` with `handler`. A method without a handler answers `MethodNotImplemented`.
    /// - Parameters:
    ///   - method: the name without the interface.
    ///   - requiresMore: whether a call without `more` answers `ExpectedMore`.
    ///   - handler: answers a call, on the event loop of its connection.
    /// - Throws: ``VarlinkServerError`` if the interface has no such method, or the method has a handler already.
    public mutating func on(
        _ method: String,
        requiresMore: Bool = false,
        _ handler: @escaping VarlinkHandler
    ) throws(VarlinkServerError) {
        guard interface.method(method) != nil else {
            throw .noSuchMethod(interface: interface.name, method: method)
        }
        guard methods[method] == nil else { throw .handlerTwice(interface: interface.name, method: method) }
        methods[method] = Method(requiresMore: requiresMore, handler: handler)
    }

    /// Calls `body` before each handler set so far, for instance to record the calls. It is called on the connection's event
    /// loop and must neither block nor answer.
    /// - Parameters:
    ///   - exceptions: the methods, without the interface, that it is not called for.
    ///   - body: gets the call.
    public mutating func before(allBut exceptions: Set<String> = [], _ body: @escaping VarlinkHandler) {
        for (name, method) in methods where !exceptions.contains(name) {
            methods[name] = Method(requiresMore: method.requiresMore) { request, responder in
                body(request, responder)
                method.handler(request, responder)
            }
        }
    }

    /// Answers calls of `method` with what `body` returns. Each call runs in a new task, which is cancelled if the connection
    /// closes.
    ///
    /// Tasks start in no particular order: if the order of several connections' calls matters, use
    /// ``on(_:requiresMore:_:)``. A ``VarlinkError`` that `body` throws is the answer; any other error closes the connection.
    /// - Throws: ``VarlinkServerError`` if the interface has no such method, or the method has a handler already.
    public mutating func onAsync(
        _ method: String,
        _ body: @escaping @Sendable (VarlinkRequest) async throws -> JSONObject
    ) throws(VarlinkServerError) {
        try on(method) { request, responder in
            let task = Task {
                do {
                    responder.reply(try await body(request))
                } catch let error as VarlinkError {
                    responder.fail(error)
                } catch {
                    responder.abandon()
                }
            }
            // A `oneway` caller may disconnect at once.
            if !request.call.oneway { responder.onClose { task.cancel() } }
        }
    }
}

/// A call that has passed all checks: the method exists, the peer may call it, the parameters fit the interface.
public struct VarlinkRequest: Sendable {
    /// The call as the client sent it.
    public let call: VarlinkCall
    /// Counts the calls of the connection, from 1, including those that were answered with an error.
    public let number: Int
    /// The connection it came from.
    public let connection: VarlinkConnection

    /// The arguments. One whose type is nullable may be absent or `null`.
    public var parameters: JSONObject { call.parameters }
}

/// A connection as handlers see it.
public struct VarlinkConnection: Sendable {
    /// Counts the connections of the server, from 1; never used twice.
    public let id: Int
    /// Who is at the other end.
    public let peer: VarlinkPeer
    /// The event loop on which the handlers are called for this connection.
    public let eventLoop: any EventLoop
    /// Succeeds when the connection has closed; for cleaning up what belongs to the connection rather than to one call.
    public let closed: EventLoopFuture<Void>
}
