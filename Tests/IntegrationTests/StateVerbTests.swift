import Foundation
import Glibc
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing

/// `scenectl state`, beside a daemon and without one.
@Suite("scenectl state", .timeLimit(.minutes(15)))
struct StateVerbTests {
    private static func state(_ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(Command.built("scenectl"), ["state"] + arguments)
    }

    @Test func `shows, checks, exports and copies what a daemon keeps, and a daemon goes on from the copy`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let (folder, copy) = ("\(directory.path)/state", "\(directory.path)/copy")
        var exported = ""
        _ = try await LiveDaemon.ending(["--app", "bank", "--state", folder]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            _ = try await client.openURL("bank://help", .init(scene: "A", event: "help"))
            _ = try await client.openURL("bank://transfer", .init(scene: "A", event: "transfer"))
            let shown = try await Self.state("show", folder)
            #expect(shown.status == .exited(0), "\(shown.errors)")
            for line in [
                "not closed: a daemon has it open", "Bank (manifest ",
                "events: 0 not done, 1 parked, 1 ended and remembered",
                "session: revision 0, epoch 0, nobody signed in", "A  foregroundActive  ", "1 parked",
            ] {
                #expect(shown.output.contains(line), "\(line): \(shown.output)")
            }
            let json = try JSONValue(parsing: try await Self.state("show", folder, "--json").output)
            #expect(
                json["host"]?.stringValue == (try await client.call("io.scened.Manager.GetStatus")["host"]?.stringValue)
            )
            #expect(json["scenes"]?.arrayValue?.first?["window"] != nil && json["events"]?["parked"] == 1)
            let check = try await Self.state("check", folder)
            #expect(check.output.contains("is whole"))
            #expect([.exited(0), .exited(4)].contains(check.status), "\(check.output)\(check.errors)")
            exported = try await Self.state("export", folder).output
            let records = try await Program.run(
                Command.built("scenectl"),
                ["records", "--json", "--socket", daemon.socket]
            )
            #expect(records.output.hasPrefix(exported) && !exported.isEmpty)
            let backup = try await Self.state("backup", folder, copy)
            #expect(backup.status == .exited(0), "\(backup.errors)")
            let again = try await Self.state("backup", folder, copy)
            #expect(again.status == .exited(2))
            #expect(
                again.errors.contains(
                    "\(copy): exists already, and a copy is made into a new folder, so that nothing is overwritten; name a folder that does not exist, or move this away."
                ),
                "\(again.errors)"
            )
            let compact = try await Self.state("compact", folder)
            #expect(compact.status == .exited(2))
            #expect(compact.errors.contains("process \(daemon.processID) has this state open"), "\(compact.errors)")
            daemon.signal(SIGKILL)
        }
        let judged = try await Program.run(Command.built("scenectl"), ["check", "-"], input: exported)
        #expect([.exited(0), .exited(4)].contains(judged.status), "\(judged.output)")
        #expect(try await Self.state("compact", folder).status == .exited(0))
        #expect(try await Self.state("show", folder).output.contains("bytes, closed"))
        let compacted = try JSONValue(parsing: try await Self.state("compact", folder, "--json").output)
        #expect(compacted["bytes"]?.integerValue ?? 0 > 0)
        let second = try await Self.state("backup", folder, "\(copy)-2", "--json")
        #expect(try JSONValue(parsing: second.output) == ["folder": .string(folder), "copy": .string("\(copy)-2")])
        try await LiveDaemon.run(["--app", "bank", "--state", copy]) { daemon in
            let client = try await daemon.client()
            #expect(try await client.openURL("bank://help", .init(scene: "A", event: "help")).isDuplicate)
            try await KeptStateTests.expectHistoryHolds(client)
        }
    }

    @Test func `a log of changes that is missing is told by the daemon and by the check, and by nothing that is whole`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let (folder, copy) = ("\(directory.path)/state", "\(directory.path)/copy")
        let log = "\(folder)/state.sqlite-wal"
        let sentence = "the kept state was not closed, and the log of its changes is missing"
        _ = try await LiveDaemon.ending(["--app", "bank", "--state", folder]) { daemon in
            _ = try await daemon.client().connect(scene: "A")
            #expect(try await Self.state("backup", folder, copy).status == .exited(0))
            for whole in [folder, copy] {
                let check = try await Self.state("check", whole)
                #expect(!check.output.contains("missing"), "\(check.output)")
            }
            daemon.signal(SIGKILL)
        }
        #expect(try await !Self.state("check", folder).output.contains("missing"))
        try FileManager.default.removeItem(atPath: log)
        try FileManager.default.removeItem(atPath: "\(folder)/state.sqlite-shm")
        // Whoever only reads makes an empty one.
        for _ in 0..<2 {
            let check = try await Self.state("check", folder)
            #expect(
                check.output.contains(
                    "\(folder)/state.sqlite: was not closed, and the log of its changes, \(log), is missing or empty: what was in that alone is lost"
                ),
                "\(check.output)\(check.errors)"
            )
            let json = try JSONValue(parsing: try await Self.state("check", folder, "--json").output)
            #expect(json["logMissing"] == true && json["damage"] == [])
        }
        for (state, isTold) in [(folder, true), (folder, false), (copy, false)] {
            try await LiveDaemon.run(["--app", "bank", "--state", state]) { daemon in
                #expect(daemon.readLog().contains(sentence) == isTold, "\(daemon.readLog())")
            }
        }
    }

    @Test func `says what is damaged, and what is no state`() async throws {
        let directory = try TemporaryDirectory()
        let folder = "\(directory.path)/state"
        let missing = try await Self.state("show", folder)
        #expect(missing.status == .exited(2))
        #expect(
            missing.errors.contains(
                "\(folder): is no state of a scened: No such file or directory; name the folder that --state named"
            )
        )
        try await LiveDaemon.run(["--app", "bank", "--state", folder]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
        }
        let file = URL(filePath: "\(folder)/state.sqlite")
        var data = try Data(contentsOf: file)
        for place in stride(from: 3 * 4_096, to: data.count, by: 4_096) {
            data.replaceSubrange(place..<place + 512, with: repeatElement(0x5A, count: 512))
        }
        try data.write(to: file)
        let damaged = try await Self.state("check", folder)
        #expect(damaged.status == .exited(1))
        #expect(damaged.output.contains("\(folder)/state.sqlite: is damaged: "), "\(damaged.output)\(damaged.errors)")
        for words in [["compact", folder], ["backup", folder, "\(directory.path)/copy"]] {
            let refused = try await Program.run(Command.built("scenectl"), ["state"] + words)
            #expect(refused.status == .exited(1) && refused.errors.contains("damaged"), "\(refused.errors)")
        }
        let json = try await Self.state("check", folder, "--json")
        #expect(try JSONValue(parsing: json.output)["damage"]?.arrayValue?.isEmpty == false)
        try data.prefix(20_000).write(to: file)
        let cut = try await Self.state("check", folder, "--json")
        #expect(cut.status == .exited(1))
        #expect(try JSONValue(parsing: cut.errors)["error"] == "scenectl.StateDamaged", "\(cut.errors)")
    }
}
