import Subprocess
import SystemPackage
import TestFixtures

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
}
