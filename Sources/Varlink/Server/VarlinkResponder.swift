public import StrictJSON

/// What became of a reply that a service handed over.
public enum VarlinkDelivery: Hashable, Sendable {
    /// It is on its way.
    case queued
    /// It is on its way, but the client reads slowly: wait for ``VarlinkResponder/onWritable(_:)`` before sending more.
    case congested
    /// Nobody will read it: the connection is closed, the call was `oneway`, or it is answered already.
    case dropped
}

/// Answers one call, from any thread. Of several threads that send, the order of their calls counts.
///
/// A call without `more` takes exactly one ``reply(_:)`` or ``fail(_:)``; a call with `more` takes any number of
/// ``send(_:)`` before it. If the last reference goes without a final answer, the connection is closed.
public final class VarlinkResponder: Sendable {
    private let exchange: VarlinkExchange

    init(_ exchange: VarlinkExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.abandon()
    }

    /// Sends the last, or the only, reply.
    @discardableResult
    public func reply(_ parameters: JSONObject = [:]) -> VarlinkDelivery {
        exchange.send(VarlinkReply(parameters: parameters))
    }

    /// Sends the last, or the only, reply; `write` writes the object that its parameters are, at once or never.
    @discardableResult
    package func reply(writing write: (inout JSONText) -> Void) -> VarlinkDelivery {
        exchange.send(continues: false) { json in
            write(&json)
            return true
        } ?? .dropped
    }

    /// Answers with an error, which is the last reply.
    @discardableResult
    public func fail(_ error: VarlinkError) -> VarlinkDelivery {
        exchange.send(VarlinkReply(parameters: error.parameters, error: error.name))
    }

    /// Sends a reply that others follow. Only for a call with `more`; for another it is a defect that closes the
    /// connection.
    @discardableResult
    public func send(_ parameters: JSONObject) -> VarlinkDelivery {
        exchange.send(VarlinkReply(parameters: parameters, continues: true))
    }

    /// Sends a reply that others follow, as ``send(_:)`` does; `write` writes the object that its parameters are, at once or
    /// never, and answers whether there is one.
    /// - Returns: `nil` where there is none, and nothing was sent.
    package func send(writing write: (inout JSONText) -> Bool) -> VarlinkDelivery? {
        exchange.send(continues: true, write)
    }

    /// Lets the connection start no further call until this one is answered, also where the call is `oneway` and nobody
    /// hears the answer: for what has to happen in the order sent. Only within the handler; it does nothing afterwards, nor
    /// where a reply is awaited anyway.
    public func holdConnection() {
        exchange.requestHold()
    }

    /// Closes the connection without a final answer.
    public func abandon() {
        exchange.abandon()
    }

    /// Lets the client leave replies unread for as long as it likes, instead of ``VarlinkServerLimits/stall``: for a stream
    /// that waits while the client does (``onWritable(_:)``) and then says how much it left out.
    public func toleratesStalls() {
        exchange.toleratesStalls()
    }

    /// Whether a reply sent now would not have to wait long for the client. Who asks on the event loop and hears `false`
    /// is told by ``onWritable(_:)``.
    public var isWritable: Bool { exchange.isWritable }

    /// Calls `body` once, on the event loop, if the connection closes before the final answer, or at once if it has.
    public func onClose(_ body: @escaping @Sendable () -> Void) {
        exchange.onClose(body)
    }

    /// Calls `body` once with the name of the error, or `nil`, when the final answer is given, on whatever thread gives it;
    /// a `oneway` call has one too, though nobody hears it. It must not block.
    public func onAnswer(_ body: @escaping @Sendable (_ error: String?) -> Void) {
        exchange.onAnswer(body)
    }

    /// Calls `body` on the event loop each time the client has caught up after ``VarlinkDelivery/congested``.
    public func onWritable(_ body: @escaping @Sendable () -> Void) {
        exchange.onWritable(body)
    }

    /// Calls `body` once, on the event loop, when the server begins to shut down, so that a stream can send its last
    /// reply. A stream that does not ask is cut off then.
    public func onDrain(_ body: @escaping @Sendable () -> Void) {
        exchange.onDrain(body)
    }

    /// Calls `body` once, on the event loop, when the server shuts down and waits no longer for this answer to be complete,
    /// so that the client can be told with the last reply, which it sees if it reads all there is in the time left.
    public func onCutOff(_ body: @escaping @Sendable () -> Void) {
        exchange.onCutOff(body)
    }
}
