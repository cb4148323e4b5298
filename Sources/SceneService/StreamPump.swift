internal import NIOCore
internal import StrictJSON
internal import Locking
internal import Varlink

/// Sends a stream's messages as fast as the client reads them, and no faster.
///
/// ``signal()`` says that there may be something; signals that come while the pump waits merge into one. `produce` runs
/// on the connection's event loop only and answers the next message, or `nil` when there is nothing now.
final class StreamPump: Sendable {
    private let eventLoop: any EventLoop
    private let responder: VarlinkResponder
    private let produce: @Sendable () -> JSONObject?
    private let isScheduled = Guarded(false)
    private let last = Guarded<(@Sendable () -> JSONObject)?>(nil)

    init(eventLoop: any EventLoop, responder: VarlinkResponder, produce: @escaping @Sendable () -> JSONObject?) {
        self.eventLoop = eventLoop
        self.responder = responder
        self.produce = produce
        responder.onWritable { [weak self] in self?.signal() }
    }

    /// There may be something to send. Returns at once, on any thread, under any lock.
    func signal() {
        let isFirst = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard isFirst else { return }
        eventLoop.execute { self.run() }
    }

    /// Ends the stream with this message, once there is nothing else left to send.
    func finish(_ last: @escaping @Sendable () -> JSONObject) {
        self.last.withLock { $0 = last }
        signal()
    }

    private func run() {
        isScheduled.withLock { $0 = false }
        while responder.isWritable {
            guard let message = produce() else {
                let last = self.last.withLock { last in
                    defer { last = nil }
                    return last
                }
                if let last { responder.reply(last()) }
                return
            }
            if responder.send(message) != .queued { return }
        }
    }
}
