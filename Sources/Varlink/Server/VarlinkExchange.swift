internal import NIOCore
internal import Locking
internal import StrictJSON

/// One call on its way: what threads put in at one end, the connection takes out on its event loop at the other.
final class VarlinkExchange: Sendable {
    /// How many bytes may wait for the event loop before senders are told to wait.
    private static let congestion = 64 << 10

    private enum Phase {
        /// Answers are taken.
        case open
        /// The final answer is in the outbox or beyond.
        case answered
        /// Nobody is there to answer any more.
        case closed
    }

    private enum Hold {
        case none
        /// Its handler asked for it.
        case requested
        /// The connection waits.
        case held
    }

    private struct State {
        var phase = Phase.open
        var outbox: [ByteBuffer] = []
        var outboxBytes = 0
        /// The client may leave replies unread for as long as it likes.
        var isPatient = false
        /// The event loop has been asked to collect and has not come yet.
        var isCollectionDue = false
        /// A sender was told to wait and must hear when it need not any more.
        var owesWritable = false
        var onClose: [@Sendable () -> Void] = []
        var onWritable: [@Sendable () -> Void] = []
        var onDrain: [@Sendable () -> Void] = []
        var onCutOff: [@Sendable () -> Void] = []
        var onAnswer: [@Sendable (String?) -> Void] = []
        var isDraining = false
        /// How a `oneway` call keeps its connection from starting the next one.
        var hold = Hold.none

        /// What the callbacks hold may hold the responder, which holds this: without this nobody would be freed.
        mutating func end(_ phase: Phase) {
            self.phase = phase
            onClose = []
            onWritable = []
            onDrain = []
            onCutOff = []
            onAnswer = []
        }
    }

    let call: VarlinkCall
    private let outputLimit: Int
    private let channel: any Channel
    /// Set to what finds fault with a reply if replies are checked.
    private let check: (@Sendable (VarlinkReply) -> String?)?
    private let connection: NIOLoopBound<VarlinkServerConnection>
    private let state = Guarded(State())

    init(
        call: VarlinkCall,
        outputLimit: Int,
        channel: any Channel,
        connection: NIOLoopBound<VarlinkServerConnection>,
        check: (@Sendable (VarlinkReply) -> String?)?
    ) {
        self.call = call
        self.outputLimit = outputLimit
        self.channel = channel
        self.connection = connection
        self.check = check
    }

    // MARK: - For the responder, on any thread

    func send(_ reply: VarlinkReply) -> VarlinkDelivery {
        if reply.continues, let defect = refuseMore() { return defect }
        if let reason = check?(reply) { return defect(reason) }
        if !reply.continues { answered(reply.error) }
        guard !call.oneway else { return reply.continues ? .dropped : forget() }
        return send(ByteBuffer(bytes: reply.encoded()), continues: reply.continues)
    }

    /// Sends a reply without error whose parameters `write` writes.
    /// - Returns: `nil` where `write` answers that there is nothing to send, and nothing was sent.
    func send(continues: Bool, _ write: (inout JSONText) -> Bool) -> VarlinkDelivery? {
        if continues, let defect = refuseMore() { return defect }
        if call.oneway, check == nil {
            if continues { return .dropped }
            answered(nil)
            return forget()
        }
        guard let message = VarlinkReply.encoded(continues: continues, write) else { return nil }
        guard check == nil else { return send(written: message) }
        if !continues { answered(nil) }
        return send(ByteBuffer(bytes: message), continues: continues)
    }

    /// Refuses a reply that others follow where the caller asked for one only.
    private func refuseMore() -> VarlinkDelivery? {
        guard !call.more, !call.oneway else { return nil }
        return defect("it sent a reply that others follow to a call without 'more'")
    }

    /// Sends a reply that is checked by what stands in it.
    private func send(written message: [UInt8]) -> VarlinkDelivery {
        do throws(VarlinkViolation) {
            return send(try VarlinkReply(parsing: message.span.extracting(droppingLast: 1)))
        } catch {
            return defect("its reply is no reply: \(error)")
        }
    }

    /// Notes the answer to a call that wants none.
    private func forget() -> VarlinkDelivery {
        let isHeld = state.withLock { state in
            guard state.phase == .open else { return false }
            state.end(.answered)
            return state.hold == .held
        }
        if isHeld { onEventLoop { $0.collect(from: self) } }
        return .dropped
    }

    private func send(_ message: ByteBuffer, continues: Bool) -> VarlinkDelivery {
        let (delivery, isFirst) = state.withLock { state -> (VarlinkDelivery, Bool) in
            guard state.phase == .open else { return (.dropped, false) }
            state.outbox.append(message)
            state.outboxBytes += message.readableBytes
            let isFirst = !state.isCollectionDue
            state.isCollectionDue = true
            let isCongested = state.outboxBytes > Self.congestion || !channel.isWritable
            if continues {
                if isCongested { state.owesWritable = true }
            } else {
                state.end(.answered)
            }
            // The connection finds the overflow when it collects; until then nothing more goes in.
            if state.outboxBytes > outputLimit { state.phase = .answered }
            return (isCongested ? .congested : .queued, isFirst)
        }
        if isFirst { onEventLoop { $0.collect(from: self) } }
        return delivery
    }

