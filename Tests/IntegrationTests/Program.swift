import Subprocess
import SystemPackage

/// A program that runs to its end.
enum Program {
    struct Outcome: Sendable {
        let status: TerminationStatus
        let output: String
        let errors: String
    }

    /// Runs it with what it may read on standard input, and collects what it says.
    static func run(
        _ executable: String,
        _ arguments: [String],
        input: String = "",
        environment: [String: String?] = [:]
    ) async throws -> Outcome {
        let changes = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        let result = try await Subprocess.run(
            executable.hasPrefix("/") ? .path(FilePath(executable)) : .name(executable),
            arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: changes)),
            input: .string(input),
            output: .string(limit: 64 << 20),
            error: .string(limit: 1 << 20)
        )
        return Outcome(status: result.terminationStatus, output: result.standardOutput, errors: result.standardError)
    }
}
