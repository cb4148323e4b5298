import Glibc
import Basics
import NIOCore
import NIOEmbedded
import NIOPosix
import Testing
import Varlink

@Suite("A pause that lets a loop look at its sockets", .timeLimit(.minutes(15)))
struct LoopPauseTests {
    /// Notes when its channel gets something to read.
    private final class Reader: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let hasRead = Guarded(false)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            hasRead.withLock { $0 = true }
        }
    }

    @Test("work that continues through the pause lets input in, work that continues as task after task does not")
    func letsIn() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let pause = LoopPause(loop)
        for isPausing in [false, true] {
            let reader = Reader()
            let (ours, theirs) = try SocketPair.make()
            let channel = try await ClientBootstrap(group: loop).channelInitializer { channel in
                channel.pipeline.addHandler(reader)
            }.withConnectedSocket(ours).get()
            // A thousand turns, the first of which makes the input readable.
            let turns = Guarded(0)
            let turnsBeforeInput = Guarded<Int?>(nil)
            let done = loop.makePromise(of: Void.self)
            @Sendable func turn() {
                let count = turns.withLock { turns in
                    turns += 1
                    return turns
                }
                if count == 1 { SocketPair.write(theirs) }
                if reader.hasRead.withLock({ $0 }) {
                    turnsBeforeInput.withLock { $0 = $0 ?? count }
                }
                guard count < 1_000 else { return done.succeed() }
                if isPausing { pause.next(turn) } else { loop.execute(turn) }
            }
            loop.execute(turn)
            try await done.futureResult.get()
            if isPausing {
                #expect(try #require(turnsBeforeInput.withLock { $0 }) < 10)
            } else {
                #expect(turnsBeforeInput.withLock { $0 } == nil, "else there is nothing to pause for")
            }
            try await channel.close()
            SocketPair.close(theirs)
        }
        pause.close()
        try await group.shutdownGracefully()
    }

    @Test("work that waits when the pause is closed is run, and so is later work")
    func closing() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let pause = LoopPause(group.next())
        let promises = (0..<2).map { _ in group.next().makePromise(of: Void.self) }
        pause.next { promises[0].succeed() }
        pause.close()
        pause.next { promises[1].succeed() }
        for promise in promises { try await promise.futureResult.get() }
        try await group.shutdownGracefully()
    }

    @Test("on a loop without sockets, waiting work is run next")
    func withoutSockets() {
        let loop = EmbeddedEventLoop()
        let order = Guarded<[Int]>([])
        let pause = LoopPause(loop)
        for number in 1...3 { pause.next { order.withLock { $0.append(number) } } }
        loop.run()
        #expect(order.withLock { $0 } == [1, 2, 3])
    }
}

/// Two connected Unix sockets, bare.
enum SocketPair {
    struct Failure: Error {}

    static func make() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw Failure() }
        return (ends[0], ends[1])
    }

    static func write(_ end: CInt) {
        _ = [UInt8(1)].withUnsafeBytes { Glibc.write(end, $0.baseAddress, 1) }
    }

    static func close(_ end: CInt) { _ = Glibc.close(end) }
}
