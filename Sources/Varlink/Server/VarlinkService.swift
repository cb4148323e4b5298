public import StrictJSON

/// Answers one call.
///
/// It is called on the connection's event loop, in the order the calls were read, and must not block. It may answer
/// at once or hand the responder to whoever answers later, on any thread. A responder that is dropped without an answer
/// closes the connection, so that no client waits for ever.
public typealias VarlinkHandler = @Sendable (VarlinkRequest, VarlinkResponder) -> Void

/// One interface and the code that answers its methods.
public struct VarlinkService: Sendable {
    struct Method: Sendable {
        let requiresMore: Bool
        let handler: VarlinkHandler
    }

    /// The interface as parsed.
    public let interface: VarlinkInterface
    /// The interface file as introspection serves it: as it was written.
    public let source: String
    private(set) var methods: [String: Method] = [:]

    /// A service for the interface in this text, with no method answered yet.
    /// - Throws: a ``VarlinkSyntaxError`` if the text is no interface.
    public init(interface source: String) throws(VarlinkSyntaxError) {
        interface = try VarlinkInterface(parsing: source)
        self.source = source
    }

    /// Answers `method` with `handler`. A method without a handler answers `MethodNotImplemented`.
    /// - Parameters:
    ///   - method: the name without the interface.
    ///   - requiresMore: a call without `more` answers `ExpectedMore`.
    /// - Throws: ``VarlinkServerError`` if the interface has no such method or it has a handler already.
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

    /// Calls `body` in front of every handler set so far, on the connection's event loop, for instance to keep a record
    /// of what is asked. It must not block, and must not answer.
    /// - Parameter exceptions: The methods, without the interface, whose handlers stay alone.
    public mutating func before(allBut exceptions: Set<String> = [], _ body: @escaping VarlinkHandler) {
        for (name, method) in methods where !exceptions.contains(name) {
            methods[name] = Method(requiresMore: method.requiresMore) { request, responder in
                body(request, responder)
                method.handler(request, responder)
            }
        }
    }

    /// Answers `method` with what `body` returns, in a task of its own that is cancelled when the connection closes.
    ///
    /// Tasks begin in no particular order: where the order of calls of several connections matters, use
    /// ``on(_:requiresMore:_:)``. A ``VarlinkError`` that `body` throws is answered; any other error closes the
    /// connection.
    /// - Throws: ``VarlinkServerError`` if the interface has no such method or it has a handler already.
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
            responder.onClose { task.cancel() }
        }
    }
}
