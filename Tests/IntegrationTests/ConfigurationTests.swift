import Foundation
import SceneClient
import StrictJSON
import Subprocess
import TestFixtures
import Testing
import Varlink

@Suite("Configuring the live daemon", .timeLimit(.minutes(15)))
struct ConfigurationTests {
    private static func settings(_ client: VarlinkClient) async throws -> [String: (value: String?, origin: String)] {
        let status = try await client.call("io.scened.Manager.GetStatus")
        let settings = status["settings"]?.arrayValue ?? []
        return Dictionary(
            uniqueKeysWithValues: settings.map { setting in
                (
                    setting["key"]?.stringValue ?? "",
                    (setting["value"]?.stringValue, setting["origin"]?.stringValue ?? "")
                )
            }
        )
    }

    @Test("flags override the environment and that the file, and the status says which it was")
    func inForce() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/scened.yaml"
        try "mailbox: 1\nlimits:\n  connectionsPerUser: 5\n  nesting: 9\nroles:\n  control: [user:1234]\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        try await LiveDaemon.run(
            ["--config", file, "--set", "limits.nesting=8"],
            environment: ["SCENED_MAILBOX": "7", "SCENED_RETAINED_RECORDS": "5000"]
        ) { daemon in
            let client = try await daemon.connect()
            let settings = try await Self.settings(client)
            #expect(settings["mailbox"]?.value == "7")
            #expect(settings["mailbox"]?.origin == "SCENED_MAILBOX")
            #expect(settings["limits.nesting"]?.value == "8")
            #expect(settings["limits.nesting"]?.origin == "--set")
            #expect(settings["limits.connectionsPerUser"]?.origin == "\(file):3:3")
            #expect(settings["roles.control"]?.value == "user:1234")
            #expect(settings["socket"]?.origin == "--socket")
            #expect(settings["limits.message"]?.value == "1048576")
            #expect(settings["limits.message"]?.origin == "default")
            #expect(settings["app"]?.value == nil)

            // The limits are in force: nesting of nine is too deep, and the sixth client is one too many.
            let deep = try RawConnection(path: daemon.socket)
            try await deep.write(#"{"method":"a.b.C","parameters":{"a":[[[[[[[0]]]]]]]}}␀"#)
            #expect(try await deep.readToEnd() == "")
            var others: [VarlinkClient] = []
            for _ in 0..<4 { others.append(try await daemon.connect()) }
            for other in others { #expect(try await !Self.settings(other).isEmpty) }
            let sixth = try await daemon.connect()
            await #expect(throws: VarlinkClientError.self) { try await Self.settings(sixth) }
            #expect(try await Self.settings(client)["mailbox"]?.value == "7", "other clients do not notice")

            let table = try await Program.run(
                Command.built("scenectl"),
                ["status", "--socket", daemon.socket],
                environment: ["SCENED_SOCKET": nil]
            )
            // There is no room for this client: it is refused like any other.
            #expect(table.status == .exited(3))
            await others[0].close()
            // The room is free at once.
            let again = try await Program.run(Command.built("scenectl"), ["status", "--socket", daemon.socket])
            #expect(again.status == .exited(0), "\(again.errors)")
            #expect(again.output.contains { $0.isNewline })
            #expect(
                again.output.split(separator: "\n").contains {
                    $0.hasPrefix("mailbox") && $0.hasSuffix("SCENED_MAILBOX")
                }
            )
        }
    }

    @Test("--check-config says what would be in force, or everything that is wrong, and starts nothing")
    func checking() async throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/scened.yaml"
        let arguments = ["--config", file, "--socket", "\(directory.path)/socket", "--check-config"]
        try "mailbox: 12\n".write(toFile: file, atomically: true, encoding: .utf8)
        let good = try await Program.run(Command.built("scened"), arguments)
        #expect(good.status == .exited(0))
        #expect(good.output.split(separator: "\n").contains { $0.hasPrefix("mailbox") && $0.hasSuffix("\(file):1:1") })
        #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/socket"))
        try "roles:\n  inject: [user:0]\n".write(toFile: file, atomically: true, encoding: .utf8)
        let warned = try await Program.run(Command.built("scened"), arguments)
        #expect(warned.status == .exited(0))
        #expect(warned.output.hasPrefix("warning: \(file):2:3: roles.inject is set and roles.act is not"))
        try "mailbox: 0\nmailbx: 3\nroles: {manage: [\"group:no-such-group\"]}\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        for arguments in [arguments, Array(arguments.dropLast())] {
            let bad = try await Program.run(Command.built("scened"), arguments)
            #expect(bad.status == .exited(78))
            #expect(bad.errors.contains("\(file):1:1: mailbox: 0 is too small"))
            #expect(bad.errors.contains("did you mean 'mailbox'?"))
        }
        try "roles: {manage: [\"group:no-such-group\"]}\n".write(toFile: file, atomically: true, encoding: .utf8)
        let stranger = try await Program.run(Command.built("scened"), arguments)
        #expect(stranger.status == .exited(78))
        #expect(stranger.errors.contains("\(file):1:9: roles.manage: this system has no group:no-such-group"))
    }

    @Test(
        "who grants inject and says nothing of act is warned at the start and at each reload; the status tells own roles"
    )
    func actUnset() async throws {
        try await LiveDaemon.run(["--set", "roles.inject=user:0"]) { daemon in
            let client = try await daemon.connect()
            let sentence = "the configuration grants the role inject and says nothing of act"
            try await until("it is warned") { daemon.readLog().components(separatedBy: sentence).count == 2 }
            _ = try await client.call("io.scened.Manager.Reload")
            try await until("it is warned again") { daemon.readLog().components(separatedBy: sentence).count == 3 }
            let status = try await Program.run(Command.built("scenectl"), ["status", "--socket", daemon.socket])
            let line = status.output.split(separator: "\n").first { $0.hasPrefix("roles ") } ?? ""
            #expect(line.hasSuffix("  observe, inject, act, mutate, control, manage"), "\(status.output)")
        }
    }

    @Test("what --print-config prints is a configuration")
    func printing() async throws {
        let printed = try await Program.run(Command.built("scened"), ["--print-config"])
        #expect(printed.status == .exited(0))
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/scened.yaml"
        try printed.output.write(toFile: file, atomically: true, encoding: .utf8)
        let checked = try await Program.run(Command.built("scened"), ["--config", file, "--check-config"])
        #expect(checked.status == .exited(0), "\(checked.errors)")
    }

    @Test("a client may drain the daemon, and is answered when every admitted event is done")
    func draining() async throws {
        let ending = try await LiveDaemon.ending(["--transition", "60000"]) { daemon in
            let client = try await daemon.client()
            _ = try await client.connect(scene: "A")
            async let opened = client.openURL("qcommerce://product/p1", .init(scene: "A"))
            try await daemon.record("navigation.step", scene: "A")
            let drained = try await Program.run(Command.built("scenectl"), ["drain", "--socket", daemon.socket])
            #expect(drained.status == .exited(0), "\(drained.errors)")
            #expect(try await opened.outcome == .applied)
        }
        #expect(ending.status == .exited(0), "\(ending.log)")
        #expect(!ending.leftSocket)
    }
}
