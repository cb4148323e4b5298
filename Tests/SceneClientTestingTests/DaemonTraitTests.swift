import Foundation
import Glibc
import SceneClientTesting
import TestFixtures
import Testing

/// The trait itself: whose daemon a test gets.
@Suite("The trait for a daemon", .timeLimit(.minutes(15)))
struct DaemonTraitTests {
    @Suite("a suite's", .daemon(app: "club"))
    struct OfSuite {
        @Test("its tests have the suite's app", arguments: 0..<2)
        func app(_: Int) async throws {
            #expect(try await TestApp.current.client.call("io.scened.Manager.GetStatus")["app"] == "Club")
        }

        @Test("a test's own trait counts for that test", .daemon(app: "bank", clock: .real))
        func own() async throws {
            #expect(try await TestApp.current.client.call("io.scened.Manager.GetStatus")["app"] == "Bank")
            await #expect(throws: SceneClientError.self) { try await TestApp.current.clock.now }
            let window = try await TestApp.current.window()
            try await window.open("bank://help")
            try await window.expect("intro › [help(topic: start)]")
            try await window.at(.planned) { _ = try await window.open("bank://help/login") }
        }

        @Suite("one within it")
        struct Within {
            @Test("inherits it")
            func inherits() async throws {
                #expect(try await TestApp.current.client.call("io.scened.Manager.GetStatus")["app"] == "Club")
            }
        }
    }

    @Test("without the trait, the error says what to do")
    func none() async {
        await #expect {
            try await TestApp.current.window()
        } throws: {
            "\($0)" == "this test has no daemon; give it or its suite the trait .daemon(…)"
        }
    }

    @Test("a daemon with an app's own code serves as well", .daemon(start: "2026-11-27T08:00Z", program: "shop-daemon"))
    func ownCode() async throws {
        let window = try await TestApp.current.window()
        try await window.open("https://shop.example/cart")
        try await window.expect("home › auth[login]")
        #expect(try await TestApp.current.client.call("io.scened.Manager.GetStatus")["code"] != nil)
    }
}

/// Tests that fail, which ``FailureTests`` runs in a process of their own.
@Suite("Failing", .enabled(if: getenv("TEST_FAILING") != nil))
struct Failing {
    static let artifacts = getenv("TEST_FAILING").map { String(cString: $0) } ?? "test-results"

    @Suite("expectation", .serialized, .daemon(app: "hotel.yaml", artifacts: artifacts))
    struct Expectation {
        @Test func unmet() async throws {
            let window = try await TestApp.current.window("A")
            try await window.open("hotel://room/7")
            try await window.expect("stay")
        }

        @Test func thrown() async throws {
            try await TestApp.current.window().open("hotel://nowhere")
        }

        @Test func passes() async throws { try await TestApp.current.window().expect("rooms") }
    }

    @Suite("death", .serialized, .daemon(app: "hotel.yaml", artifacts: artifacts))
    struct Death {
        @Test func dies() async throws {
            let daemon = try TestApp.current.daemon
            kill(daemon.processID, SIGKILL)
            await daemon.untilEnded()
        }

        @Test func goesOn() async throws { try await TestApp.current.window().expect("rooms") }
    }

    /// A daemon whose checker says that an invariant is violated.
    @Suite("verdict", .daemon(program: lying, artifacts: artifacts))
    struct Verdict {
        @Test func looksFine() async throws { try await TestApp.current.window().open("https://shop.example/orders") }
    }

    static let lying = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "protocol/python/tests/lying_scened.py").path

    @Suite("start", .daemon(app: "nowhere.yaml"))
    struct NoManifest {
        @Test func unreached() {}
    }

    @Suite("program", .daemon(program: "no-such-daemon"))
    struct NoProgram {
        @Test func unreached() {}
    }

    @Suite("manifest", .daemon(app: "bad.yaml"))
    struct BadManifest {
        @Test func unreached() {}
    }
}

