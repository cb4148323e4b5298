internal import NIOCore
internal import Basics
internal import StrictJSON

/// One call being answered: any thread puts replies in, and the connection takes them out on its event loop.
final class VarlinkExchange: Sendable {
    /// How many bytes may wait for the event loop before senders are told to wait.
    private static let congestion = 64 << 10

    private enum Phase {
        /// Replies are accepted.
        case open
        /// The final reply is in the outbox, or was taken from it.
        case answered
        /// The connection is closed, or will be because of a defect.
        case closed
    }

    /// How a connection treats a `oneway` call.
    private enum Hold {
        case none
        /// The handler has called ``VarlinkResponder/holdConnection()``.
        case requested
        /// The handler has returned without an answer. The connection ends the call when the client leaves, and is told when it is
        /// answered.
        case kept
    }

    private struct State {
        var phase = Phase.open
        var outbox: [ByteBuffer] = []
        var outboxBytes = 0
        /// The bytes of the outbox before its last reply. The queue's limit is for what waits; one reply may be of any length.
        var waitingBytes = 0
        /// The bytes of the replies that are held back.
        var heldBytes = 0
        /// The final reply is held back.
        var isLastHeld = false
        /// Set by ``VarlinkResponder/tolerateStalls()``.
        var isPatient = false
        /// The connection has been asked to collect and has not done so yet.
        var isCollectionDue = false
        /// A sender was told to wait, so the `onWritable` callbacks are due when the client has caught up.
        var owesWritable = false
        var callbacks = Callbacks()
        var isDraining = false
        /// Whether replies are not held back.
        var isToldAtOnce = false
        var hold = Hold.none

        /// Ends the exchange and forgets the callbacks: they may hold the responder, which holds the exchange, so none would
        /// ever be freed.
        /// - Returns: the callbacks. Theirs may be the last reference to the responder, and whoever frees it asks for the lock:
        ///   the caller keeps them until it has given the lock back.
        mutating func end(_ phase: Phase) -> Callbacks {
            self.phase = phase
            return callbacks.take()
        }
    }

    private struct Callbacks {
        var onClose: [@Sendable () -> Void] = []
        var onWritable: [@Sendable () -> Void] = []
        var onDrain: [@Sendable () -> Void] = []
        var onCutOff: [@Sendable () -> Void] = []
        var onAnswer: [@Sendable (String?) -> Void] = []

        /// Removes and returns all.
        mutating func take() -> Callbacks {
            defer { self = Callbacks() }
            return self
        }
    }

    let call: VarlinkCall
    private let outputLimit: Int
    private let channel: any Channel
    /// Says what is wrong with a reply; `nil` if replies are not checked.
    private let check: (@Sendable (VarlinkReply) -> String?)?
    /// Holds replies back; `nil` if none is.
    private let release: VarlinkServer.Release?
    private let connection: NIOLoopBound<VarlinkServerConnection>
    private let state = Guarded(State())

    init(
        call: VarlinkCall,
        outputLimit: Int,
        channel: any Channel,
        connection: NIOLoopBound<VarlinkServerConnection>,
        check: (@Sendable (VarlinkReply) -> String?)?,
        release: VarlinkServer.Release?
    ) {
        self.call = call
        self.outputLimit = outputLimit
        self.channel = channel
        self.connection = connection
        self.check = check
        self.release = release
    }

    // MARK: - For the responder, on any thread

    func send(_ reply: VarlinkReply) -> VarlinkDelivery {
        if reply.continues, let defect = refuseMore() { return defect }
        if let reason = check?(reply) { return defect(reason) }
        if !reply.continues { answered(reply.error) }
        guard !call.oneway else { return reply.continues ? .dropped : forget() }
        return send(ByteBuffer(bytes: reply.encoded()), continues: reply.continues)
    }

    /// Sends a reply without error; `write` writes its parameters.
    /// - Returns: `nil` if `write` returns `false`, and nothing was sent.
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

    /// Refuses a reply with `continues` to a call without `more`.
    private func refuseMore() -> VarlinkDelivery? {
        guard !call.more, !call.oneway else { return nil }
        return defect("it sent a reply with 'continues' to a call without 'more'")
    }

