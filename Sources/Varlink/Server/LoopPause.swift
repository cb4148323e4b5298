internal import Glibc
package import NIOCore
internal import Locking
internal import NIOPosix

/// Lets an event loop look at its sockets before work that has had its turn goes on.
///
/// A loop runs tasks until there are none before it looks at sockets again, so work that goes on in task after task keeps
/// everybody else's input waiting. What waits here goes on by way of a pipe from the loop to itself: when the pipe is seen
/// to be readable, so are the others' sockets.
package final class LoopPause: Sendable {
    private struct State {
        var channel: (any Channel)?
        var waiting: [@Sendable () -> Void] = []
        var isClosed = false

        /// What waits, which then does no longer.
        mutating func take() -> [@Sendable () -> Void] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let eventLoop: any EventLoop
    private let state = Guarded(State())

    /// A pause for one event loop. On a loop that has no sockets what waits just comes next.
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
            // No pipe (yet, or any more): as if there were no sockets.
            return eventLoop.execute { [state] in
                for body in state.withLock({ $0.take() }) { body() }
            }
        }
        if isFirst { channel.writeAndFlush(ByteBuffer(bytes: [0]), promise: nil) }
    }

    /// Closes the pipe; what waits and what comes just comes next.
    package func close() {
        let (channel, waiting) = state.withLock { state in
            state.isClosed = true
            defer { state.channel = nil }
            return (state.channel, state.take())
        }
        channel?.close(promise: nil)
        if !waiting.isEmpty { eventLoop.execute { for body in waiting { body() } } }
    }

    /// Runs what waits, each time the loop has found the pipe readable.
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

/// The pauses of the event loops of a group, all made at once: what they cost does not depend on what clients do.
package final class LoopPauses: Sendable {
    private let pauses = Guarded<[ObjectIdentifier: LoopPause]>([:])

    package init(_ group: any EventLoopGroup) {
        for eventLoop in group.makeIterator() { _ = pause(of: eventLoop) }
    }

    package func pause(of eventLoop: any EventLoop) -> LoopPause {
        pauses.withLock { pauses in
            if let pause = pauses[ObjectIdentifier(eventLoop)] { return pause }
            let pause = LoopPause(eventLoop)
            pauses[ObjectIdentifier(eventLoop)] = pause
            return pause
        }
    }

    /// Succeeds on `eventLoop` when every loop has seen, and done, what its sockets had for it at the time of the call.
    func allHaveLooked(tell eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        let looks = pauses.withLock { $0.values }.map { pause in
            let promise = eventLoop.makePromise(of: Void.self)
            // Twice: the first time the pipe may have been readable before. A loop hears of its sockets in the order in which
            // they had something to say, so the second time it has heard of the others.
            pause.next { pause.next { promise.succeed() } }
            return promise.futureResult
        }
        return .andAllSucceed(looks, on: eventLoop)
    }

    package func close() {
        for pause in pauses.withLock({ $0.values }) { pause.close() }
    }
}
