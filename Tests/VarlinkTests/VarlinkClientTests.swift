import Foundation
import NIOCore
import NIOPosix
import StrictJSON
import TestFixtures
import Testing
import Varlink

@Suite("The client", .timeLimit(.minutes(15)))
struct VarlinkClientTests {
    /// A client whose service is the test.
    private func pair() async throws -> (VarlinkClient, RawConnection) {
        let (ours, theirs) = try RawConnection.pair()
        return (try await VarlinkClient.connect(descriptor: ours), RawConnection(descriptor: theirs))
    }

    @Test("calls are sent without waiting for replies, and replies find their calls by order")
    func pipelines() async throws {
        let (client, service) = try await pair()
        let first = Task { try await client.call("a.b.First", ["n": 1]) }
        #expect(try await service.read(messages: 1) == #"{"method":"a.b.First","parameters":{"n":1}}␀"#)
        let second = Task { try await client.call("a.b.Second") }
        #expect(try await service.read(messages: 1) == #"{"method":"a.b.Second"}␀"#)
        try await client.oneway("a.b.Third")
        #expect(try await service.read(messages: 1) == #"{"method":"a.b.Third","oneway":true}␀"#)
        try await service.write(#"{"parameters":{"n":1},"x.y":0}␀{"error":"a.b.Bad","parameters":{"n":2}}␀"#)
        #expect(try await first.value == ["n": 1])
        await #expect(throws: VarlinkError("a.b.Bad", ["n": 2])) { _ = try await second.value }
    }

    @Test("closing ends the connection, although somebody has a copy of the descriptor")
    func endsCopies() async throws {
        let (ours, theirs) = try RawConnection.pair()
        let copy = RawConnection(descriptor: dup(ours))
        let client = try await VarlinkClient.connect(descriptor: ours)
        await client.close()
        #expect(try await RawConnection(descriptor: theirs).readToEnd() == "")
        withExtendedLifetime(copy) {}
    }

    @Test("a stream ends with the reply without 'continues', and throws an error that the service answers")
    func streams() async throws {
        let (client, service) = try await pair()
        let replies = client.callMore("a.b.More")
        #expect(try await service.read(messages: 1) == #"{"method":"a.b.More","more":true}␀"#)
        try await service.write(
            #"{"parameters":{"n":1},"continues":true}␀{"continues":true}␀{"parameters":{"n":3}}␀"#
        )
        var received: [JSONObject] = []
        for try await reply in replies { received.append(reply) }
        #expect(received == [["n": 1], [:], ["n": 3]])

        let failing = client.callMore("a.b.More")
        #expect(try await service.read(messages: 1) == #"{"method":"a.b.More","more":true}␀"#)
        try await service.write(#"{"parameters":{},"continues":true}␀{"error":"a.b.Bad"}␀"#)
        await #expect(throws: VarlinkError("a.b.Bad")) { for try await _ in failing {} }
    }

    @Test("a stream is read no faster than it is consumed")
    func holdsBack() async throws {
        try await RunningServer.run { running in
            let client = try await VarlinkClient.connect(path: running.path)
            let replies = client.callMore("org.example.test.Stream")
            await running.example.wait(for: "stream")
            let responder = try #require(running.example.takeHeld()).responder
            // The client may catch up as soon as it has fallen behind.
            let writable = AsyncStream<Void>.makeStream()
            responder.onWritable { writable.continuation.yield() }
            var sent = 0
            while responder.send(["value": .integer(sent)]) == .queued { sent += 1 }
            #expect(sent > 32)
            var iterator = replies.makeAsyncIterator()
            for expected in 0...sent { #expect(try await iterator.next() == ["value": .integer(expected)]) }
            for await _ in writable.stream { break }
        }
    }

    @Test("leaving a stream early closes the connection, which ends the stream at the service")
    func cancelsStream() async throws {
        try await RunningServer.run { running in
            let client = try await VarlinkClient.connect(path: running.path)
            let replies = client.callMore("org.example.test.Stream")
            await running.example.wait(for: "stream")
            let responder = try #require(running.example.takeHeld()).responder
            responder.send(["value": 1])
            let reader = Task {
                var count = 0
                for try await _ in replies {
                    count += 1
                    running.example.note("received")
                }
                return count
            }
            await running.example.wait(for: "received")
            reader.cancel()
            await running.example.wait(for: "closed stream")
            _ = await reader.result
            await #expect(throws: VarlinkClientError.connectionClosed) { try await client.call("a.b.C") }
        }
    }

    @Test("a call whose task is cancelled is not waited for, and the next one gets its own reply")
    func cancelsCall() async throws {
        let (client, service) = try await pair()
        let task = Task { try await client.call("a.b.First") }
        _ = try await service.read(messages: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let second = Task { try await client.call("a.b.Second") }
        _ = try await service.read(messages: 1)
        try await service.write(#"{"parameters":{"n":1}}␀{"parameters":{"n":2}}␀"#)
        #expect(try await second.value == ["n": 2])
    }

    @Test(
        "a service that breaks the protocol is cut off",
        arguments: [
            ("␀", VarlinkViolation.emptyMessage),
            ("7␀", .notAnObject(found: "integer")),
            (#"{"parameters":{},"continues":true}␀"#, .unexpectedReply),
            (#"{"parameters":[]}␀"#, .wrongType(member: "parameters", expected: "an object", found: "array")),
            (#"{"error":7}␀"#, .wrongType(member: "error", expected: "a string", found: "integer")),
            (#"{"result":{}}␀"#, .unknownMember("result")),
        ]
    )
    func refusesViolations(reply: String, violation: VarlinkViolation) async throws {
        let (client, service) = try await pair()
        let answer = Task { try await client.call("a.b.C") }
        _ = try await service.read(messages: 1)
        try await service.write(reply)
        await #expect(throws: VarlinkClientError.violation(violation)) { _ = try await answer.value }
        #expect(try await service.readToEnd() == "")
    }

    @Test("a reply without a call is a violation, with which later calls fail")
    func refusesUnexpectedReply() async throws {
        let (client, service) = try await pair()
        try await service.write("{}␀")
        #expect(try await service.readToEnd() == "")
        await #expect(throws: VarlinkClientError.violation(.unexpectedReply)) { try await client.call("a.b.C") }
    }

    @Test("a service that leaves at once, as one does that refuses a client, has closed the connection, however early")
    func refusesAtOnce() async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.close() }
            .bind(unixDomainSocketPath: path).get()
        for _ in 0..<500 {
            let client = try await VarlinkClient.connect(path: path)
            await #expect(throws: VarlinkClientError.connectionClosed) { try await client.call("a.b.C") }
        }
        try await listener.close()
        for _ in 0..<500 {
            let (mine, other) = try RawConnection.pair()
            Glibc.close(other)
            let client = try await VarlinkClient.connect(descriptor: mine)
            await #expect(throws: VarlinkClientError.connectionClosed) { try await client.call("a.b.C") }
        }
    }

    @Test("closing fails all calls that wait", arguments: [true, false])
    func closes(byClient: Bool) async throws {
        let (client, service) = try await pair()
        let answer = Task { try await client.call("a.b.C") }
        let replies = client.callMore("a.b.D")
        _ = try await service.read(messages: 2)
        if byClient { await client.close() } else { service.closeBoth() }
        await #expect(throws: VarlinkClientError.connectionClosed) { _ = try await answer.value }
        await #expect(throws: VarlinkClientError.connectionClosed) { for try await _ in replies {} }
        await #expect(throws: VarlinkClientError.connectionClosed) { try await client.oneway("a.b.E") }
    }

    @Test("dropping the client closes the connection")
    func closesWhenDropped() async throws {
        var pair: (VarlinkClient, RawConnection)? = try await pair()
        let service = try #require(pair).1
        pair = nil
        #expect(try await service.readToEnd() == "")
    }

    @Test("connecting to a path without a service says why it fails")
    func cannotConnect() async throws {
        let path = "/nonexistent/socket"
        await #expect(
            throws: VarlinkClientError.cannotConnect(path: path, errno: ENOENT, reason: "No such file or directory")
        ) { _ = try await VarlinkClient.connect(path: path) }
        let long = "/" + String(repeating: "x", count: 200)
        await #expect(
            throws: VarlinkClientError.cannotConnect(path: long, errno: ENAMETOOLONG, reason: "the path is too long")
        ) { _ = try await VarlinkClient.connect(path: long) }
    }
}
