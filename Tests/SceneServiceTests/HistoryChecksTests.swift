import Basics
import NIOCore
import SceneManifest
import SceneRouting
import StrictJSON
import TestFixtures
import Testing
import Varlink

@testable import SceneRuntime
@testable import SceneService

@Suite("Checks of the history", .timeLimit(.minutes(15)))
struct HistoryChecksTests {
    @Test("judge every invariant of all that was recorded, with the app's manifest")
    func holds() async throws {
        try await withHost { host, client in
            try host.connect(scene: "A")
            _ = try await client.call("io.scened.Events.OpenURL", ["url": "qcommerce://orders", "scene": "A"])
            _ = try await client.call("io.scened.Control.Quiesce")
            let reply = try await client.call("io.scened.Records.Check")
            #expect(reply["host"] == "test" && reply["conclusion"] == "holds")
            #expect(reply["records"]?.integerValue == host.records.newestIndex)
            let verdicts = reply["verdicts"]?.arrayValue ?? []
            #expect(verdicts.compactMap { $0["number"]?.integerValue } == Array(1...15))
            #expect(verdicts.last?["name"] == "agreement", "the manifest was known")
            #expect(verdicts.allSatisfy { $0["verdict"] == "holds" && $0["violations"] == nil })
        }
    }

    @Test("name the invariant that is violated, by which records, and how often")
    func violated() async throws {
        try await withHost { host, client in
            try host.connect(scene: "A")
            let detail = String(repeating: "é", count: 2_000)
            for _ in 0..<9 {
                let subject = Record.Subject(scene: "A")
                host.records.append(.violation(rule: "leak", cause: "test", detail: detail), subject)
            }
            let newest = host.records.newestIndex
            let reply = try await client.call("io.scened.Records.Check")
            #expect(reply["conclusion"] == "violated")
            let violated = (reply["verdicts"]?.arrayValue ?? []).filter { $0["verdict"] == "violated" }
            #expect(violated.count == 1)
            #expect(violated.first?["name"] == "windowRules" && violated.first?["count"] == 9)
            let violations = violated.first?["violations"]?.arrayValue ?? []
            #expect(violations.map { $0["records"] } == (0..<8).map { [.integer(newest - 8 + $0)] })
            let explanation = violations.first?["explanation"]?.stringValue ?? ""
            #expect(explanation.hasPrefix("leak in scene A by test: é") && explanation.utf8.count <= 1_024)
        }
    }

    @Test("of a history whose beginning is lost say which records are missing")
    func forgotten() async throws {
        var settings = HostSettings()
        settings.retainedRecords = 5
        try await withHost(settings) { host, client in
            for number in 0..<20 { try host.connect(scene: "s\(number)") }
            _ = try await client.call("io.scened.Control.Quiesce")
            let reply = try await client.call("io.scened.Records.Check")
            #expect(reply["conclusion"] == "unknown")
            let reason = reply["verdicts"]?.arrayValue?.first?["reason"]?.stringValue ?? ""
            #expect(reason.contains("missing"), "\(reason)")
        }
    }

    @Test("are done one at a time, for whoever still waits, and none is lost")
    func queue() async throws {
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop())
        try host.connect(scene: "A")
        let checks = HistoryChecks()
        let begun = Guarded<Set<Int>>([])
        let most = Guarded(0)
        let results = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let isWanted: @Sendable () -> Bool = {
                            let now = begun.withLock { begun in
                                begun.insert(number)
                                return begun.count
                            }
                            most.withLock { $0 = max($0, now) }
                            return number.isMultiple(of: 2)
                        }
                        checks.run(of: host, while: isWanted) { reply in
                            begun.withLock { _ = $0.remove(number) }
                            continuation.resume(returning: reply != nil)
                        }
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(results.count == 20 && results.count { $0 } == 10)
        #expect(most.withLock { $0 } == 1)
        await host.drain()
    }

    @Test("of one user are limited, and one that ends makes room")
    func limit() async throws {
        try await withHost(checks: 0) { _, client in
            await #expect(throws: VarlinkError("io.scened.Records.TooManyChecks", ["limit": 0])) {
                try await client.call("io.scened.Records.Check")
            }
        }
        try await withHost(checks: 1) { _, client in
            for _ in 0..<3 {
                let reply = try await client.call("io.scened.Records.Check")
                #expect(reply["host"] == "test")
            }
        }
    }

    private func withHost(
        _ settings: HostSettings = HostSettings(),
        checks: Int = 4,
        _ body: (SceneHost, VarlinkClient) async throws -> Void
    ) async throws {
        let host = try SceneHost(id: "test", manifest: try AppManifest.builtInShop(), settings: settings)
        let controls = DaemonControls(
            version: "0",
            manifestFile: nil,
            reload: {},
            connections: { 0 },
            metrics: { "" },
            accounts: UserAccounts(checks: checks)
        )
        let server = try VarlinkServer(host, controls: controls)
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/socket"
        try await server.listen(path: path)
        do {
            try await body(host, try await VarlinkClient.connect(path: path))
        } catch {
            Issue.record("\(error)")
        }
        await server.shutDown(within: .zero)
        await host.drain()
    }
}
