import Foundation
import NIOCore
import StrictJSON
import Basics
import TestFixtures
import Testing
import Varlink

/// Takes a number and sends it in one step, behind a lock.
private final class Publisher: Sendable {
    private let responder: VarlinkResponder
    private let total: Int
    private let next = Guarded(0)

    init(responder: VarlinkResponder, total: Int) {
        self.responder = responder
        self.total = total
    }

    func publish() -> Bool {
        next.withLock { next in
            guard next < total else { return false }
            responder.send(["value": .integer(next)])
            next += 1
            return true
        }
    }

    func publishAll(on eventLoop: any EventLoop) {
        eventLoop.execute { if self.publish() { self.publishAll(on: eventLoop) } }
    }
}

@Suite("Streams", .timeLimit(.minutes(15)))
struct VarlinkStreamTests {
    private static let call = #"{"method":"org.example.test.Stream","more":true}␀"#

    /// A connection with a stream whose replies the test sends.
    private func open(_ running: RunningServer) async throws -> (RawConnection, ExampleService.Held) {
        let raw = try RawConnection(path: running.path)
        try await raw.write(Self.call)
        await running.example.wait(for: "stream")
        return (raw, try #require(running.example.takeHeld()))
    }

    @Test("all replies but the last have 'continues', and after it the connection takes the next call")
    func continues() async throws {
        try await RunningServer.run { running in
            let (raw, held) = try await open(running)
            held.responder.send(["value": 1])
            held.responder.send(["value": 2])
            held.responder.reply(["value": 3])
            #expect(held.responder.send(["value": 4]) == .dropped)
            try await raw.write(#"{"method":"org.example.test.Fail"}␀"#)
            #expect(
                try await raw.read(messages: 4)
                    == #"{"parameters":{"value":1},"continues":true}␀{"parameters":{"value":2},"continues":true}␀"#
                    + #"{"parameters":{"value":3}}␀"#
                    + #"{"error":"org.example.test.Failed","parameters":{"reason":"on purpose"}}␀"#
            )
        }
    }

    @Test("replies that several threads send in an order arrive in that order, including those sent on the event loop")
    func keepsOrderAcrossThreads() async throws {
        try await RunningServer.run { running in
            let client = try await VarlinkClient.connect(path: running.path)
            let replies = client.callMore("org.example.test.Stream")
            await running.example.wait(for: "stream")
            let held = try #require(running.example.takeHeld())
            let total = 5_000
            let publisher = Publisher(responder: held.responder, total: total)
            let eventLoop = held.request.connection.eventLoop
            await withTaskGroup { group in
                publisher.publishAll(on: eventLoop)
                for _ in 0..<3 { group.addTask { while publisher.publish() {} } }
            }
            held.responder.reply(["value": .integer(total)])
            var expected = 0
            for try await reply in replies {
                #expect(reply["value"] == .integer(expected))
                expected += 1
            }
            #expect(expected == total + 1)
        }
    }

    @Test("closing calls the stream's onClose, and its further replies are dropped")
    func cancelsByClosing() async throws {
        try await RunningServer.run { running in
            let (raw, held) = try await open(running)
            held.responder.send(["value": 1])
            _ = try await raw.read(messages: 1)
            raw.closeBoth()
            await running.example.wait(for: "closed stream")
            #expect(held.responder.send(["value": 2]) == .dropped)
            #expect(!held.responder.isWritable)
        }
    }

    @Test("a half-close leaves the stream running")
    func survivesHalfClose() async throws {
        try await RunningServer.run { running in
            let (raw, held) = try await open(running)
            raw.closeWriting()
            held.responder.send(["value": 1])
            #expect(try await raw.read(messages: 1) == #"{"parameters":{"value":1},"continues":true}␀"#)
            held.responder.reply(["value": 2])
            #expect(try await raw.readToEnd() == #"{"parameters":{"value":2}}␀"#)
        }
    }

    @Test("a slow reader congests the stream, and onWritable says when it has caught up")
    func backPressure() async throws {
        try await RunningServer.run { running in
            let (raw, held) = try await open(running)
            let writable = AsyncStream<Void>.makeStream()
            held.responder.onWritable { writable.continuation.yield() }
            var sent = 0
            while held.responder.send(["value": .integer(sent)]) == .queued { sent += 1 }
            sent += 1
            #expect(!held.responder.isWritable)
            let expected = sent
            async let received = raw.read(messages: expected)
            // Queued replies are still on their way: they may congest the channel once more, and it is called again.
            var delivery = VarlinkDelivery.congested
            for await _ in writable.stream {
                delivery = held.responder.send(["value": 0])
                if delivery == .queued { break }
            }
            #expect(delivery == .queued)
            #expect(try await received.count(where: { $0 == "␀" }) >= expected)
        }
    }

    @Test("a stream that sends though nobody reads is closed at the limit of the queue, and only that one")
    func closesAtQueueLimit() async throws {
        var limits = VarlinkServerLimits()
        limits.outputQueue = 1 << 20
        try await RunningServer.run(limits: limits) { running in
            let (raw, held) = try await open(running)
            var sent = 0
            // At 40 bytes a reply, far more than the queue and the socket's buffers hold.
            while sent < 500_000, held.responder.send(["value": .integer(sent)]) != .dropped { sent += 1 }
            #expect(sent < 500_000)
            await running.example.wait(for: "closed stream")
            let incident = try #require(running.incidents.first)
            guard case .stalled = incident else {
                Issue.record("expected a stall, found \(incident)")
                return
            }
            let other = try RawConnection(path: running.path)
            try await other.write(#"{"method":"org.example.test.Fail"}␀"#)
            #expect(try await other.read(messages: 1).contains("Failed"))
            _ = try await raw.readToEnd()
        }
    }

    @Test("a reply with 'continues' to a call without 'more' is a defect")
    func refusesContinuesWithoutMore() async throws {
        try await RunningServer.run { running in
            let raw = try RawConnection(path: running.path)
            try await raw.write(#"{"method":"org.example.test.Hold","parameters":{"key":"a"}}␀"#)
            await running.example.wait(for: "hold a")
            let held = try #require(running.example.takeHeld())
            #expect(held.responder.send(["text": "a"]) == .dropped)
            #expect(try await raw.readToEnd() == "")
            #expect(
                running.incidents == [
                    .defect(
                        method: "org.example.test.Hold",
                        reason: "it sent a reply with 'continues' to a call without 'more'"
                    )
                ]
            )
        }
    }
}
