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
    @Test("more commits than a follower's queue takes: it is told how many it missed, and ends at the newest")
    func session() async throws {
        try await withService { host, client, _ in
            try await client.send(#"{"method":"io.scened.Session.Get","more":true}"#)
            let text = FactValue.string(String(repeating: "x", count: 300_000))
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

    @Test("records in pages of any size all arrive, though nothing happens any more", arguments: [1, 10, 100])
    func records(limit: Int) async throws {
        try await withService { host, client, eventLoop in
            for number in 1...1_500 { try await host.session.commit(set: ["order": .string("\(number)")]) }
            let newest = host.records.newestIndex
            try await client.send(
                #"{"method":"io.scened.Records.Read","parameters":{"after":0,"limit":\#(limit)},"more":true}"#
            )
            var next = try #require(try await client.receive()["parameters"]?.objectValue?["next"]?.integerValue)
            // Until the channel is full: there is more to be sent than it and the socket take.
            try await eventLoop.submit {}.get()
            while next < newest {
                next = try #require(try await client.receive()["parameters"]?.objectValue?["next"]?.integerValue)
            }
            #expect(next == newest)
        }
    }

    /// Runs the socket API and a client of it on a pair of sockets. The session shares the one event loop with the
    /// connection: what a commit does to a connection then happens inside the commit.
    private func withService(_ body: (SceneHost, SocketClient, any EventLoop) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let eventLoop = group.next()
        let executor = eventLoop.executor
        let host = try SceneHost(
            id: "test",
            manifest: try AppManifest.builtInShop(),
            executors: HostExecutors(session: executor, scene: { _ in executor })
        )
        // A busy machine may let this client wait long between two reads: that is not what is tested.
        var options = VarlinkServer.Options()
        options.limits.stall = .minutes(5)
        options.limits.firstByte = .minutes(5)
        let server = try VarlinkServer(
            services: try SocketAPI.services(RunningHost(host) { _, old in old }, controls: .forTests()),
            identity: VarlinkIdentity(vendor: "test", product: "test", version: "0", url: "https://scened.example"),
            options: options,
            group: group
        )
        let (client, descriptor) = try SocketClient.pair()
        try await server.adopt(descriptor: descriptor)
        try await body(host, client, eventLoop)
        await server.shutDown(within: .zero)
        await host.drain()
        try await group.shutdownGracefully()
    }
}
