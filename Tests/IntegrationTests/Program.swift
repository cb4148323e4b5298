import Subprocess
import SystemPackage
import TestFixtures
import Testing

/// Runs a program to its end.
enum Program {
    struct Outcome: Sendable {
        let status: TerminationStatus
        let output: String
        let errors: String
    }

    /// Runs it with `input` on standard input, and collects its output.
    static func run(
        _ executable: String,
        _ arguments: [String],
        input: String = "",
        environment: [String: String?] = [:]
    ) async throws -> Outcome {
        // From a file: if a program ends without reading, writing to a pipe would break it, and
        // Subprocess 1.0.2 ends the test process then.
        let directory = try TemporaryDirectory()
        let file = try FileDescriptor.open(
            FilePath("\(directory.path)/input"),
            .readWrite,
            options: [.create, .closeOnExec],
            permissions: .ownerReadWrite
        )
        try file.writeAll(input.utf8)
        try file.seek(offset: 0, from: .start)
        let changes = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        let result = try await Subprocess.run(
            executable.hasPrefix("/") ? .path(FilePath(executable)) : .name(executable),
            arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: changes)),
            input: .fileDescriptor(file, closeAfterSpawningProcess: true),
            output: .string(limit: 64 << 20),
            error: .string(limit: 1 << 20)
        )
        return Outcome(status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
    }

    /// Writes a script that a test then runs, as a file that may be executed.
    ///
    /// Another process writes it. If this one did, a child that it forks for another test meanwhile would have the file open until it
    /// executes its own program, and nobody can execute a file that somebody writes: "Text file busy".
    static func write(_ script: String, to path: String) async throws {
        let written = try await run("/bin/sh", ["-c", #"cat > "$0" && chmod 755 "$0""#, path], input: script)
        try #require(written.status == .exited(0), "\(written.errors)")
    }

    /// Copies a program that a test then runs: by another process, as ``write(_:to:)`` does.
    static func copy(_ program: String, to path: String) async throws {
        let copied = try await run("/bin/cp", [program, path])
        try #require(copied.status == .exited(0), "\(copied.errors)")
    }
}
