import Foundation
import Glibc
import Subprocess
import TestFixtures
import Testing

/// The short form of `make hostile`: hundreds of misbehaving clients of other users, all at once.
@Suite("A hostile crowd", .timeLimit(.minutes(15)))
struct HostileCrowdTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Crowd/crowd.py").path
    private static let python = "/usr/bin/python3"

    @Test(
        "harms nobody: answers and records of others are right and whole, all that was taken is given back, no message is dear",
        .enabled(if: geteuid() == 0, "other users' clients need root"),
        .enabled(if: access(python, X_OK) == 0, "\(python) is not installed"),
        arguments: ["1"]
    )
    func harmsNobody(seed: String) async throws {
        let outcome = try await Program.run(
            Self.python,
            [
                Self.script, "--short", "--seed", seed, "--daemon", Command.built("scened"), "--scenectl",
                Command.built("scenectl"),
            ]
        )
        #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
    }
}
