import Basics
import Foundation
import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("A daemon that keeps its state", .timeLimit(.minutes(15)))
struct KeptStateTests {
    /// An app in which every tap counts once.
    private static let counter = """
        format: 2
        version: "1"
        name: Counter
        schemes: [counter]
        facts:
          count: { type: integer, default: 0 }
        tabs: { home: home }
        destinations:
          home:
            tab: home
            routes: ["counter://home"]
        intents:
          tapped: { effects: [{ add: count, value: 1 }] }
        """

    /// A folder with the app and a place for the state.
    private struct Folder {
        let directory = try? TemporaryDirectory()
        var path: String { directory?.path ?? "" }
        var state: String { "\(path)/state" }
        var arguments: [String] { ["--app", "\(path)/counter.yaml", "--state", state] }

        init() throws {
            _ = try #require(directory)
            try KeptStateTests.counter.write(toFile: "\(path)/counter.yaml", atomically: true, encoding: .utf8)
        }
    }

    /// Runs a daemon while `body` runs, then kills it.
    private func killed(_ folder: Folder, _ body: (LiveDaemon) async throws -> Void) async throws {
        let ending = try await LiveDaemon.ending(folder.arguments) { daemon in
            try await body(daemon)
            daemon.signal(SIGKILL)
        }
        #expect(ending.status == .signaled(SIGKILL), "\(ending.log)")
    }

