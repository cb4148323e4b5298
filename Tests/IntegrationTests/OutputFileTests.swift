import Basics
import Foundation
import Glibc
import SceneClient
import Subprocess
import TestFixtures
import Testing

/// Every option of scenectl that writes a file.
@Suite("Files that scenectl writes", .timeLimit(.minutes(15)))
struct OutputFileTests {
    /// An option that writes a file, and a command line with it that does.
    struct Output: Sendable, CustomTestStringConvertible {
        let option: String
        /// `FILE` stands for the file, `SCENARIO` for a scenario with a race.
        let line: String
        /// How the command ends that has written it.
        var status: Int32 = 0

        var testDescription: String { "\(option) of \(line)" }

        func words(_ file: String, scenario: String) -> [String] {
            line.split(separator: " ").map { word in
                word == "FILE" ? file : word == "SCENARIO" ? scenario : String(word)
            }
        }
    }

    private static let newApp = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources/AppTemplate/NewApp/Sources/NewApp/NewApp.yaml").path
    private static let race = "race SCENARIO --iterations 500 --seed 7"

    static let outputs = [
        Output(option: "--save", line: "app compare \(newApp) shop --seed 1 --save FILE", status: 1),
        Output(option: "--output", line: "app swift bank --output FILE"),
        Output(option: "--save", line: "\(race) --save FILE", status: 1),
        Output(option: "--report", line: "\(race) --report FILE", status: 1),
        Output(option: "--export", line: "\(race) --export FILE", status: 1),
        Output(option: "FILE", line: "record FILE"),
    ]

    /// Runs a command line with a daemon that was sent something.
    private static func run(_ output: Output, _ file: String, in directory: TemporaryDirectory) async throws
        -> Program.Outcome
    {
        let scenario = "\(directory.path)/wrong.yaml"
        try RaceVerbTests.wrong.write(toFile: scenario, atomically: true, encoding: .utf8)
        var outcome: Program.Outcome?
        try await LiveDaemon.run { daemon in
            _ = try await daemon.client().connect(scene: "A")
            outcome = try await Program.run(
                Command.built("scenectl"),
                output.words(file, scenario: scenario),
                environment: ["SCENED_SOCKET": daemon.socket]
            )
        }
        return try #require(outcome)
    }

    @Test("what cannot be written is told before anything is done", arguments: outputs)
    func early(output: Output) async throws {
        let directory = try TemporaryDirectory()
        let (pipe, folder) = ("\(directory.path)/pipe.html", "\(directory.path)/folder.html")
        try #require(mkfifo(pipe, 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let missing = "\(directory.path)/missing/file.html"
        for (file, problem) in [
            (pipe, "a pipe that nobody reads; expected a file, or a pipe with a reader"),
            (folder, "expected a file, found a folder"),
            (
                missing,
                "\(directory.path)/missing: No such file or directory; expected a file in a folder that is there"
            ),
        ] {
            let outcome = try await Self.run(output, file, in: directory)
            #expect(outcome.status == .exited(2) && outcome.output == "", "\(outcome)")
            #expect(outcome.errors == "scenectl: \(output.option) \(file): \(problem).\n")
        }
    }

    @Test("a pipe that somebody reads gets what a file does", arguments: outputs)
    func pipe(output: Output) async throws {
        let directory = try TemporaryDirectory()
        let (pipe, file) = ("\(directory.path)/pipe.html", "\(directory.path)/file.html")
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let hasEnded = Guarded(false)
        // A report is longer than a pipe has room for.
        async let read = BlockingCalls.run {
            var text: [UInt8] = []
            var more = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let isLast = hasEnded.withLock(\.self)
                var waiting = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
                _ = poll(&waiting, 1, 50)
                let count = Glibc.read(reader, &more, more.count)
                if count > 0 { text += more[..<count] } else if isLast { return text }
            }
        }
        let piped = try await Self.run(output, pipe, in: directory)
        hasEnded.withLock { $0 = true }
        try #require(piped.status == .exited(output.status), "\(piped)")
        let filed = try await Self.run(output, file, in: directory)
        try #require(filed.status == .exited(output.status), "\(filed)")
        let expected = try String(contentsOfFile: file, encoding: .utf8)
        let length = try await read.count
        // Times and the file's own name differ.
        #expect(!expected.isEmpty && abs(length - expected.utf8.count) < 100, "\(length)")
    }
}
