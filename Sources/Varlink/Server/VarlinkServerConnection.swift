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

    /// How many `oneway` calls of a connection may be under way. The connection waits for the next one, so that no client has
    /// more of them than this.
    private static let mostOnewayCalls = 16

    let environment: Environment
    private let id: Int
    let peer: VarlinkPeer
    let onLeft: @Sendable () -> Bool
    let onClosed: @Sendable () -> Void

    var phase = Phase.idle
    var pause = Pause.none
    var context: ChannelHandlerContext?
    private var decoder: VarlinkFrameDecoder
    var buffer = ByteBuffer()
    /// The call that makes the connection busy.
    var exchange: VarlinkExchange?
    /// The `oneway` calls under way for which the connection does not wait.
    var onewayCalls: [ObjectIdentifier: VarlinkExchange] = [:]
    private var callsStarted = 0
    /// The bytes of the call that makes the connection busy.
    private var callBytes = 0
    var inputShare: VarlinkMemoryShare
    var outputShare: VarlinkMemoryShare
    private var isAdvancing = false
    var isInputClosed = false
    /// Set while the server shuts down.
    var patience: Patience?
    var isDraining: Bool { patience != nil }
    var isCutOff = false
    /// The client has left while its calls waited for their turn. They are still executed, but nothing is written.
    var isGone = false
    /// The channel wanted to read and has to wait.
    private var isReadHeld = false
    var loop: FairLoop?
    var hasUnflushed = false
    /// All bytes of replies so far, whether the system has taken them or not.
    var bytesWritten = 0
    /// The bytes of the newest reply.
    var lastWritten = 0
    var firstByteTimer: Scheduled<Void>?
    var stallTimer: Scheduled<Void>?

    /// - Parameters:
    ///   - onLeft: called when the client has left while its calls wait for their turn; whether they may wait.
    ///   - onClosed: called when everything is over.
    init(
        id: Int,
        peer: VarlinkPeer,
        environment: Environment,
        onLeft: @escaping @Sendable () -> Bool,
        onClosed: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.peer = peer
        self.environment = environment
        self.onLeft = onLeft
        self.onClosed = onClosed
        decoder = VarlinkFrameDecoder(limit: environment.limits.message.bytes)
        inputShare = VarlinkMemoryShare(of: environment.input, user: peer.userID)
        outputShare = VarlinkMemoryShare(of: environment.output, user: peer.userID)
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
        loop = environment.loops.loop(context.eventLoop)
        firstByteTimer = schedule(in: environment.limits.firstByte) { $0.firstByteIsLate() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
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
        leave()
        context.fireChannelInactive()
    }

    // MARK: - Calls

    /// Starts calls until one waits for its answer or no complete message is left.
    func advance() {
        guard !isAdvancing, let context, let loop else { return }
        isAdvancing = true
        var stretch = loop.stopwatch.start()
        while phase == .idle {
            guard pause == .none, mayStart(loop, context) else { break }
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
                loop.charge(loop.stopwatch.lap(&stretch, longest), to: peer.userID)
            } catch {
                report(.violation(error))
                beginClosing()
            }
        }
        isAdvancing = false
        // It has ended, or will when its turn has come.
        guard !isGone else { return }
        if buffer.readableBytes == 0 { buffer = ByteBuffer() }
        flush(context)
        loop.charge(loop.stopwatch.lap(&stretch, environment.dispatcher.longestOther), to: peer.userID)
        guard holdInput(context), isReadHeld else { return }
        isReadHeld = false
        read(context: context)
    }

    /// Whether one more call may start now. If not, ``pause`` says why, and the connection resumes by itself.
    private func mayStart(_ loop: FairLoop, _ context: ChannelHandlerContext) -> Bool {
        if !isGone, !context.channel.isWritable {
            flush(context)
            guard phase == .idle else { return false }
            if !context.channel.isWritable {
                pause = .output
                return false
            }
        }
        // With an empty buffer there is nothing to resume for.
        if buffer.readableBytes > 0, loop.isOver(for: peer.userID) {
            pause = .turn
            let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
            loop.wait(peer.userID) {
                guard connection.value.pause == .turn else { return }
                connection.value.takeTurn()
            }
            return false
        }
        return true
    }

    /// Goes on after a pause.
    private func takeTurn() {
        pause = .none
        advance()
        if isGone, pause != .turn { end() }
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
            if isCutOff, let error = environment.cutOffError(call.method) {
                answer(VarlinkReply(parameters: error.parameters, error: error.name), to: call, context)
                return method.longest
            }
            let exchange = VarlinkExchange(
                call: call,
                outputLimit: environment.limits.outputQueue,
                channel: context.channel,
                connection: NIOLoopBound(self, eventLoop: context.eventLoop),
                check: environment.checksReplies ? environment.dispatcher.check(method) : nil,
                release: environment.release
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

    // MARK: - Shared

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