    func abandon() {
        let wasOpen = state.withLock { state in
            guard state.phase == .open else { return false }
            state.phase = .closed
            return true
        }
        guard wasOpen else { return }
        guard !call.oneway else {
            if state.withLock({ $0.hold == .held }) { onEventLoop { $0.release(self) } }
            return
        }
        onEventLoop { $0.abort(self, defect: "it gave no answer") }
    }

    func requestHold() {
        state.withLock { if $0.phase == .open, $0.hold == .none { $0.hold = .requested } }
    }

    var isWritable: Bool {
        state.withLock { state in
            guard state.phase == .open else { return false }
            let isWritable = channel.isWritable && state.outboxBytes <= Self.congestion
            // Who is told no waits; nothing but what was sent before may have filled the channel.
            if !isWritable { state.owesWritable = true }
            return isWritable
        }
    }

    func onClose(_ body: @escaping @Sendable () -> Void) {
        let isTooLate = state.withLock { state in
            if state.phase == .open { state.onClose.append(body) }
            return state.phase == .closed
        }
        if isTooLate { onEventLoop { _ in body() } }
    }

    func onAnswer(_ body: @escaping @Sendable (String?) -> Void) {
        state.withLock { if $0.phase == .open { $0.onAnswer.append(body) } }
    }

    /// Tells those who asked how the call is answered.
    private func answered(_ error: String?) {
        let callbacks = state.withLock { state -> [@Sendable (String?) -> Void] in
            guard state.phase == .open else { return [] }
            defer { state.onAnswer = [] }
            return state.onAnswer
        }
        for callback in callbacks { callback(error) }
    }

    func onWritable(_ body: @escaping @Sendable () -> Void) {
        state.withLock { if $0.phase == .open { $0.onWritable.append(body) } }
    }

    func onDrain(_ body: @escaping @Sendable () -> Void) {
        let isTooLate = state.withLock { state in
            if state.phase == .open, !state.isDraining { state.onDrain.append(body) }
            return state.phase == .open && state.isDraining
        }
        if isTooLate { onEventLoop { _ in body() } }
    }

    func onCutOff(_ body: @escaping @Sendable () -> Void) {
        state.withLock { if $0.phase == .open { $0.onCutOff.append(body) } }
    }

    func toleratesStalls() {
        state.withLock { $0.isPatient = true }
    }

    private func defect(_ reason: String) -> VarlinkDelivery {
        let wasOpen = state.withLock { state in
            defer { if state.phase == .open { state.phase = .closed } }
            return state.phase == .open
        }
        if wasOpen { onEventLoop { $0.abort(self, defect: reason) } }
        return .dropped
    }

    private func onEventLoop(_ body: @escaping @Sendable (VarlinkServerConnection) -> Void) {
        if channel.eventLoop.inEventLoop {
            body(connection.value)
        } else {
            channel.eventLoop.execute { [connection] in body(connection.value) }
        }
    }

    // MARK: - For the connection, on its event loop

    /// After the handler of a `oneway` call has returned: whether the connection is to wait for the answer.
    func beginHold() -> Bool {
        state.withLock { state in
            guard state.phase == .open, state.hold == .requested else { return false }
            state.hold = .held
            return true
        }
    }

    /// The replies that have come in, whether the last is final, and whether they were too many.
    func takeOutbox() -> (messages: [ByteBuffer], isFinal: Bool, isOverflow: Bool) {
        state.withLock { state in
            defer {
                state.outbox = []
                state.outboxBytes = 0
                state.isCollectionDue = false
            }
            return (state.outbox, state.phase == .answered, state.outboxBytes > outputLimit)
        }
    }

    /// Whether the client may leave replies unread for as long as it likes.
    var isPatient: Bool { state.withLock { $0.isPatient } }

    /// The connection is gone.
    func close() {
        let callbacks = state.withLock { state in
            defer { state.end(.closed) }
            return state.onClose
        }
        for callback in callbacks { callback() }
    }

    /// The client has caught up.
    func becameWritable() {
        let callbacks = state.withLock { state -> [@Sendable () -> Void] in
            guard state.owesWritable, state.phase == .open else { return [] }
            state.owesWritable = false
            return state.onWritable
        }
        // Not from here: what they send may lead straight back, one level deeper each time.
        for callback in callbacks { channel.eventLoop.execute(callback) }
    }

    /// The server shuts down. Answers whether the exchange will end by itself.
    func drain() -> Bool {
        let callbacks = state.withLock { state in
            state.isDraining = true
            defer { state.onDrain = [] }
            return state.onDrain
        }
        for callback in callbacks { callback() }
        return !call.more || !callbacks.isEmpty
    }

    /// The server waits no longer: lets the call say so as its answer.
    func cutOff() {
        let callbacks = state.withLock { state in
            defer { state.onCutOff = [] }
            return state.onCutOff
        }
        for callback in callbacks { callback() }
    }
}
