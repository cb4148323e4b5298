internal import NIOCore
internal import StrictJSON
internal import Basics
internal import Varlink

/// Sends the messages of a stream as fast as the client reads them, and no faster.
///
/// ``signal()`` tells the pump that there may be something to send; signals that come while it waits merge into one.
/// `produce` runs on the connection's event loop only. It writes the next message and returns whether there was one.
final class StreamPump: Sendable {
    private let eventLoop: any EventLoop
    private let responder: VarlinkResponder
    private let produce: @Sendable (inout JSONText) -> Bool
    private let isScheduled = Guarded(false)
    private let last = Guarded<(@Sendable () -> JSONObject)?>(nil)

    init(
        eventLoop: any EventLoop,
        responder: VarlinkResponder,
        writing produce: @escaping @Sendable (inout JSONText) -> Bool
    ) {
        self.eventLoop = eventLoop
        self.responder = responder
        self.produce = produce
        responder.onWritable { [weak self] in self?.signal() }
    }

    /// A pump of messages that are values.
    /// - Parameter produce: Returns the next message, or `nil` if there is none now.
    convenience init(
        eventLoop: any EventLoop,
        responder: VarlinkResponder,
        produce: @escaping @Sendable () -> JSONObject?
    ) {
        self.init(eventLoop: eventLoop, responder: responder) { json in
            guard let message = produce() else { return false }
            json.value(.object(message))
            return true
        }
    }

    /// Tells the pump that there may be something to send. It may be called on any thread, under any lock, and returns at
    /// once.
    func signal() {
        let isFirst = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard isFirst else { return }
        eventLoop.execute { self.run() }
    }

    /// Ends the stream with `last`, once there is nothing else to send.
    func finish(_ last: @escaping @Sendable () -> JSONObject) {
        self.last.withLock { $0 = last }
        signal()
    }

    private func run() {
        isScheduled.withLock { $0 = false }
        while responder.isWritable {
            guard let delivery = responder.send(writing: produce) else {
                let last = self.last.withLock { last in
                    defer { last = nil }
                    return last
                }
                if let last { responder.reply(last()) }
                return
            }
            if delivery != .queued { return }
        }
    }
}
