public import StrictJSON

/// Whether a reply was accepted, and whether to wait before sending more.
public enum VarlinkDelivery: Hashable, Sendable {
    /// The reply will be sent.
    case queued
    /// The reply will be sent, but the client reads slowly: wait for ``VarlinkResponder/onWritable(_:)`` before sending more.
    case congested
    /// The reply was dropped: the connection is closed, the call was `oneway`, or it is answered already.
    case dropped
}

/// Answers one call, from any thread. Replies go out in the order in which they are handed over.
///
/// A call without `more` takes exactly one ``reply(_:)`` or ``fail(_:)``, a call with `more` any number of ``send(_:)``
/// before it. If the last reference is dropped without a final reply, the connection is closed.
public final class VarlinkResponder: Sendable {
    private let exchange: VarlinkExchange

    init(_ exchange: VarlinkExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.abandon()
    }

    /// Sends the last or only reply.
    @discardableResult
    public func reply(_ parameters: JSONObject = [:]) -> VarlinkDelivery {
        exchange.send(VarlinkReply(parameters: parameters))
    }

    /// Sends the last or only reply; `write` writes the object of its parameters, and is called before this returns or never.
    @discardableResult
    package func reply(writing write: (inout JSONText) -> Void) -> VarlinkDelivery {
        exchange.send(continues: false) { json in
            write(&json)
            return true
        } ?? .dropped
    }

    /// Sends the reply without holding it back (``VarlinkServer/Options/release``): what it tells may be known already.
    package func tellAtOnce() { exchange.tellAtOnce() }

    /// Sends an error as the last or only reply.
    @discardableResult
    public func fail(_ error: VarlinkError) -> VarlinkDelivery {
        exchange.send(VarlinkReply(parameters: error.parameters, error: error.name))
    }

    /// Sends a reply that is not the last. The call must have `more`, or the connection is closed because of a defect.
    @discardableResult
    public func send(_ parameters: JSONObject) -> VarlinkDelivery {
        exchange.send(VarlinkReply(parameters: parameters, continues: true))
    }

    /// Sends a reply as ``send(_:)`` does; `write` writes the object of its parameters, or returns `false` if there is nothing
    /// to send. It is called before this returns or never.
    /// - Returns: `nil` if nothing was sent.
    package func send(writing write: (inout JSONText) -> Bool) -> VarlinkDelivery? {
        exchange.send(continues: true, write)
    }

    /// Keeps the connection from starting its next call until this one is answered, even if this one is `oneway`; for calls
    /// that must take effect in the order sent. Works only within the handler, and changes nothing for calls that are not
    /// `oneway`.
    public func holdConnection() {
        exchange.requestHold()
    }

    /// Closes the connection without a final reply.
    public func abandon() {
        exchange.abandon()
    }

    /// Exempts the call from ``VarlinkServerLimits/stall``: the client may leave replies unread for any time. For a stream
    /// that sends nothing meanwhile (``onWritable(_:)``) and then says how much it left out.
    public func tolerateStalls() {
        exchange.tolerateStalls()
    }

    /// Whether the client has read enough for another reply. After `false` on the event loop, ``onWritable(_:)`` is called
    /// when that has changed.
    public var isWritable: Bool { exchange.isWritable }

    /// Whether the final reply is still to be given and there is a connection to send it on.
    public var isOpen: Bool { exchange.isOpen }

    /// Calls `body` once, on the event loop, if the connection closes before the final reply, or has done so already.
    public func onClose(_ body: @escaping @Sendable () -> Void) {
        exchange.onClose(body)
    }

    /// Calls `body` once, when the final reply is given, with the name of its error or `nil`; also for a `oneway` call, whose
    /// reply is not sent. It is called on the thread that replies and must not block.
    public func onAnswer(_ body: @escaping @Sendable (_ error: String?) -> Void) {
        exchange.onAnswer(body)
    }

    /// Calls `body`, on the event loop, each time the client has caught up after ``VarlinkDelivery/congested``.
    public func onWritable(_ body: @escaping @Sendable () -> Void) {
        exchange.onWritable(body)
    }

    /// Calls `body` once, on the event loop, when the server begins to shut down, so that a stream can send its last reply.
    /// A stream without such a callback is ended then.
    public func onDrain(_ body: @escaping @Sendable () -> Void) {
        exchange.onDrain(body)
    }

    /// Calls `body` once, on the event loop, when the server shuts down and stops waiting for this call, so that it can send a
    /// last reply that says so. The client gets it if it reads everything within `lastWord`
    /// (``VarlinkServer/shutDown(within:stall:lastWord:)``).
    public func onCutOff(_ body: @escaping @Sendable () -> Void) {
        exchange.onCutOff(body)
    }
}
