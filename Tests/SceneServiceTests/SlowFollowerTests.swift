import NIOCore
import NIOPosix
import SceneManifest
import SceneRouting
import SceneRuntime
import SceneService
import StrictJSON
import Testing
import Varlink

@Suite("A follower that reads slowly harms nobody and misses nothing", .timeLimit(.minutes(15)))
struct SlowFollowerTests {
    @Test(
        "if there are more commits than a follower's queue holds, it is told how many it missed, and ends at the newest"
    )
    func session() async throws {
        try await withService { host, client, _ in
            try await client.send(#"{"method":"io.scened.Session.Get","more":true}"#)
            let text = FactValue.string(String(repeating: "x", count: 60_000))
            for number in 1...200 {
                try await host.session.commit(set: ["order": text])
                try await host.session.commit(set: ["order": .string("\(number)")])
            }
            var last = -1
            var missed = 0
            while last < 400 {
                let reply = try await client.receive()["parameters"]?.objectValue
                let revision = try #require(reply?["session"]?.objectValue?["revision"]?.integerValue)
                let gap = reply?["gap"]?.integerValue ?? 0
                #expect(revision == last + 1 + gap, "every commit, in order, or a gap")
                last = revision
                missed += gap
            }
            #expect(missed > 0)
        }
    }

    @Test("records in pages of any size all arrive, even when nothing more happens", arguments: [1, 10, 100])
    func records(limit: Int) async throws {
        try await withService { host, client, service in
            for number in 1...1_500 { try await host.session.commit(set: ["order": .string("\(number)")]) }
            let newest = host.records.newestIndex
            try await client.send(
                #"{"method":"io.scened.Records.Read","parameters":{"after":0,"limit":\#(limit)},"more":true}"#
            )
            var next = try #require(try await client.receive()["parameters"]?.objectValue?["next"]?.integerValue)
            // Until the channel is full: there is more to send than it and the socket hold.
            try await service.eventLoop.submit {}.get()
            while next < newest {
                next = try #require(try await client.receive()["parameters"]?.objectValue?["next"]?.integerValue)
            }
            #expect(next == newest)
        }
    }

    private struct Service {
        let server: VarlinkServer
        let eventLoop: any EventLoop
        let incidents: AsyncStream<VarlinkIncident.Kind>
    }

    /// Runs the socket API and a client of it on a pair of sockets. The session shares the one event loop with the
    /// connection: what a commit does to a connection then happens inside the commit.
    private func withService(_ body: (SceneHost, SocketClient, Service) async throws -> Void)
        async throws
    {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let eventLoop = group.next()
        let executor = eventLoop.executor
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            executors: HostExecutors(session: executor, scene: { _ in executor })
        )
        let (incidents, incident) = AsyncStream.makeStream(of: VarlinkIncident.Kind.self)
        let server = try VarlinkServer(host, group: group) { $0.report = { incident.yield($0.kind) } }
        let (client, descriptor) = try SocketClient.pair()
        try await server.adopt(descriptor: descriptor)
        try await body(host, client, Service(server: server, eventLoop: eventLoop, incidents: incidents))
        await server.shutDown(within: .zero)
        await host.drain()
        try await group.shutdownGracefully()
    }

    /// Far more than the socket and the queue take: some 3 MB.
    private func fill(_ host: SceneHost) async throws {
        let text = String(repeating: "x", count: 100)
        for number in 0..<10_000 { try await host.session.signIn(user: "\(number)\(text)") }
    }

    @Test("a stopping daemon sends a follower that is far behind the history to its end")
    func stopping() async throws {
        try await withService { host, client, service in
            try await fill(host)
            try await client.send(#"{"method":"io.scened.Records.Read","parameters":{"after":0},"more":true}"#)
            _ = try await client.receive()
            await host.drain()
            async let stopped: Void = service.server.shutDown(within: .hours(1), stall: .hours(1))
            var reply = try await client.receive()
            var last: JSONValue?
            while reply["continues"] != nil {
                last = reply["parameters"]?["records"]?.arrayValue?.last ?? last
                reply = try await client.receive()
            }
            #expect(last?["kind"] == "host.stopped")
            #expect(reply["error"] == nil)
            #expect(reply["parameters"]?["next"] == .integer(host.records.newestIndex))
            await stopped
        }
    }

    @Test(
        "a follower for which a stopping daemon waits no longer is told so, and how far it came",
        arguments: [true, false]
    )
    func cutOff(reads: Bool) async throws {
        try await withService { host, client, service in
            try await fill(host)
            try await client.send(#"{"method":"io.scened.Records.Read","parameters":{"after":0},"more":true}"#)
            _ = try await client.receive()
            await host.drain()
            // Long enough to read the last reply, or too short.
            let lastWord = reads ? TimeAmount.hours(1) : .zero
            async let stopped: Void = service.server.shutDown(within: .hours(1), stall: .zero, lastWord: lastWord)
            for await incident in service.incidents {
                if case .cutOff = incident { break }
            }
            if !reads { await stopped }
            var next: JSONValue?
            do {
                var reply = try await client.receive()
                while reply["continues"] != nil {
                    next = reply["parameters"]?["next"]
                    reply = try await client.receive()
                }
                #expect(reads)
                #expect(reply["error"] == "io.scened.Records.CutOff")
                #expect(reply["parameters"]?["next"] == next)
            } catch is SocketClient.Failure {
                #expect(!reads, "the connection closes without a last reply")
            }
            #expect((next?.integerValue ?? 0) < host.records.newestIndex)
            await stopped
        }
    }
}