    /// Parses a reply that was written as text, so that it can be checked, and sends it.
    private func send(written message: [UInt8]) -> VarlinkDelivery {
        do throws(VarlinkViolation) {
            return send(try VarlinkReply(parsing: message.span.extracting(droppingLast: 1)))
        } catch {
            return defect("its reply is malformed: \(error)")
        }
    }

    /// Ends a `oneway` call, whose answer nobody wants.
    private func forget() -> VarlinkDelivery {
        let (isKept, _) = state.withLock { state -> (Bool, Callbacks?) in
            guard state.phase == .open else { return (false, nil) }
            return (state.hold == .kept, state.end(.answered))
        }
        if isKept { onEventLoop { $0.release(self) } }
        return .dropped
    }

    private func send(_ message: ByteBuffer, continues: Bool) -> VarlinkDelivery {
        guard let release, !state.withLock({ $0.isToldAtOnce }) else { return put(message, continues: continues) }
        let isCongested = state.withLock { state -> Bool? in
            guard state.phase == .open, !state.isLastHeld else { return nil }
            if !continues { state.isLastHeld = true }
            state.heldBytes += message.readableBytes
            let isCongested = state.outboxBytes + state.heldBytes > Self.congestion || !channel.isWritable
            if continues, isCongested { state.owesWritable = true }
            return isCongested
        }
        guard let isCongested else { return .dropped }
        release(call.method) { [self] refusal in
            state.withLock { $0.heldBytes -= message.readableBytes }
            if let refusal {
                _ = put(
                    ByteBuffer(bytes: VarlinkReply(parameters: refusal.parameters, error: refusal.name).encoded()),
                    continues: false
                )
            } else {
                _ = put(message, continues: continues)
            }
        }
        return isCongested ? .congested : .queued
    }

    /// Puts a reply into the outbox.
    private func put(_ message: ByteBuffer, continues: Bool) -> VarlinkDelivery {
        let (delivery, isFirst, _) = state.withLock { state -> (VarlinkDelivery, Bool, Callbacks?) in
            guard state.phase == .open else { return (.dropped, false, nil) }
            var callbacks: Callbacks?
            state.outbox.append(message)
            state.waitingBytes = state.outboxBytes
            state.outboxBytes += message.readableBytes
            let isFirst = !state.isCollectionDue
            state.isCollectionDue = true
            let isCongested = state.outboxBytes + state.heldBytes > Self.congestion || !channel.isWritable
            if continues {
                if isCongested { state.owesWritable = true }
            } else {
                callbacks = state.end(.answered)
            }
            // The connection sees the overflow when it collects; until then nothing more is accepted.
            if state.waitingBytes > outputLimit { state.phase = .answered }
            return (isCongested ? .congested : .queued, isFirst, callbacks)
        }
        if isFirst { onEventLoop { $0.collect(from: self) } }
        return delivery
    }

    /// Called when nobody can answer any more, under whatever lock the last reference to the responder was kept.
    func abandon() {
        guard state.withLock({ $0.phase == .open && !$0.isLastHeld }) else { return }
        // Not at once: it may lead to the next call, whose handler may ask for that lock.
        channel.eventLoop.execute { [self] in
            // Nobody misses the answer to a `oneway` call, but the connection may wait for it.
            _ = call.oneway ? forget() : defect("it gave no answer")
        }
    }

    func tellAtOnce() { state.withLock { $0.isToldAtOnce = true } }

    func requestHold() {
        state.withLock { if $0.phase == .open, $0.hold == .none { $0.hold = .requested } }
    }

    var isOpen: Bool { state.withLock { $0.phase == .open && !$0.isLastHeld } }

    var isWritable: Bool {
        state.withLock { state in
            guard state.phase == .open else { return false }
            let isWritable = channel.isWritable && state.outboxBytes + state.heldBytes <= Self.congestion
            // The caller waits for `onWritable` now, even if no `send` said so: earlier calls' replies may fill the channel.
            if !isWritable { state.owesWritable = true }
            return isWritable
        }
    }

