import Foundation
import Glibc
import StrictJSON
import Subprocess
import Testing
import Varlink

/// Where the scripts and the package are.
enum PythonEnvironment {
    static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Python")
    static let python = URL(fileURLWithPath: ProtocolFilesTests.folder).deletingLastPathComponent()
        .appendingPathComponent(".build/python-venv/bin/python").path
    static let isInstalled = access(python, X_OK) == 0
}

/// An independent client: the Python package `varlink`.
@Suite(
    "A client from elsewhere and the live daemon",
    .enabled(if: PythonEnvironment.isInstalled, "no .build/python-venv; '.ci/setup' makes it"),
    .timeLimit(.minutes(15))
)
struct PythonClientTests {
    private func script(_ name: String, _ arguments: [String]) async throws -> [String] {
        let path = PythonEnvironment.scripts.appendingPathComponent(name).path
        let outcome = try await Program.run(PythonEnvironment.python, [path] + arguments)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        return outcome.output.split(separator: "\n").map(String.init)
    }

    /// `python -m varlink.cli`, which exits with 0 even if the answer is an error.
    private func commandLine(_ arguments: String...) async throws -> (output: String, errors: String) {
        let outcome = try await Program.run(PythonEnvironment.python, ["-m", "varlink.cli"] + arguments)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        return (outcome.output, outcome.errors)
    }

    @Test("is the expected version")
    func version() async throws {
        let outcome = try await Program.run(
            PythonEnvironment.python,
            ["-c", "import importlib.metadata; print(importlib.metadata.version('varlink'))"]
        )
        #expect(outcome.output == "31.0.0\n")
    }

    @Test("its scanner parses every interface file and finds the same methods")
    func scanner() async throws {
        let files = ProtocolFilesTests.files
        let lines = try await script("scan.py", files.map { "\(ProtocolFilesTests.folder)/\($0)" })
        let expected = try files.map { file in
            let interface = try VarlinkInterface(parsing: ProtocolFilesTests.text(file))
            return ([interface.name] + interface.methodNames).joined(separator: " ")
        }
        #expect(lines == expected)
    }

    @Test("its client calls every method and goes through the gated sequence across two windows")
    func client() async throws {
        try await LiveDaemon.run { daemon in
            let called = try await script("client.py", [daemon.socket])
            let declared = try ["Events", "Records", "Scenes", "Session"].flatMap { name in
                let interface = try VarlinkInterface(parsing: ProtocolFilesTests.text("io.scened.\(name).varlink"))
                return interface.methodNames.map { "\(interface.name).\($0)" }
            }
            #expect(called == declared.sorted())
            try await daemon.expectService()
        }
    }

    @Test("its command line shows what the daemon is and describes its interfaces")
    func information() async throws {
        try await LiveDaemon.run { daemon in
            let address = "unix:\(daemon.socket)"
            let info = try await commandLine("info", address).output
            for line in ["Product: scened", "Interfaces:", "org.varlink.service"] { #expect(info.contains(line)) }
            for file in ProtocolFilesTests.files {
                let name = file.replacing(".varlink", with: "")
                #expect(info.contains(name))
                let help = try await commandLine("help", "\(address)/\(name)").output
                let interface = try VarlinkInterface(parsing: help)
                #expect(interface == (try VarlinkInterface(parsing: ProtocolFilesTests.text(file))))
            }
        }
    }

    @Test("its command line calls, and goes through the gated sequence across two windows")
    func calls() async throws {
        try await LiveDaemon.run { daemon in
            func call(_ method: String, _ parameters: String = "{}") async throws -> JSONValue {
                let answer = try await commandLine("call", "unix:\(daemon.socket)/io.scened.\(method)", parameters)
                #expect(answer.errors == "")
                let reply = try JSONValue(parsing: answer.output)
                return reply["parameters"] ?? reply
            }
            _ = try await call("Scenes.Connect", #"{"scene": "A"}"#)
            _ = try await call("Scenes.Connect", #"{"scene": "B"}"#)
            let link = #"{"url": "https://shop.example/cart", "scene": "A", "event": "cart"}"#
            #expect(try await call("Events.OpenURL", link)["receipt"]?["outcome"] == "gated")
            #expect(try await call("Session.SignIn", #"{"user": "anna", "scene": "B"}"#)["session"]?["revision"] == 1)
            let finished = link.replacing("}", with: #", "wait": "finished"}"#)
            #expect(try await call("Events.OpenURL", finished)["receipt"]?["outcome"] == "applied")
            let newest = try await daemon.records().count
            #expect(try await call("Session.SignOut", #"{"scene": "B"}"#)["session"]?["epoch"] == 1)
            try await daemon.record("scene.swept", after: newest, scene: "A")
            let scene = try await call("Scenes.Get", #"{"scene": "A"}"#)["scene"]?["window"]?.objectValue
            #expect(scene?.trail == ["home"])

            let refused = try await commandLine(
                "call",
                "unix:\(daemon.socket)/io.scened.Scenes.Connect",
                #"{"scene": "A"}"#
            )
            #expect(refused.errors.contains("io.scened.Scenes.SceneExists"))
        }
    }
}