    @Test func `windows, session, what is parked and what was sent are as before a kill`() async throws {
        let folder = try Folder()
        let arguments = ["--app", "bank", "--state", folder.state]
        var before: ClientScene?
        var host = ""
        _ = try await LiveDaemon.ending(arguments) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("bank://help", .init(scene: "A", event: "help"))
            let receipt = try await client.openURL("bank://transfer", .init(scene: "A", event: "transfer"))
            #expect(receipt.outcome == .gated)
            before = try await client.scene("A")
            host = try await Self.host(client)
            daemon.signal(SIGKILL)
        }
        try await LiveDaemon.run(arguments) { daemon in
            let client = try await daemon.client()
            #expect(try await Self.host(client) == host)
            let after = try await client.scene("A")
            #expect(after.window == before?.window && after.activation == before?.activation)
            #expect(after.parked == before?.parked && !after.parked.isEmpty)
            // What was sent before is known, and nothing of it is done again.
            let again = try await client.openURL("bank://help", .init(scene: "A", event: "help"))
            #expect(again.isDuplicate && again.outcome == .applied && again.ticket == 1)
            let next = try await client.openURL("bank://help", .init(scene: "A", event: "other"))
            #expect(next.ticket == 3)
        }
        // What has stopped in order goes on likewise, and nothing was abandoned.
        try await LiveDaemon.run(arguments) { daemon in
            let client = try await daemon.client()
            #expect(try await client.receipt(of: "other").ticket == 3)
            try await Self.expectHistoryHolds(client)
        }
    }

    @Test(arguments: 1...3)
    func `every tap counts once, whenever the daemon is killed`(_ seed: UInt64) async throws {
        let folder = try Folder()
        let taps = (0..<60).map { "tap-\($0)" }
        let acknowledged = Guarded<[String: ClientReceipt]>([:])
        var random = SplitMix(seed: seed)
        try await killed(folder) { daemon in
            let client = try await daemon.client()
            for scene in ["A", "B"] { _ = try await client.connect(scene: scene) }
        }
        for _ in 0..<6 {
            let most = 1 + random.below(12)
            _ = try await LiveDaemon.ending(folder.arguments) { daemon in
                let before = acknowledged.withLock { $0 }
                let check = try await daemon.client()
                for (tap, receipt) in before {
                    let known = try await check.receipt(of: tap)
                    #expect(known.outcome == receipt.outcome && known.ticket == receipt.ticket, "\(tap)")
                }
                await withTaskGroup { group in
                    for sender in 0..<4 {
                        group.addTask {
                            await Self.send(taps.filter { $0.hashedSender == sender }, to: daemon, acknowledged, most)
                        }
                    }
                }
                daemon.signal(SIGKILL)
            }
        }
        try await LiveDaemon.run(folder.arguments) { daemon in
            let client = try await daemon.client()
            for tap in taps { _ = try await client.sendIntent("tapped", .init(scene: tap.scene, event: tap)) }
            try await client.quiesce(timeout: .seconds(120))
            #expect(try await client.session().facts["count"] == .integer(taps.count))
            try await Self.expectHistoryHolds(client)
        }
    }

    /// Sends taps until all are sent, the daemon is gone, or it was killed because enough were acknowledged.
    private static func send(
        _ taps: [String],
        to daemon: LiveDaemon,
        _ acknowledged: Guarded<[String: ClientReceipt]>,
        _ most: Int
    ) async {
        do {
            let client = try await daemon.client()
            let begin = acknowledged.withLock { $0.count }
            for tap in taps where acknowledged.withLock({ $0[tap] }) == nil {
                let receipt = try await client.sendIntent("tapped", .init(scene: tap.scene, event: tap))
                let count = acknowledged.withLock { known in
                    known[tap] = receipt
                    return known.count
                }
                if count >= begin + most { daemon.signal(SIGKILL) }
            }
        } catch {
            // It was killed.
        }
    }

    private static func host(_ client: SceneClient) async throws -> String {
        try await client.call("io.scened.Manager.GetStatus")["host"]?.stringValue ?? ""
    }

    static func expectHistoryHolds(_ client: SceneClient) async throws {
        try await client.quiesce(timeout: .seconds(120))
        let check = try await client.call("io.scened.Records.Check")
        #expect(check["conclusion"] == "holds", "\(JSONValue.object(check).text())")
    }

    @Test func `a state that cannot be used is refused, and left as it is`() async throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.state, withIntermediateDirectories: false)
        try "no database".write(toFile: "\(folder.state)/state.sqlite", atomically: true, encoding: .utf8)
        for path in [folder.state, "\(folder.state)/state.sqlite"] { chmod(path, 0o700) }
        let run = try await Program.run(
            Command.built("scened"),
            ["--config", "/dev/null", "--socket", "\(folder.path)/s", "--log", "text"] + folder.arguments
        )
        #expect(run.status == .exited(78))
        #expect(run.errors.contains("state.sqlite: is not a database of SQLite"), "\(run.errors)")
        #expect(try String(contentsOfFile: "\(folder.state)/state.sqlite", encoding: .utf8) == "no database")
    }

    @Test func `the state of an app with another name is refused; an app gets a new name by a reload`()
        async throws
    {
        let folder = try Folder()
        func write(_ manifest: String) throws {
            try manifest.write(toFile: "\(folder.path)/counter.yaml", atomically: true, encoding: .utf8)
        }
        let renamed = Self.counter.replacing("name: Counter", with: "name: Abacus")
        try #require(renamed != Self.counter)
        try await LiveDaemon.run(folder.arguments) { daemon in
            _ = try await daemon.client().connect(scene: "A")
        }
        try write(renamed)
        let run = try await Program.run(
            Command.built("scened"),
            ["--config", "/dev/null", "--socket", "\(folder.path)/s", "--log", "text"] + folder.arguments
        )
        #expect(run.status == .exited(78))
        #expect(run.errors.contains("is the state of the app 'Counter'"), "\(run.errors)")
        try write(Self.counter)
        try await LiveDaemon.run(folder.arguments) { daemon in
            let client = try await daemon.client()
            #expect(try await client.scenes().map(\.id) == ["A"])
            try write(renamed)
            _ = try await client.call("io.scened.Manager.Reload")
        }
        try await LiveDaemon.run(folder.arguments) { daemon in
            let client = try await daemon.client()
            #expect(try await client.scenes().map(\.id) == ["A"])
            try await Self.expectHistoryHolds(client)
        }
    }

    @Test func `the manifests of before are known after a kill, and the history is judged by them`() async throws {
        let folder = try Folder()
        var digests: [String] = []
        try await killed(folder) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            for version in 2...4 {
                digests.append(try await client.call("io.scened.Manager.GetStatus")["manifest"]?.stringValue ?? "")
                _ = try await client.sendIntent("tapped", .init(scene: "A", event: "tap-\(version)"))
                let next = Self.counter.replacing("version: \"1\"", with: "version: \"\(version)\"")
                try next.write(toFile: "\(folder.path)/counter.yaml", atomically: true, encoding: .utf8)
                _ = try await client.call("io.scened.Manager.Reload")
            }
        }
        try await LiveDaemon.run(folder.arguments) { daemon in
            let client = try await daemon.client()
            for digest in digests { #expect(try await client.manifest(digest) != nil, "\(digest)") }
            try await Self.expectHistoryHolds(client)
        }
    }

    @Test func `a state can be looked into while its daemon runs: nothing of that is kept, and time stands`()
        async throws
    {
        let folder = try Folder()
        let arguments = ["--app", "bank", "--state", folder.state]
        try await LiveDaemon.run(arguments) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("bank://help", .init(scene: "A", event: "help"))
            _ = try await client.openURL("bank://transfer", .init(scene: "A", event: "transfer"))
            let window = try await client.scene("A")
            let status = try await client.call("io.scened.Manager.GetStatus")
            // Its own app, though no manifest is named.
            try await LiveDaemon.run(["--investigate", folder.state], program: Command.built("scened")) { other in
                let looking = try await other.client()
                let looked = try await looking.call("io.scened.Manager.GetStatus")
                #expect(looked["host"] != status["host"] && looked["manifest"] == status["manifest"])
                #expect(looked["clock"]?["virtual"] == true && looked["storage"] == nil)
                let found = try await looking.scene("A")
                #expect(found.window == window.window && found.parked == window.parked && !found.parked.isEmpty)
                let clock = try await looking.call("io.scened.Manager.GetStatus")["clock"]
                #expect(clock == looked["clock"])
                #expect(try await looking.openURL("bank://help", .init(scene: "A", event: "help")).isDuplicate)
                _ = try await looking.openURL("bank://help", .init(scene: "A", event: "only-here"))
                // Those of before are the other host's.
                let first = try await looking.records(after: 0).records.prefix(2)
                #expect(first.map(\.kind.known) == [.gap, .hostRestarted])
                _ = try await looking.call("io.scened.Manager.Reload")
                let reloaded = try await looking.call("io.scened.Manager.GetStatus")
                #expect(reloaded["manifest"] == status["manifest"])
                let settings = reloaded["settings"]?.arrayValue ?? []
                #expect(settings.contains { $0["key"] == "clock" && $0["value"] == "virtual" })
            }
            #expect(try await client.call("io.scened.Manager.GetStatus")["records"] == status["records"])
            await #expect(throws: SceneClientError.self) { try await client.receipt(of: "only-here") }
        }
        let nothing = try await Program.run(
            Command.built("scened"),
            [
                "--config", "/dev/null", "--socket", "\(folder.path)/s", "--log", "text", "--investigate",
                "\(folder.path)/no",
            ]
        )
        #expect(nothing.status == .exited(78))
        #expect(nothing.errors.contains("\(folder.path)/no: is no state of a scened: "), "\(nothing.errors)")
    }

    @Test func `a second daemon with the same state is refused`() async throws {
        let folder = try Folder()
        try await LiveDaemon.run(folder.arguments) { daemon in
            let run = try await Program.run(
                Command.built("scened"),
                ["--config", "/dev/null", "--socket", "\(folder.path)/s", "--log", "text"] + folder.arguments
            )
            #expect(run.status == .exited(78))
            #expect(run.errors.contains("process \(daemon.processID) has this state open"), "\(run.errors)")
        }
    }

    @Test func `after a kill the daemon answers while what was in progress goes on, and can be stopped`() async throws {
        let folder = try Folder()
        // As good as for ever.
        let arguments = ["--app", "bank", "--state", folder.state, "--transition", "60000"]
        let killed = try await LiveDaemon.ending(arguments) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("bank://help", .init(scene: "A", event: "help", wait: .admitted))
            try await daemon.record("navigation.step", scene: "A", event: "help")
            daemon.signal(SIGKILL)
        }
        #expect(killed.status == .signaled(SIGKILL), "\(killed.log)")
        let ending = try await LiveDaemon.ending(arguments) { daemon in
            let client = try await daemon.client()
            #expect(try await client.receipt(of: "help").outcome == .admitted)
            #expect(try await client.scenes().map(\.id) == ["A"])
            daemon.stop()
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
    }

    @Test func `a reset begins a new host in the same folder`() async throws {
        let folder = try Folder()
        var host = ""
        try await killed(folder) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.sendIntent("tapped", .init(scene: "A", event: "one"))
            host = try await client.reset()
            _ = try await client.connect(scene: "B")
        }
        try await LiveDaemon.run(folder.arguments) { daemon in
            let client = try await daemon.client()
            #expect(try await Self.host(client) == host)
            #expect(try await client.scenes().map(\.id) == ["B"])
            #expect(try await client.session().facts["count"] == .integer(0))
        }
    }
}

extension String {
    /// Which of four senders sends it.
    fileprivate var hashedSender: Int { utf8.reduce(0) { $0 + Int($1) } % 4 }
    fileprivate var scene: String { utf8.reduce(0) { $0 + Int($1) } % 2 == 0 ? "A" : "B" }
}