    func onClose(_ body: @escaping @Sendable () -> Void) {
        let isTooLate = state.withLock { state in
            if state.phase == .open { state.callbacks.onClose.append(body) }
            return state.phase == .closed
        }
        if isTooLate { onEventLoop { _ in body() } }
    }

    func onAnswer(_ body: @escaping @Sendable (String?) -> Void) {
        state.withLock { if $0.phase == .open { $0.callbacks.onAnswer.append(body) } }
    }

    /// Calls the `onAnswer` callbacks.
    private func answered(_ error: String?) {
        let callbacks = state.withLock { state -> [@Sendable (String?) -> Void] in
            guard state.phase == .open else { return [] }
            defer { state.callbacks.onAnswer = [] }
            return state.callbacks.onAnswer
        }
        for callback in callbacks { callback(error) }
    }

    func onWritable(_ body: @escaping @Sendable () -> Void) {
        state.withLock { if $0.phase == .open { $0.callbacks.onWritable.append(body) } }
    }

    func onDrain(_ body: @escaping @Sendable () -> Void) {
        let isTooLate = state.withLock { state in
            if state.phase == .open, !state.isDraining { state.callbacks.onDrain.append(body) }
            return state.phase == .open && state.isDraining
        }
        if isTooLate { onEventLoop { _ in body() } }
    }

    func onCutOff(_ body: @escaping @Sendable () -> Void) {
        state.withLock { if $0.phase == .open { $0.callbacks.onCutOff.append(body) } }
    }

    func tolerateStalls() {
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

    /// Called when the handler of a `oneway` call has returned.
    /// - Returns: Whether the connection waits for the answer; `nil` if there is one already.
    func keep() -> Bool? {
        state.withLock { state in
            guard state.phase == .open else { return nil }
            defer { state.hold = .kept }
            return state.hold == .requested
        }
    }

    /// The replies put in since the last time, whether the last of them is final, and whether they exceed the limit.
    func takeOutbox() -> (messages: [ByteBuffer], isFinal: Bool, isOverflow: Bool) {
        state.withLock { state in
            defer {
                state.outbox = []
                state.outboxBytes = 0
                state.waitingBytes = 0
                state.isCollectionDue = false
            }
            return (state.outbox, state.phase == .answered, state.waitingBytes > outputLimit)
        }
    }

    /// Whether the handler has called ``VarlinkResponder/tolerateStalls()``.
    var isPatient: Bool { state.withLock { $0.isPatient } }

    /// Called when the connection is gone.
    func close() {
        let callbacks = state.withLock { $0.end(.closed) }
        for callback in callbacks.onClose { callback() }
    }

    /// Called when the client has caught up.
    func becameWritable() {
        let callbacks = state.withLock { state -> [@Sendable () -> Void] in
            guard state.owesWritable, state.phase == .open else { return [] }
            state.owesWritable = false
            return state.callbacks.onWritable
        }
        // Not called directly: what they send may lead back here, one level of the stack deeper each time.
        for callback in callbacks { channel.eventLoop.execute(callback) }
    }

    /// Called when the server shuts down.
    /// - Returns: whether the exchange ends by itself.
    func drain() -> Bool {
        let callbacks = state.withLock { state in
            state.isDraining = true
            defer { state.callbacks.onDrain = [] }
            return state.callbacks.onDrain
        }
        for callback in callbacks { callback() }
        return !call.more || !callbacks.isEmpty
    }

    /// Ends a call that has no answer with this error, whatever is held back.
    func cutOff(with error: VarlinkError) {
        guard !call.oneway else { return }
        answered(error.name)
        _ = put(
            ByteBuffer(bytes: VarlinkReply(parameters: error.parameters, error: error.name).encoded()),
            continues: false
        )
    }

    /// Called when the server waits no longer, so that the handler can say so in its last reply.
    func cutOff() {
        let callbacks = state.withLock { state in
            defer { state.callbacks.onCutOff = [] }
            return state.callbacks.onCutOff
        }
        for callback in callbacks { callback() }
    }
}
