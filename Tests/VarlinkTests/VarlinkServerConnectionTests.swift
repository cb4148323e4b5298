import NIOCore
import NIOEmbedded
import NIOPosix
import Basics
import StrictJSON
import TestFixtures
import Testing

@testable import Varlink

/// Time limits and back-pressure, on a loop and a channel that the test drives.
@Suite("A connection of the server", .timeLimit(.minutes(15)))
struct VarlinkServerConnectionTests {
    /// Keeps replies from being flushed, like a client that does not read.
    private final class Dam: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        var isOpen = false
        func flush(context: ChannelHandlerContext) {
            if isOpen { context.flush() }
        }
    }

    private struct Fixture {
        let example: ExampleService
        let incidents = RunningServer.Incidents()
        let channel: EmbeddedChannel
        let dam = Dam()
        /// What the system is said to have taken and the client not to have read.
        let unread = Guarded(0)
        /// Nanoseconds by the clock on the wall. Nothing takes time but what a test says.
        let time: Guarded<Int>
        let eventLoop: EmbeddedEventLoop
        let loops: FairLoops
        let left = Guarded(0)
        let closed = Guarded(false)
        let connection: VarlinkServerConnection

        init(
            limits: VarlinkServerLimits = VarlinkServerLimits(),
            dammed: Bool = false,
            callTakes nanoseconds: Int = 0
        ) throws {
            let time = Guarded(0)
            let eventLoop = EmbeddedEventLoop()
            try self.init(
                limits: limits,
                dammed: dammed,
                example: ExampleService { time.withLock { $0 += nanoseconds } },
                time: time,
                eventLoop: eventLoop,
                loops: FairLoops(LoopPauses([eventLoop])) { LoopStopwatch { time.withLock { $0 } } }
            )
        }

        private init(
            limits: VarlinkServerLimits,
            dammed: Bool,
            user: UInt32 = 0,
            example: ExampleService,
            time: Guarded<Int>,
            eventLoop: EmbeddedEventLoop,
            loops: FairLoops
        ) throws {
            self.example = example
            self.time = time
            self.loops = loops
            self.eventLoop = eventLoop
            channel = EmbeddedChannel(loop: eventLoop)
            dam.isOpen = !dammed
            let incidents = incidents
            let unread = unread
            connection = VarlinkServerConnection(
                id: 1,
                peer: VarlinkPeer(userID: user, groupID: 0, processID: 0),
                environment: .init(
                    dispatcher: try VarlinkDispatcher(
                        services: [try example.service()],
                        identity: VarlinkIdentity(vendor: "", product: "", version: "", url: ""),
                        authorize: { _, _ in nil }
                    ),
                    limits: limits,
                    checksReplies: true,
                    report: { incidents.add($0.kind) },
                    input: VarlinkMemoryPool(total: limits.inputMemory, perUser: limits.inputMemoryPerUser),
                    output: VarlinkMemoryPool(total: limits.outputMemory, perUser: limits.outputMemoryPerUser),
                    loops: loops,
                    unread: { _ in unread.withLock { $0 } }
                ),
                onLeft: { [left] in
                    left.withLock { $0 += 1 }
                    return true
                },
                onClosed: { [closed] in closed.withLock { $0 = true } }
            )
            try channel.pipeline.syncOperations.addHandlers(dam, connection)
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
        }

        /// Another connection of the same service on the same loop.
        func another(user: UInt32) throws -> Fixture {
            try Fixture(
                limits: VarlinkServerLimits(),
                dammed: false,
                user: user,
                example: example,
                time: time,
                eventLoop: eventLoop,
                loops: loops
            )
        }

        func send(_ text: String) throws {
            try channel.writeInbound(ByteBuffer(bytes: text.utf8Bytes))
        }

        /// The client reads all that waits for it, and then nothing more.
        /// - Returns: what it has read.
        func read() throws -> String {
            dam.isOpen = true
            channel.flush()
            dam.isOpen = false
            var text = ""
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
            return text.replacing("\0", with: "␀")
        }

        func setWritable(_ isWritable: Bool) {
            channel.isWritable = isWritable
            channel.pipeline.fireChannelWritabilityChanged()
        }
    }

    @Test("a user with many connections has no more of a loop than one with one connection")
    func sharesLoop() throws {
        let first = try Fixture(callTakes: FairLoop.share)
        let (example, eventLoop) = (first.example, first.eventLoop)
        let many = try (0..<20).map { _ in try first.another(user: 1) }
        for (number, fixture) in many.enumerated() {
            try fixture.send(String(repeating: ExampleCalls.echo("\(number)"), count: 3))
        }
        // So far the loop has not looked at its sockets again.
        #expect(example.log.count == 1)
        let one = try first.another(user: 2)
        try one.send(ExampleCalls.echo("hello"))
        #expect(try one.read() == ExampleCalls.hello)
        #expect(example.log.count == 2)
        // Nothing is lost, and the connections take turns.
        eventLoop.run()
        let order = example.log.filter { $0 != "echo hello" }
        #expect(order.count == 60)
        #expect(order[1...20] == order[21...40])
        for (number, fixture) in many.enumerated() {
            #expect(try fixture.read() == String(repeating: ExampleCalls.echoed("\(number)"), count: 3))
        }
    }

    @Test("a client that sends nothing has 45 seconds")
    func closesSilentClient() throws {
        let silent = try Fixture()
        silent.channel.embeddedEventLoop.advanceTime(by: .seconds(45) - .nanoseconds(1))
        #expect(silent.channel.isActive)
        silent.channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!silent.channel.isActive)
        #expect(silent.incidents.all == [.silent])

        let slow = try Fixture()
        try slow.send("{")
        slow.channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(slow.channel.isActive)
    }

    @Test("a client that reads nothing for 10 seconds is cut off, one that reads a little is not")
    func closesStalledClient() throws {
        let fixture = try Fixture(dammed: true)
        try fixture.send(#"{"method":"org.example.test.Stream","more":true}␀"#)
        let stream = try #require(fixture.example.takeHeld()).responder
        fixture.setWritable(false)
        stream.send(["value": 1])
        fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        // It reads all there is so far, while more is on its way, and then nothing more.
        fixture.dam.isOpen = true
        fixture.channel.flush()
        fixture.dam.isOpen = false
        for _ in 0..<2 { stream.send(["value": 1]) }
        fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(15) - .nanoseconds(1))
        #expect(fixture.channel.isActive)
        fixture.channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!fixture.channel.isActive)
        #expect(fixture.incidents.all == [.stalled(bytes: 88)])
    }

    @Test("a stream that tolerates stalls waits for its client for any time, until it has ended")
    func toleratesStall() throws {
        let fixture = try Fixture(dammed: true)
        try fixture.send(#"{"method":"org.example.test.Stream","more":true}␀"#)
        let stream = try #require(fixture.example.takeHeld()).responder
        stream.tolerateStalls()
        fixture.setWritable(false)
        stream.send(["value": 1])
        fixture.channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(fixture.channel.isActive)
        stream.reply(["value": 2])
        fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(20))
        #expect(!fixture.channel.isActive)
        #expect(fixture.incidents.all.count == 1)
    }

    /// A stream that tolerates stalls, with `onDrain` and `onCutOff` set, while its server shuts down.
    private func drainingStream() throws -> (Fixture, VarlinkResponder) {
        let fixture = try Fixture(dammed: true)
        try fixture.send(#"{"method":"org.example.test.Stream","more":true}␀"#)
        let stream = try #require(fixture.example.takeHeld()).responder
        stream.tolerateStalls()
        stream.onDrain {}
        stream.onCutOff { stream.fail(VarlinkError("org.example.test.Failed", ["reason": "too slow"])) }
        fixture.setWritable(false)
        stream.send(["value": 1])
        // It waits as long as the server does not shut down.
        fixture.channel.embeddedEventLoop.advanceTime(by: .hours(1))
        fixture.connection.drain(.init(stall: .seconds(2), lastWord: .milliseconds(500)))
        return (fixture, stream)
    }

    private static let first = #"{"parameters":{"value":1},"continues":true}␀"#
    private static let lastWord = #"{"error":"org.example.test.Failed","parameters":{"reason":"too slow"}}␀"#

    @Test("while the server shuts down a stream goes on for a client that reads, and is cut off when it does not")
    func cutsOffStalledStream() throws {
        let (fixture, stream) = try drainingStream()
        for _ in 0..<100 {
            fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(2) - .nanoseconds(1))
            #expect(try fixture.read() == Self.first)
            stream.send(["value": 1])
            // The connection checks every two seconds, and each time the client has read something.
            fixture.channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
            #expect(fixture.incidents.all.isEmpty)
        }
        fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(fixture.incidents.all == [.cutOff(bytes: 44)])
        #expect(fixture.channel.isActive)
        #expect(stream.send(["value": 2]) == .dropped)
        fixture.channel.embeddedEventLoop.advanceTime(by: .milliseconds(500) - .nanoseconds(1))
        #expect(try fixture.read() == Self.first + Self.lastWord)
        fixture.channel.embeddedEventLoop.run()
        #expect(!fixture.channel.isActive)
        #expect(fixture.incidents.all.count == 1)
    }

    @Test("a client that reads what the system has taken is not cut off, though the system takes no more yet")
    func noticesReading() throws {
        let (fixture, stream) = try drainingStream()
        fixture.unread.withLock { $0 = 200_000 }
        // Looked at once before there was anything to read.
        fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(try fixture.read() == Self.first)
        stream.send(["value": 1])
        fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        for _ in 0..<5 {
            fixture.unread.withLock { $0 -= 36_000 }
            fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(fixture.incidents.all.isEmpty)
        }
        fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(fixture.incidents.all == [.cutOff(bytes: 44)])
        withExtendedLifetime(stream) {}
    }

    @Test("the system says how much of what was sent is unread")
    func countsUnread() async throws {
        let (ours, theirs) = try RawConnection.pair()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channel = try await ClientBootstrap(group: group).withConnectedSocket(ours).get()
        let other = RawConnection(descriptor: theirs)
        func unread() async throws -> Int { try await channel.eventLoop.submit { VarlinkSocket.unread(channel) }.get() }
        #expect(try await unread() == 0)
        try await channel.writeAndFlush(ByteBuffer(repeating: 0x61, count: 50_000))
        let before = try await unread()
        #expect(before >= 50_000)
        try await channel.writeAndFlush(ByteBuffer(string: "\0"))
        _ = try await other.read(messages: 1)
        #expect(try await unread() == 0)
        try await channel.close()
        try await group.shutdownGracefully()
    }

    @Test("a client that does not read the last word either is disconnected half a second later")
    func leavesStalledStream() throws {
        let (fixture, stream) = try drainingStream()
        fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(fixture.incidents.all == [.cutOff(bytes: 44)])
        fixture.channel.embeddedEventLoop.advanceTime(by: .milliseconds(500) - .nanoseconds(1))
        #expect(fixture.channel.isActive)
        fixture.channel.embeddedEventLoop.advanceTime(by: .nanoseconds(1))
        #expect(!fixture.channel.isActive)
        #expect(stream.send(["value": 2]) == .dropped)
    }

    @Test("at the deadline a client that reads all the time is cut off too, and told so")
    func cutsOffSlowStream() throws {
        let (fixture, _) = try drainingStream()
        #expect(try fixture.read() == Self.first)
        fixture.connection.cutOff()
        fixture.connection.cutOff()
        #expect(try fixture.read() == Self.lastWord)
        fixture.channel.embeddedEventLoop.run()
        #expect(!fixture.channel.isActive)
        #expect(fixture.incidents.all == [.cutOff(bytes: 0)])
    }

    @Test("a client that catches up in time is not cut off")
    func forgivesStall() throws {
        let fixture = try Fixture(dammed: true)
        try fixture.send(#"{"method":"org.example.test.Fail"}␀"#)
        fixture.setWritable(false)
        fixture.channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        fixture.setWritable(true)
        fixture.channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(fixture.channel.isActive)
    }

    @Test("no call starts until the client has read its replies")
    func waitsForReader() throws {
        let fixture = try Fixture(dammed: true)
        fixture.setWritable(false)
        try fixture.send(String(repeating: #"{"method":"org.example.test.Echo","parameters":{"text":"a"}}␀"#, count: 3))
        #expect(fixture.example.log.isEmpty)
        fixture.dam.isOpen = true
        fixture.setWritable(true)
        #expect(fixture.example.log == ["echo a", "echo a", "echo a"])
    }

    @Test("a client that sends many calls at once has as many answered as fit its share, then others come first")
    func takesTurns() throws {
        let fixture = try Fixture(callTakes: FairLoop.share / 8)
        let echo = #"{"method":"org.example.test.Echo","parameters":{"text":"a"}}␀"#
        // The work of another connection on the same loop comes after the first turn of this one.
        let other = Guarded(0)
        try fixture.send("{")
        fixture.channel.embeddedEventLoop.execute { other.withLock { $0 = fixture.example.log.count } }
        try fixture.channel.writeInbound(
            ByteBuffer(bytes: (String(echo.dropFirst()) + String(repeating: echo, count: 99)).utf8Bytes)
        )
        #expect(fixture.example.log.count == 8)
        fixture.channel.embeddedEventLoop.run()
        #expect(fixture.example.log.count == 100)
        #expect(other.withLock { $0 } == 8)
    }

    @Test("a client that leaves while its calls wait for their turn has them executed")
    func leavesBeforeTurn() throws {
        let fixture = try Fixture(callTakes: FairLoop.share)
        try fixture.send(
            ExampleCalls.echo("1") + ExampleCalls.echo("2", #","oneway":true"#) + ExampleCalls.echo("3")
                + ExampleCalls.hold("4") + ExampleCalls.echo("5") + "{"
        )
        #expect(fixture.example.log == ["echo 1"])
        fixture.channel.close(promise: nil)
        #expect(fixture.left.withLock { $0 } == 1)
        #expect(!fixture.closed.withLock { $0 })
        fixture.eventLoop.run()
        #expect(fixture.example.log == ["echo 1", "echo 2", "echo 3", "hold 4", "closed 4"])
        #expect(fixture.closed.withLock { $0 })
        #expect(fixture.incidents.all.isEmpty)
    }

    @Test("a client that exceeds its user's memory is cut off; short messages never count")
    func boundsMemory() throws {
        var limits = VarlinkServerLimits()
        limits.inputMemoryPerUser = 100_000
        let fixture = try Fixture(limits: limits)
        let text = String(repeating: "x", count: 65_536 + 100_000 - 2)
        try fixture.send(#"{""# + text)
        #expect(fixture.channel.isActive)
        try fixture.send("x")
        #expect(!fixture.channel.isActive)
        #expect(fixture.incidents.all == [.tooMuchMemory(bytes: 165_537)])
    }

    @Test("while a call waits, the connection reads ahead up to the limit, and further after the reply")
    func stopsReading() throws {
        final class Reads: ChannelOutboundHandler {
            typealias OutboundIn = ByteBuffer
            var count = 0
            func read(context: ChannelHandlerContext) {
                count += 1
                context.read()
            }
        }
        var limits = VarlinkServerLimits()
        limits.readAhead = 100
        let fixture = try Fixture(limits: limits)
        let reads = Reads()
        try fixture.channel.pipeline.syncOperations.addHandler(reads, position: .first)
        try fixture.send(#"{"method":"org.example.test.Hold","parameters":{"key":"a"}}␀"#)
        fixture.channel.read()
        #expect(reads.count == 1)
        try fixture.send(String(repeating: #"{"method":"org.example.test.Fail"}␀"#, count: 3))
        fixture.channel.read()
        #expect(reads.count == 1)
        try #require(fixture.example.takeHeld()).responder.reply(["text": "a"])
        #expect(reads.count == 2)
    }
}
