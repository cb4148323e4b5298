internal import Glibc
package import NIOCore
internal import Basics
internal import NIOPosix

/// Lets an event loop look at its sockets before long work goes on.
///
/// A loop looks at its sockets only when it has no task left to run, so work that continues in task after task keeps all
/// input waiting. Work that waits here continues when a pipe from the loop to itself is readable; by then the loop has looked
/// at the other sockets too.
package final class LoopPause: Sendable {
    private struct State {
        var channel: (any Channel)?
        var waiting: [@Sendable () -> Void] = []
        var isClosed = false

        /// Removes and returns the work that waits.
        mutating func take() -> [@Sendable () -> Void] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let eventLoop: any EventLoop
    private let state = Guarded(State())

    /// A pause for one event loop. On a loop without sockets, such as one for tests, waiting work is simply enqueued.
    package init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        guard let bootstrap = NIOPipeBootstrap(validatingGroup: eventLoop) else { return }
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { VarlinkSocket.closeOnExecution(end) }
        let state = self.state
        bootstrap.channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Wake { state.withLock { $0.take() } })
            }
        }
        .takingOwnershipOfDescriptors(input: ends[0], output: ends[1])
        .whenSuccess { channel in
            let isClosed = state.withLock { state in
                if !state.isClosed { state.channel = channel }
                return state.isClosed
            }
            if isClosed { channel.close(promise: nil) }
        }
    }

    /// Calls `body` on the loop, once it has looked at its sockets.
    package func next(_ body: @escaping @Sendable () -> Void) {
        let (channel, isFirst) = state.withLock { state in
            state.waiting.append(body)
            return (state.channel, state.waiting.count == 1)
        }
        guard let channel else {
            // The pipe is not open yet, or closed: enqueue the work, as on a loop without sockets.
            return eventLoop.execute { [state] in
                for body in state.withLock({ $0.take() }) { body() }
            }
        }
        if isFirst { channel.writeAndFlush(ByteBuffer(bytes: [0]), promise: nil) }
    }

    /// Closes the pipe. Work that waits, and all later work, is simply enqueued.
    package func close() {
        let (channel, waiting) = state.withLock { state in
            state.isClosed = true
            defer { state.channel = nil }
            return (state.channel, state.take())
        }
        channel?.close(promise: nil)
        if !waiting.isEmpty { eventLoop.execute { for body in waiting { body() } } }
    }

    /// Runs the work that waits each time the loop has found the pipe readable.
    private final class Wake: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let take: () -> [@Sendable () -> Void]

        init(_ take: @escaping () -> [@Sendable () -> Void]) {
            self.take = take
        }

        func channelReadComplete(context: ChannelHandlerContext) {
            for body in take() { body() }
        }
    }
}

/// The pauses of some event loops, made at once, so that clients cannot cause further pipes to be opened.
package final class LoopPauses: Sendable {
    private let pauses = Guarded<[ObjectIdentifier: LoopPause]>([:])

    /// One pause for each loop.
    package init(_ loops: [any EventLoop]) {
        for eventLoop in loops { _ = pause(of: eventLoop) }
    }

    /// The pause of `eventLoop`, which is made if the loop is none of those given.
    package func pause(of eventLoop: any EventLoop) -> LoopPause {
        pauses.withLock { pauses in
            if let pause = pauses[ObjectIdentifier(eventLoop)] { return pause }
            let pause = LoopPause(eventLoop)
            pauses[ObjectIdentifier(eventLoop)] = pause
            return pause
        }
    }

    /// Succeeds on `eventLoop` when each of the loops has handled all input that its sockets had at the time of the call.
    func haveLooked(_ loops: [any EventLoop], tell eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let looks = loops.map { loop in
            let pause = pause(of: loop)
            let promise = eventLoop.makePromise(of: Void.self)
            // Twice: the first time, the pipe may have been readable already. The loop handles sockets in the order in which
            // they became readable, so by the second time it has handled the others.
            pause.next { pause.next { promise.succeed() } }
            return promise.futureResult
        }
        return .andAllSucceed(looks, on: eventLoop)
    }

    /// Closes all pipes; see ``LoopPause/close()``.
    package func close() {
        for pause in pauses.withLock({ $0.values }) { pause.close() }
    }
}
