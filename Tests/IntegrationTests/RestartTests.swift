import Foundation
import Glibc
import Subprocess
import TestFixtures
import Testing

/// One daemon after the other at a socket that stays open, under load. `InstalledTests` do the same with a service manager.
@Suite("Restarts", .timeLimit(.minutes(15)))
struct RestartTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Restarts/restarts.py").path
    private static let python = "/usr/bin/python3"

    @Test(
        "refuse nobody, leave no call without an answer, and do everything once that was acknowledged",
        .enabled(if: access(python, X_OK) == 0, "\(python) is not installed"),
        arguments: ["1"]
    )
    func loseNothing(seed: String) async throws {
        let outcome = try await Program.run(
            Self.python,
            [Self.script, "--seed", seed, "--times", "6", "--answers", "150", "--scened", Command.built("scened")]
        )
        #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
    }
}
