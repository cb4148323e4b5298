import Basics
import NIOCore
import SceneManifest
import SceneRouting
import SceneService
import StrictJSON
import TestFixtures
import Testing
import Varlink

@testable import SceneRuntime

/// Timers, waits and tasks hold the host, the call's connection or both. So a host that goes with its server shows that nothing is
/// left of the calls.
@Suite("What a call has started", .timeLimit(.minutes(15)))
struct EndedCallTests {
    /// Calls that wait or start a timer of an hour, but are answered at once where nothing goes on.
    private static let calls: [(method: String, parameters: String)] = [
        ("Control.Quiesce", #"{"timeoutMilliseconds":3600000}"#),
        ("Control.Quiesce", #"{"timeoutMilliseconds":3600000,"scene":"A"}"#),
        ("Control.Await", #"{"timeoutMilliseconds":3600000,"hold":"none"}"#),
        ("Events.OpenURL", #"{"url":"qcommerce://orders","scene":"A","wait":"finished"}"#),
        ("Events.OpenURL", #"{"url":"qcommerce://orders","scene":"A","event":"same","wait":"settled"}"#),
        ("Session.SignIn", #"{"user":"anna","expiresInMilliseconds":3600000}"#),
        ("Scenes.SetActivation", #"{"scene":"A","activation":"background"}"#),
    ]
    private static let streams = [
        #"{"method":"io.scened.Records.Read","more":true}␀"#, #"{"method":"io.scened.Scenes.List","more":true}␀"#,
        #"{"method":"io.scened.Session.Get","more":true}␀"#,
        #"{"method":"io.scened.Adapters.Register","parameters":{"name":"a","kinds":["push"],"timeoutMilliseconds":10000},"more":true}␀"#,
    ]

    private static func text(_ call: (method: String, parameters: String), isOneway: Bool) -> String {
        #"{"method":"io.scened.\#(call.method)","parameters":\#(call.parameters)\#(isOneway ? #","oneway":true"# : "")}␀"#
    }

    private struct Service {
        let host: SceneHost
        let server: VarlinkServer
        let path: String

        /// Returns when the server has no connection but the one that asks.
        func awaitAlone() async throws { try await until("the client is gone") { server.connectionCount == 1 } }
    }

    /// Runs `body` with a service in which the window A is open, and expects that nothing holds its host afterwards.
    private func expectNothingLeft(_ body: (Service, VarlinkClient) async throws -> Void) async throws {
        weak var left: SceneHost?
        do {
            let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
            left = host
            let server = try VarlinkServer(host)
            let path = "/tmp/scened-ended-\(UInt64.random(in: 0...UInt64.max))"
            try await server.listen(path: path)
            do {
                let client = try await VarlinkClient.connect(path: path)
                _ = try await client.call("io.scened.Scenes.Connect", ["scene": "A"])
                let before = host.activity.waiterCount
                try await body(Service(host: host, server: server, path: path), client)
                #expect(host.activity.waiterCount == before)
            } catch {
                Issue.record("\(error)")
            }
            await host.drain()
            await server.shutDown(within: .seconds(20))
        }
        try await until("nothing holds the host") { left == nil }
    }

    @Test("ends with the answer, also that of a oneway call", arguments: [false, true])
    func answered(isOneway: Bool) async throws {
        for call in Self.calls {
            try await expectNothingLeft { service, _ in
                let raw = try RawConnection(path: service.path)
                for _ in 0..<20 { try await raw.write(Self.text(call, isOneway: isOneway)) }
                try await raw.write(#"{"method":"io.scened.Session.Get"}␀"#)
                let answers = try await raw.read(messages: isOneway ? 1 : 21)
                #expect(answers.contains("session"), "\(call.method)")
            }
        }
    }

    @Test(
        "ends when its client leaves, and when what it waited for has happened",
        arguments: [false, true],
        [false, true]
    )
    func waiting(isOneway: Bool, leaves: Bool) async throws {
        for call in Self.calls where call.method != "Session.SignIn" {
            try await expectNothingLeft { service, client in
                let hold = try await client.call("io.scened.Control.Hold", ["point": "admitted", "scene": "A"])
                let id = hold["hold"]?.stringValue ?? ""
                try await client.oneway("io.scened.Events.OpenURL", ["url": "qcommerce://orders", "scene": "A"])
                _ = try await client.call("io.scened.Control.Await", ["hold": .string(id)])
                let waiting = Self.text(call, isOneway: isOneway).replacing(#""none""#, with: "\"\(id)\"")
                let raws = try (0..<20).map { _ in try RawConnection(path: service.path) }
                for raw in raws { try await raw.write(#"{"method":"io.scened.Session.Get"}␀"# + waiting) }
                for raw in raws { _ = try await raw.read(messages: 1) }
                if call.method == "Control.Quiesce" {
                    try await until("they wait") { service.host.activity.waiterCount >= 20 }
                }
                if leaves { for raw in raws { raw.closeBoth() } }
                if leaves { try await service.awaitAlone() }
                _ = try await client.call("io.scened.Control.Release", ["hold": .string(id)])
                if !leaves, !isOneway { for raw in raws { _ = try await raw.read(messages: 1) } }
                for raw in raws where !leaves { raw.closeBoth() }
                try await service.awaitAlone()
            }
        }
    }

    @Test("ends with its stream")
    func streams() async throws {
        for stream in Self.streams {
            try await expectNothingLeft { service, _ in
                for _ in 0..<20 {
                    let raw = try RawConnection(path: service.path)
                    try await raw.write(stream)
                    _ = try await raw.read(messages: 1)
                }
                try await service.awaitAlone()
            }
        }
    }
}
