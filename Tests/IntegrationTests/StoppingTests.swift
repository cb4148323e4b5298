import Foundation
import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("Stopping the live daemon", .timeLimit(.minutes(15)))
struct StoppingTests {
    /// Events that take the daemon a moment; all are admitted when this returns.
    private static func queue(_ count: Int, on client: VarlinkClient) async throws {
        _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
        let urls: [JSONValue] = ["qcommerce://product/p1", "qcommerce://orders"]
        for number in 0..<count {
            try await client.oneway("io.scened.Events.OpenURL", ["url": urls[number % 2], "scene": "A"])
        }
    }

    @Test("admitted events are finished and answered, and the daemon ends", arguments: [SIGTERM, SIGINT])
    func graceful(signal: Int32) async throws {
        let ending = try await LiveDaemon.ending(["--transition", "60000"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            let waiting = try await daemon.client()
            async let gated = waiting.openURL("qcommerce://cart", .init(scene: "A", event: "gated", wait: .finished))
            async let first = daemon.client().openURL("qcommerce://product/p1", .init(scene: "A"))
            try await daemon.record("navigation.step", scene: "A")
            async let second = daemon.client().openURL("qcommerce://orders", .init(scene: "A", event: "second"))
            try await daemon.record("event.admitted", event: "second")
            daemon.signal(signal)
            let receipts = try await [gated, first, second]
            for receipt in receipts.dropFirst() { #expect(receipt.outcome == .applied) }
            #expect([OutcomeName.superseded, .abandoned, .gated].contains(receipts[0].outcome.known))
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        #expect(!ending.leftSocket)
        #expect(ending.stopping < .seconds(5))
        #expect(ending.log == "")
    }

    @Test("while it finishes, new calls are refused as draining")
    func draining() async throws {
        let count = 2_000
        // Long enough for a busy machine, for the events and for their follower.
        let settings = ["--mailbox", "1000000", "--set", "drainTimeout=120000"]
        let ending = try await LiveDaemon.ending(settings) { daemon in
            let busy = try await daemon.connect()
            try await Self.queue(count, on: busy)
            _ = try await busy.call("io.scened.Scenes.List")
            let other = try await daemon.connect()
            let follower = try await daemon.connect()
            let records = follower.callMore("io.scened.Records.Read", ["scene": "A", "limit": 10_000])
            // It follows before the daemon stops: who comes later may find it gone.
            var pages = records.makeAsyncIterator()
            let first = Self.endings(in: try await pages.next())
            async let later = Self.endings(in: pages)
            daemon.stop()

            var admitted = 0
            do {
                var refusal: VarlinkError?
                while refusal == nil {
                    refusal = try await other.refusal(
                        "io.scened.Events.OpenURL",
                        ["url": "qcommerce://home", "scene": "A", "wait": "admitted"]
                    )
                    if refusal == nil { admitted += 1 }
                }
                #expect(refusal == VarlinkError("io.scened.Events.Draining"))
                let connect = try await other.refusal("io.scened.Scenes.Connect")
                #expect(connect == VarlinkError("io.scened.Scenes.Draining"))
                for (method, parameters) in [("SignIn", ["user": "anna"]), ("SignOut", [:]), ("Commit", [:])]
                    as [(String, JSONObject)]
                {
                    let refusal = try await other.refusal("io.scened.Session.\(method)", parameters)
                    #expect(refusal == VarlinkError("io.scened.Session.Draining"))
                }
                #expect(try await other.call("io.scened.Session.Get")["session"] != nil, "reading is still allowed")
            } catch VarlinkClientError.connectionClosed {
                // The daemon may finish before this client has made all its calls, but it may not answer anything else.
            }
            #expect(try await first + later == count + admitted, "what was admitted was finished")
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        #expect(!ending.leftSocket)
        #expect(ending.stopping < .seconds(5))
    }

    @Test("a second signal ends it at once", arguments: [(SIGTERM, SIGTERM), (SIGTERM, SIGINT), (SIGINT, SIGTERM)])
    func twice(first: Int32, second: Int32) async throws {
        // More and more events, until there are too many to finish meanwhile.
        for count in [8_000, 40_000, 200_000] {
            let ending = try await LiveDaemon.ending(["--mailbox", "1000000"]) { daemon in
                let busy = try await daemon.connect()
                try await Self.queue(count, on: busy)
                let other = try await daemon.connect()
                daemon.signal(first)
                let link: JSONObject = ["url": "qcommerce://home", "wait": "admitted"]
                // Refused once it stops; cut off if it has stopped already.
                while (try? await other.call("io.scened.Events.OpenURL", link)) != nil {}
                daemon.signal(second)
            }
            #expect(ending.stopping < .seconds(5))
            if ending.status == .exited(0) { continue }
            #expect(ending.status == .exited(128 + second), "\(ending.log)")
            #expect(ending.stopping < .seconds(2))
            return
        }
        Issue.record("it finished 200,000 events before it could be told to stop at once")
    }

    @Test("streams end, and clients that send nothing or half a call do not keep it")
    func idleClients() async throws {
        let ending = try await LiveDaemon.ending { daemon in
            var sessions = try await daemon.connect().callMore("io.scened.Session.Get").makeAsyncIterator()
            var lists = try await daemon.connect().callMore("io.scened.Scenes.List").makeAsyncIterator()
            var records = try await daemon.connect().callMore("io.scened.Records.Read").makeAsyncIterator()
            _ = try await (sessions.next(), lists.next(), records.next())
            let silent = try RawConnection(path: daemon.socket)
            let halfway = try RawConnection(path: daemon.socket)
            try await halfway.write(#"{"method":"io.scened."#)
            daemon.stop()
            while try await sessions.next() != nil {}
            while try await lists.next() != nil {}
            var last: JSONValue?
            while let page = try await records.next() { last = page["records"]?.arrayValue?.last ?? last }
            #expect(last?["kind"] == "host.stopped")
            #expect(try await silent.readToEnd() == "")
            #expect(try await halfway.readToEnd() == "")
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        #expect(ending.stopping < .seconds(5))
    }

    /// A follower that has read the beginning of a history far longer than sockets and queues hold.
    private static func followerFarBehind(_ daemon: LiveDaemon) async throws -> RawConnection {
        let client = try await daemon.connect()
        let text = String(repeating: "x", count: 120)
        for number in 0..<10_000 {
            try await client.oneway("io.scened.Session.SignIn", ["user": .string("\(number)\(text)")])
        }
        _ = try await client.call("io.scened.Session.Get")
        let raw = try RawConnection(path: daemon.socket)
        try await raw.write(#"{"method":"io.scened.Records.Read","parameters":{"after":0},"more":true}␀"#)
        _ = try await raw.read(messages: 1)
        return raw
    }

    @Test("a follower that is far behind reads the history to its end")
    func followerReads() async throws {
        let ending = try await LiveDaemon.ending(["--set", "drainTimeout=120000"]) { daemon in
            let follower = try await Self.followerFarBehind(daemon)
            daemon.stop()
            let messages = try await follower.readToEnd().split(separator: "␀")
            #expect(messages.dropLast().last?.contains(#""kind":"host.stopped""#) == true)
            #expect(messages.last?.contains("continues") == false && messages.last?.contains("error") == false)
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        #expect(ending.log == "")
    }

    @Test("a follower that does not read is cut off in time, and its stream has no proper end")
    func followerDoesNotRead() async throws {
        var follower: RawConnection?
        let ending = try await LiveDaemon.ending { daemon in
            follower = try await Self.followerFarBehind(daemon)
            daemon.stop()
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        // Two seconds without reading, and half a second to read the rest.
        #expect(ending.stopping < .seconds(5))
        #expect(ending.log.contains("a client was cut off"), "\(ending.log)")
        let messages = try #require(try await follower?.readToEnd()).split(separator: "␀")
        #expect(messages.last?.contains(#""continues":true"#) == true || messages.last?.hasSuffix("}") == false)
        #expect(!messages.contains { $0.contains("host.stopped") })
    }

    @Test("the socket that a killed daemon left is taken over")
    func stalePath() async throws {
        let directory = try TemporaryDirectory()
        let killed = try await LiveDaemon.ending(directory: directory) { $0.signal(SIGKILL) }
        #expect(killed.status == .signaled(SIGKILL))
        #expect(killed.leftSocket)
        let ending = try await LiveDaemon.ending(directory: directory) { daemon in
            try await daemon.expectService()
            daemon.stop()
        }
        #expect(ending.status == .exited(0))
        #expect(!ending.leftSocket)
    }

    @Test("a path that is in use, or is not a socket, is left alone and named in the error")
    func takenPath() async throws {
        try await LiveDaemon.run { daemon in
            let second = try await Program.run(Command.built("scened"), ["--socket", daemon.socket])
            #expect(second.status == .exited(1))
            #expect(second.errors.contains(daemon.socket))
            try await daemon.expectService()
        }
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/notes"
        try "keep me".write(toFile: path, atomically: true, encoding: .utf8)
        let refused = try await Program.run(Command.built("scened"), ["--socket", path])
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains(path))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep me")
    }

    @Test(
        "wrong options are refused with what was expected",
        arguments: [
            (["--transition=-1"], "0 to 60000"), (["--mailbox", "0"], "1 to 1000000"),
            (["--event-loops", "0"], "1 to 256"), (["--log", "printer"], "printer"), (["--colour"], "--colour"),
        ]
    )
    func options(arguments: [String], words: String) async throws {
        let refused = try await Program.run(Command.built("scened"), arguments)
        #expect(refused.status != .exited(0))
        #expect(refused.errors.contains(words), "\(refused.errors)")
    }

    /// How many dispatches ended until the stream did.
    private static func endings(in stream: sending VarlinkReplies.AsyncIterator) async throws -> Int {
        var (stream, count) = (stream, 0)
        while let page = try await stream.next() { count += endings(in: page) }
        return count
    }

    private static func endings(in page: JSONObject?) -> Int {
        (page?["records"]?.arrayValue ?? []).count { $0["kind"] == "dispatch.ended" }
    }
}
