import Foundation
import Glibc
import Subprocess
import TestFixtures
import Testing

/// The short form of `make kills`: the daemon is killed at calls that change its state's files, loses power, and goes on.
@Suite("Kills anywhere", .timeLimit(.minutes(15)))
struct KillsTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Kills/kills.py").path
    private static let python = "/usr/bin/python3"

    @Test(
        "lose nothing that was acknowledged, do nothing twice, and keep every order: the history of all lives holds",
        .enabled(if: access(python, X_OK) == 0, "\(python) is not installed"),
        arguments: ["1"]
    )
    func loseNothing(seed: String) async throws {
        let outcome = try await Program.run(
            Self.python,
            [
                Self.script, "--short", "--seed", seed, "--scened", Command.built("scened"), "--shop-daemon",
                Command.built("shop-daemon"),
            ]
        )
        #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
    }
}
