internal import NIOCore
internal import StrictJSON

/// Reads one client's calls, starts one at a time and writes the replies in order. Runs on its event loop only.
final class VarlinkServerConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Phase: Equatable {
        /// The next message may start.
        case idle
        /// A call waits for its final reply; what is read meanwhile stays in the buffer.
        case busy
        /// No further call starts; what was written is being flushed.
        case closing
        case closed
    }

    /// How many calls start in one turn of the event loop, so that a client that sends many at once does not hold up others.
    private static let callsPerTurn = 8
    /// How many `oneway` calls of a connection may be under way. The connection waits for the next one, so that no client has
    /// more of them than this.
    private static let mostOnewayCalls = 16

    let environment: Environment
    private let id: Int
    private let peer: VarlinkPeer
    private let onClosed: @Sendable () -> Void

    var phase = Phase.idle
    private var pause = Pause.none
    var context: ChannelHandlerContext?
    private var decoder: VarlinkFrameDecoder
    private var buffer = ByteBuffer()
    /// The call that makes the connection busy.
    var exchange: VarlinkExchange?
    /// The `oneway` calls under way for which the connection does not wait.
    private var onewayCalls: [ObjectIdentifier: VarlinkExchange] = [:]
    private var callsStarted = 0
    /// The bytes of the call that makes the connection busy.
    private var callBytes = 0
    private var inputShare: VarlinkMemoryShare
    var outputShare: VarlinkMemoryShare
    private var isAdvancing = false
    private var isInputClosed = false
    /// Set while the server shuts down.
    var patience: Patience?
    private var isDraining: Bool { patience != nil }
    private var isCutOff = false
    /// The channel wanted to read and has to wait.
    private var isReadHeld = false
    var hasUnflushed = false
    /// All bytes of replies so far, whether the system has taken them or not.
    var bytesWritten = 0
    private var stopwatch = LoopStopwatch()
    /// The bytes of the newest reply.
    var lastWritten = 0
    private var firstByteTimer: Scheduled<Void>?
    var stallTimer: Scheduled<Void>?

    init(id: Int, peer: VarlinkPeer, environment: Environment, onClosed: @escaping @Sendable () -> Void) {
        self.id = id
        self.peer = peer
        self.environment = environment
        self.onClosed = onClosed
        decoder = VarlinkFrameDecoder(limit: environment.limits.message.bytes)
        inputShare = VarlinkMemoryShare(of: environment.input, user: peer.userID)
        outputShare = VarlinkMemoryShare(of: environment.output, user: peer.userID)
    }

    // MARK: - From the server, on the event loop

    /// Takes no further call, and closes once all that have arrived are answered.
    func drain(_ patience: Patience) {
        guard phase != .closed, let context else { return }
        self.patience = patience
        if stallTimer != nil {
            stopWatching()
            watchForStall()
        }
        guard phase != .closing else { return }
        // The channel reads to the end. Nothing more comes to one without a socket.
        if !VarlinkSocket.shutDownInput(context.channel) { isInputClosed = true }
        drainExchange()
        advance()
    }

    /// Tells the present call that the server shuts down. A stream that cannot end by itself ends the connection.
    private func drainExchange() {
        if isDraining, phase == .busy, let exchange, !exchange.drain() { beginClosing() }
    }

    /// Stops waiting for the present call while the server shuts down; its handler may say so in a last reply.
    func cutOff() {
        guard let patience, phase != .closed, !isCutOff else { return }
        isCutOff = true
        report(.cutOff(bytes: context.map(unsentBytes) ?? 0))
        exchange?.cutOff()
        beginClosing()
        if phase == .closing { _ = schedule(in: patience.lastWord) { $0.close() } }
    }

    /// Closes at once, even if replies are unsent.
    func close() {
        context?.close(promise: nil)
    }

    // MARK: - From an exchange, on the event loop

    /// Writes the replies that were handed to the exchange.
    func collect(from exchange: VarlinkExchange) {
        let (messages, isFinal, isOverflow) = exchange.takeOutbox()
        guard phase == .busy, exchange === self.exchange, let context else { return }
        guard !isOverflow else { return overflow(context) }
        for message in messages { write(message, context) }
        if isFinal {
            self.exchange = nil
            phase = .idle
        }
        guard !isAdvancing else { return }
        if isFinal {
            advance()
        } else {
            flush(context)
        }
    }

    /// Forgets a `oneway` call that has ended.
    func release(_ exchange: VarlinkExchange) {
        onewayCalls[ObjectIdentifier(exchange)] = nil
        guard phase == .busy, exchange === self.exchange else { return }
        self.exchange = nil
        phase = .idle
        advance()
    }

    /// Closes because of a defect in the service; earlier answers are still flushed.
    func abort(_ exchange: VarlinkExchange, defect reason: String) {
        guard phase == .idle || phase == .busy else { return }
        report(.defect(method: exchange.call.method, reason: reason))
        beginClosing()
    }

    // MARK: - From the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        stopwatch = environment.stopwatches.stopwatch(of: context.eventLoop)
        firstByteTimer = schedule(in: environment.limits.firstByte) { $0.firstByteIsLate() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        firstByteTimer?.cancel()
        firstByteTimer = nil
        guard phase == .idle || phase == .busy else { return }
        var bytes = Self.unwrapInboundIn(data)
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.discardReadBytes()
            buffer.writeBuffer(&bytes)
        }
        advance()
    }

    /// Lets the channel read, unless enough bytes wait behind the call that is being answered.
    func read(context: ChannelHandlerContext) {
        switch phase {
        case .idle where pause == .none: context.read()
        case .idle, .busy:
            if buffer.readableBytes < environment.limits.readAhead { context.read() } else { isReadHeld = true }
        case .closing, .closed: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed {
            isInputClosed = true
            advance()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            stopWatching()
            outputShare.release()
            exchange?.becameWritable()
            if pause == .output {
                pause = .none
                advance()
            }
        } else if phase != .closed {
            watchForStall()
        }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The peer is gone or the socket is broken: there is nobody to answer.
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    // MARK: - Calls

    /// Starts calls until one waits for its answer or no complete message is left.
    private func advance() {
        guard !isAdvancing, let context else { return }
        isAdvancing = true
        var left = Self.callsPerTurn
        var stretch = stopwatch.start()
        while phase == .idle {
            guard pause == .none, mayStart(&left, context) else { break }
            do throws(VarlinkViolation) {
                guard let message = try decoder.decode(buffer: &buffer) else {
                    if isInputClosed { beginClosing() }
                    break
                }
                let depth = environment.limits.message.depth
                callBytes = message.readableBytes
                let longest = start(
                    try message.withReadableBytes { bytes throws(VarlinkViolation) in
                        try VarlinkCall(parsing: bytes, depth: depth)
                    },
                    context
                )
                stopwatch.lap(&stretch, longest)
            } catch {
                report(.violation(error))
                beginClosing()
            }
        }
        isAdvancing = false
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
        flush(context)
        stopwatch.lap(&stretch, environment.dispatcher.longestOther)
        guard holdInput(context), isReadHeld else { return }
        isReadHeld = false
        read(context: context)
    }

    /// Whether one more call may start in this turn. If not, ``pause`` says why, and the connection resumes by itself.
    private func mayStart(_ left: inout Int, _ context: ChannelHandlerContext) -> Bool {
        if !context.channel.isWritable {
            flush(context)
            guard phase == .idle else { return false }
            if !context.channel.isWritable {
                pause = .output
                return false
            }
        }
        left -= 1
        // With an empty buffer there is nothing to resume for.
        if left < 0, buffer.readableBytes > 0 {
            pause = .turn
            let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
            environment.pauses.pause(of: context.eventLoop).next {
                guard connection.value.pause == .turn else { return }
                connection.value.pause = .none
                connection.value.advance()
            }
            return false
        }
        return true
    }

    /// Counts what was read and is not answered yet. Closes, and returns `false`, if that exceeds the memory limits.
    private func holdInput(_ context: ChannelHandlerContext) -> Bool {
        guard phase == .idle || phase == .busy else { return false }
        let held = buffer.readableBytes + (phase == .busy ? callBytes : 0)
        if inputShare.hold(held) { return true }
        report(.tooMuchMemory(bytes: held))
        context.close(promise: nil)
        return false
    }

    /// - Returns: what the processor time spent on the call counts for.
    private func start(_ call: VarlinkCall, _ context: ChannelHandlerContext) -> LongestStretch {
        callsStarted += 1
        switch environment.dispatcher.decide(call, from: peer) {
        case .reply(let parameters):
            answer(VarlinkReply(parameters: parameters), to: call, context)
            return environment.dispatcher.longestOther
        case .refuse(let error):
            report(.denied(method: call.method, error: error))
            answer(VarlinkReply(parameters: error.parameters, error: error.name), to: call, context)
            return environment.dispatcher.longestOther
        case .fail(let error):
            answer(VarlinkReply(parameters: error.parameters, error: error.name), to: call, context)
            return environment.dispatcher.longestOther
        case .invoke(let handler, let method):
            let exchange = VarlinkExchange(
                call: call,
                outputLimit: environment.limits.outputQueue,
                channel: context.channel,
                connection: NIOLoopBound(self, eventLoop: context.eventLoop),
                check: environment.checksReplies ? environment.dispatcher.check(method) : nil
            )
            if !call.oneway {
                self.exchange = exchange
                phase = .busy
            }
            let connection = VarlinkConnection(
                id: id,
                peer: peer,
                eventLoop: context.eventLoop,
                closed: context.channel.closeFuture
            )
            handler(
                VarlinkRequest(call: call, number: callsStarted, connection: connection),
                VarlinkResponder(exchange)
            )
            guard call.oneway, let holds = exchange.keep() else {
                drainExchange()
                return method.longest
            }
            if holds || onewayCalls.count == Self.mostOnewayCalls {
                self.exchange = exchange
                phase = .busy
            } else {
                onewayCalls[ObjectIdentifier(exchange)] = exchange
            }
            return method.longest
        }
    }

    private func answer(_ reply: VarlinkReply, to call: VarlinkCall, _ context: ChannelHandlerContext) {
        guard !call.oneway else { return }
        write(ByteBuffer(bytes: reply.encoded()), context)
        // Otherwise the answers to all calls of one read could pile up.
        if !context.channel.isWritable { flush(context) }
    }

    // MARK: - The end

    /// Closes when everything written is flushed.
    private func beginClosing() {
        guard phase == .idle || phase == .busy, let context else { return }
        phase = .closing
        hasUnflushed = false
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(Self.wrapOutboundOut(ByteBuffer())).whenComplete { _ in
            bound.value.close(promise: nil)
        }
        if phase == .closing { watchForStall() }
    }

    private func end() {
        guard phase != .closed else { return }
        phase = .closed
        firstByteTimer?.cancel()
        firstByteTimer = nil
        stopWatching()
        buffer = ByteBuffer()
        inputShare.release()
        outputShare.release()
        let ended = Array(onewayCalls.values) + (exchange.map { [$0] } ?? [])
        exchange = nil
        onewayCalls = [:]
        var stretch = stopwatch.start()
        for exchange in ended { exchange.close() }
        stopwatch.lap(&stretch, environment.dispatcher.longestOther)
        onClosed()
    }

    private func firstByteIsLate() {
        guard phase == .idle else { return }
        report(.silent)
        context?.close(promise: nil)
    }

    func report(_ kind: VarlinkIncident.Kind) {
        environment.report(VarlinkIncident(kind: kind, connection: id, peer: peer))
    }

    func schedule(
        in delay: TimeAmount,
        _ body: @escaping @Sendable (VarlinkServerConnection) -> Void
    ) -> Scheduled<Void>? {
        guard let eventLoop = context?.eventLoop else { return nil }
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        return eventLoop.scheduleTask(in: delay) { body(connection.value) }
    }
}
