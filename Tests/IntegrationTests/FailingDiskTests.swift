import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// A daemon whose disk takes nothing more: here a limit of the kernel's on how large its files may get, which it meets in the middle of a write.
@Suite("While the disk fails", .timeLimit(.minutes(15)))
struct FailingDiskTests {
    /// Lets the daemon's files grow to so many bytes; `nil` for as many as it likes.
    private static func limit(_ daemon: LiveDaemon, _ bytes: Int?) async throws {
        let limit = "--fsize=\(bytes.map(String.init) ?? "unlimited"):unlimited"
        let run = try await Program.run("/usr/bin/prlimit", ["--pid", "\(daemon.processID)", limit])
        try #require(run.status == .exited(0), "\(run.errors)")
    }

    /// The error that a call is refused with, by its short name; `nil` for a reply.
    private static func refusal(_ body: () async throws(SceneClientError) -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            guard case .refused(let name, let parameters) = error else { return "\(error)" }
            return "\(name.split(separator: ".").last ?? "")"
                + (parameters["reason"]?.stringValue.map { ": \($0)" } ?? "")
        }
    }

    @Test func `nothing is acknowledged, reads work, and when it works again everything is as if nothing had been`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let state = "\(directory.path)/state"
        let arguments = ["--app", "bank", "--state", state]
        let ending = try await LiveDaemon.ending(arguments) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            #expect(try await client.openURL("bank://help", .init(scene: "A", event: "before")).outcome == .applied)
            let records = try await client.call("io.scened.Manager.GetStatus")["records"]?.integerValue ?? 0

            try await Self.limit(daemon, 4_096)
            let reason =
                "\(state)/state.sqlite: cannot be written: disk I/O error (SQLite 778); free space, mend the disk, or let it be written to"
            let failed = "StorageFailed: \(reason)"
            func open(_ event: String) async -> String? {
                await Self.refusal { () throws(SceneClientError) in
                    _ = try await client.openURL(
                        "bank://help",
                        .init(scene: "A", event: event, wait: .settled)
                    )
                }
            }
            // The first is under way when the disk turns out to fail; the second is not taken.
            try #require(await open("under-way") == failed)
            #expect(await open("refused") == failed)
            for (method, parameters) in [
                ("Scenes.Connect", ["scene": "B"]), ("Scenes.Disconnect", ["scene": "A"]),
                ("Session.SignIn", ["user": "anna"]),
                ("Session.SignOut", [:]), ("Control.Reset", [:]), ("Manager.Reload", [:]),
                ("Events.Gesture", ["gesture": "back", "scene": "A"]), ("Events.Get", ["event": "under-way"]),
            ] as [(String, JSONObject)] {
                let answer = await Self.refusal { () throws(SceneClientError) in
                    _ = try await client.call("io.scened.\(method)", parameters)
                }
                #expect(answer == failed, "\(method)")
            }
            // What reads works, and what is not kept is not told to who follows the records.
            #expect(try await client.scenes().map(\.id) == ["A"])
            #expect(try await client.session().revision == 0)
            #expect(try await client.records(after: 0).records.last?.index == records)
            #expect(try await client.records(after: records, event: "under-way").records.isEmpty)
            #expect(try await client.call("io.scened.Records.Check")["host"] != nil)
            let status = try await client.call("io.scened.Manager.GetStatus")
            #expect(status["storage"]?["folder"] == .string(state) && status["storage"]?["problem"] == .string(reason))
            #expect(status["storage"]?["waiting"]?.integerValue ?? 0 > 0)
            let metrics = try await client.call("io.scened.Manager.GetMetrics")["openMetrics"]?.stringValue ?? ""
            #expect(
                metrics.split(separator: "\n").contains {
                    $0.hasPrefix("scened_unwritten_steps ") && !$0.hasSuffix(" 0")
                }
            )

            try await Self.limit(daemon, nil)
            // Told as soon as it is kept.
            let follower = try await daemon.client()
            for try await page in follower.followRecords(after: records, event: "under-way", kinds: [.dispatchEnded])
            where !page.isEmpty {
                break
            }
            let again = try await client.openURL("bank://help", .init(scene: "A", event: "under-way"))
            #expect(again.isDuplicate && again.outcome == .unchanged)
            let other = try await client.openURL("bank://help", .init(scene: "A", event: "refused"))
            #expect(!other.isDuplicate && other.ticket == 3)
            #expect(
                try await client.call("io.scened.Manager.GetStatus")["storage"] == [
                    "folder": .string(state), "waiting": 0,
                ]
            )
            daemon.signal(SIGKILL)
        }
        #expect(ending.status == .signaled(SIGKILL), "\(ending.log)")
        try await LiveDaemon.run(["--app", "bank", "--state", state]) { daemon in
            let client = try await daemon.client()
            #expect(try await client.receipt(of: "under-way").ticket == 2)
            try await KeptStateTests.expectHistoryHolds(client)
        }
    }

    @Test func `told to stop meanwhile, it says that something is not kept`() async throws {
        let directory = try TemporaryDirectory()
        let state = "\(directory.path)/state"
        let arguments = ["--app", "bank", "--state", state, "--log-level", "notice"]
        let ending = try await LiveDaemon.ending(arguments) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            try await Self.limit(daemon, 4_096)
            let refused = await Self.refusal { () throws(SceneClientError) in
                _ = try await client.openURL("bank://help", .init(event: "lost"))
            }
            #expect(refused?.hasPrefix("StorageFailed") == true)
            daemon.stop()
        }
        #expect(ending.status == .exited(74))
        #expect(ending.log.contains("nothing can be written at present"), "\(ending.log)")
        let last = try #require(ending.log.split(separator: "\n").last)
        #expect(last.contains("what was not written yet is lost"), "\(ending.log)")
        #expect(last.contains(/steps=[1-9]/), "\(ending.log)")
        #expect(!ending.log.contains("795a602801214b21b662856a6b6f6a01"), "it has not stopped in order")
        // The one after it goes on from what was kept.
        try await LiveDaemon.run(["--app", "bank", "--state", state]) { daemon in
            let client = try await daemon.client()
            #expect(try await client.scenes().map(\.id) == ["A"])
            let first = try await client.openURL("bank://help", .init(scene: "A", event: "lost"))
            #expect(!first.isDuplicate && first.ticket == 1)
            try await KeptStateTests.expectHistoryHolds(client)
        }
    }

    @Test func `a state that is taken away ends it, and it says where that was`() async throws {
        let directory = try TemporaryDirectory()
        let state = "\(directory.path)/state"
        let ending = try await LiveDaemon.ending(["--app", "bank", "--state", state]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            #expect(rename(state, state + ".away") == 0)
            // It is told nothing: the daemon is gone.
            await #expect(throws: SceneClientError.self) { try await client.openURL("bank://help", .init(scene: "A")) }
        }
        #expect(ending.status == .exited(78))
        #expect(ending.log.contains("\(state)/state.sqlite: was moved, removed or replaced"), "\(ending.log)")
    }
}