@Suite("What a failure says", .timeLimit(.minutes(15)))
struct FailureTests {
    /// Runs failing tests in a process of their own.
    private static func run(_ filter: String, in folder: String) throws -> (status: Int32, lines: [String]) {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let run = try Command(
            [own, "--testing-library", "swift-testing", "--filter", filter],
            environment: ["TEST_FAILING": folder, "REAL_SCENED": Command.built("scened")],
            mergingErrors: true
        )
        var lines: [String] = []
        while let line = run.line() { lines.append(line) }
        return (run.end(), lines)
    }

    @Test("a test that fails leaves its story, with commands that look at it; one that passes leaves nothing")
    func artifacts() async throws {
        let directory = try TemporaryDirectory()
        let (status, lines) = try Self.run("SceneClientTestingTests.Failing/Expectation", in: directory.path)
        let output = lines.joined(separator: "\n")
        #expect(status != 0)
        #expect(output.contains("window A does not show what was expected"), "\(output)")
        #expect(
            output.contains("shown:      rooms › room(id: 7)") && output.contains("DaemonTraitTests.swift:"),
            "\(output)"
        )
        #expect(output.contains("UnknownRoute"), "\(output)")
        let folders = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        let prefix = "SceneClientTestingTests-Failing-Expectation"
        #expect(folders == ["\(prefix)-thrown", "\(prefix)-unmet"])
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/\(prefix)-unmet").sorted()
        #expect(files == ["app.json", "daemon.log", "records.jsonl", "script.jsonl", "trace.html"])
        let commands = lines.compactMap { line in
            line.firstMatch(of: /\/[^ ]*scenectl (check|with-daemon) .*/).map { String($0.output.0) }
        }
        for command in commands.filter({ $0.contains("-unmet") }) {
            let shell = try Command(["sh", "-c", command], mergingErrors: true)
            var said = ""
            while let line = shell.line() { said += line + "\n" }
            #expect(shell.end() == 0, "\(command): \(said)")
        }
        #expect(commands.filter { $0.contains("-unmet") }.count == 2, "\(output)")
    }

    @Test("a daemon that ends in a test is told there, and the next test has one of its own")
    func death() async throws {
        let directory = try TemporaryDirectory()
        let (status, lines) = try Self.run("SceneClientTestingTests.Failing/Death", in: directory.path)
        let output = lines.joined(separator: "\n")
        #expect(status != 0)
        #expect(output.contains("has ended in this test; its log says why"), "\(output)")
        #expect(output.contains("Test goesOn() passed"), "\(output)")
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(left == ["SceneClientTestingTests-Failing-Death-dies"])
    }

    @Test("records that violate an invariant fail a test whose expectations are all met")
    func verdict() async throws {
        let directory = try TemporaryDirectory()
        let (status, lines) = try Self.run("SceneClientTestingTests.Failing/Verdict", in: directory.path)
        let output = lines.joined(separator: "\n")
        #expect(status != 0)
        #expect(output.contains("the records of this test violate what scened promises"), "\(output)")
        #expect(output.contains("window A shows what nobody may see") && output.contains(#""index":1"#), "\(output)")
        #expect(output.contains("looksFine() recorded an issue at DaemonTraitTests.swift:"), "\(output)")
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(left == ["SceneClientTestingTests-Failing-Verdict-looksFine"])
    }

    static let starts = [
        ("NoManifest", "there is no manifest 'nowhere.yaml' in "),
        ("NoProgram", "there is no program 'no-such-daemon' (from the option)"),
        ("BadManifest", "before it was ready; the end of its log:"),
    ]

    @Test("what is wrong with the daemon is told once, with what to do", arguments: starts)
    func start(suite: String, says: String) async throws {
        let directory = try TemporaryDirectory()
        let (status, lines) = try Self.run("SceneClientTestingTests.Failing/\(suite)", in: directory.path)
        #expect(status != 0)
        #expect(lines.filter { $0.contains(says) }.count == 1, "\(lines.joined(separator: "\n"))")
    }
}
