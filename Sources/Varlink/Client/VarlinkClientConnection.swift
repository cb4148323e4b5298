internal import DequeModule
internal import NIOCore
internal import StrictJSON

/// Matches replies to the calls that were sent, in order. Runs on its event loop only.
final class VarlinkClientConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Pending {
        case single(EventLoopPromise<VarlinkReply>)
        case stream(id: Int, VarlinkReplies.Producer.Source)
    }

    private let limits: VarlinkMessageLimits
    private var decoder: VarlinkFrameDecoder
    private var buffer = ByteBuffer()
    private var pending: Deque<Pending> = []
    private var context: ChannelHandlerContext?
    private var failure: VarlinkClientError?
    /// The stream at the head of `pending`, while its consumer has enough replies to work on.
    private var heldStream: Int?
    /// The channel wanted to read while a stream was held.
    private var isReadHeld = false

    init(limits: VarlinkMessageLimits) {
        self.limits = limits
        decoder = VarlinkFrameDecoder(limit: limits.bytes)
    }

    // MARK: - From the client, on the event loop

    var isOpen: Bool { context != nil && failure == nil }

    func call(_ message: ByteBuffer, _ promise: EventLoopPromise<VarlinkReply>) {
        guard let context, failure == nil else { return promise.fail(failure ?? .connectionClosed) }
        pending.append(.single(promise))
        context.writeAndFlush(Self.wrapOutboundOut(message), promise: nil)
    }

    func callMore(_ message: ByteBuffer, id: Int, _ source: VarlinkReplies.Producer.Source) {
        guard let context, failure == nil else { return source.finish(failure ?? .connectionClosed) }
        pending.append(.stream(id: id, source))
        context.writeAndFlush(Self.wrapOutboundOut(message), promise: nil)
    }

    func oneway(_ message: ByteBuffer, _ promise: EventLoopPromise<Void>) {
        guard let context, failure == nil else { return promise.fail(failure ?? .connectionClosed) }
        context.writeAndFlush(Self.wrapOutboundOut(message), promise: promise)
    }

    // MARK: - From a stream's consumer, on the event loop

    func resume(stream id: Int) {
        guard heldStream == id else { return }
        heldStream = nil
        readOn()
    }

    /// The consumer is gone. A stream that has not ended can only be stopped by closing the connection.
    func leave(stream id: Int) {
        if heldStream == id { heldStream = nil }
        let isUnfinished = pending.contains {
            if case .stream(id, _) = $0 { true } else { false }
        }
        if isUnfinished { fail(.connectionClosed) } else { readOn() }
    }

    // MARK: - From the channel

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        fail(.connectionClosed)
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        if heldStream == nil { context.read() } else { isReadHeld = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard failure == nil else { return }
        var bytes = Self.unwrapInboundIn(data)
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.discardReadBytes()
            buffer.writeBuffer(&bytes)
        }
        do throws(VarlinkViolation) {
            while failure == nil, let message = try decoder.decode(buffer: &buffer) {
                try receive(message)
            }
            if buffer.readableBytes == 0 { buffer = ByteBuffer() }
        } catch {
            fail(.violation(error))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(.connectionClosed)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(.connectionClosed)
        context.fireChannelInactive()
    }

    // MARK: - Replies

    private func receive(_ message: ByteBuffer) throws(VarlinkViolation) {
        switch pending.first {
        case .none:
            _ = try reply(message)
            throw .unexpectedReply
        case .single(let promise):
            let reply = try reply(message)
            guard !reply.continues else { throw .unexpectedReply }
            pending.removeFirst()
            promise.succeed(reply)
        case .stream(let id, let source):
            // The consumer parses only the values it looks at.
            let (reply, parameters) = try VarlinkReply.parts(
                parsing: Array(message.readableBytesView),
                depth: limits.depth
            )
            if let name = reply.error {
                guard !reply.continues else { throw .unexpectedReply }
                pending.removeFirst()
                source.finish(VarlinkError(name, parameters?.objectValue ?? [:]))
                return
            }
            if !reply.continues { pending.removeFirst() }
            let result = source.yield(parameters)
            if !reply.continues {
                source.finish()
            } else if result == .stopProducing {
                heldStream = id
            }
        }
    }

    private func reply(_ message: ByteBuffer) throws(VarlinkViolation) -> VarlinkReply {
        let depth = limits.depth
        return try message.withReadableBytes { bytes throws(VarlinkViolation) in
            try VarlinkReply(parsing: bytes, depth: depth)
        }
    }

    private func readOn() {
        guard isReadHeld, heldStream == nil else { return }
        isReadHeld = false
        context?.read()
    }

    /// Fails all calls that wait, and all later ones, with the first reason given.
    private func fail(_ error: VarlinkClientError) {
        guard failure == nil else { return }
        failure = error
        let failed = pending
        pending = []
        buffer = ByteBuffer()
        for pending in failed {
            switch pending {
            case .single(let promise): promise.fail(error)
            case .stream(_, let source): source.finish(error)
            }
        }
        context?.close(promise: nil)
    }
}
