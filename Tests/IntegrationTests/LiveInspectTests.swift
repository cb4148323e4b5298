import Foundation
import Glibc
import Subprocess
import TestFixtures
import Testing

/// The page over a live daemon in a real browser, driven from outside by `Python/live.py` and `Python/door.py`, which compare it with what
/// commands say of the same daemon.
@Suite(
    "The page over a live daemon",
    .enabled(if: PythonEnvironment.isInstalled, "no .build/python-venv; '.ci/setup' makes it"),
    .serialized,
    .timeLimit(.minutes(15))
)
struct LiveInspectTests {
    /// What a driver finds.
    private func findings(_ script: String, _ arguments: String...) async throws -> String {
        let programs = URL(fileURLWithPath: Command.built("scenectl")).deletingLastPathComponent().path
        let path = PythonEnvironment.scripts.appendingPathComponent(script).path
        let words = [path, arguments[0], programs] + arguments.dropFirst()
        let outcome = try await Program.run(PythonEnvironment.python, words)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        return outcome.output
    }

    /// The shop, the bank and the club.
    @Test(
        "random clicks: the page shows what is the case, and the commands and the script that it gives end alike",
        arguments: 0..<3
    )
    func walk(seed: Int) async throws {
        #expect(try await findings("live.py", "walk", "\(seed)") == "")
    }

    @Test(
        "holds, the keyboard, hosts that end or hang, manifests that change, records that are gone, files, hostile texts, large numbers, secrets, words, and how it looks",
        arguments: [
            "holds", "keys", "ends", "lost", "hangs", "reloads", "forgotten", "served", "hostile", "digits", "secrets",
            "words",
            "looks",
        ]
    )
    func page(mode: String) async throws {
        #expect(try await findings("live.py", mode) == "")
    }

    @Test("what is shown for each call is a command that makes the same call")
    func commands() async throws {
        #expect(try await findings("door.py", "commands") == "")
    }

    @Test(
        "who has no key or comes from elsewhere gets nothing, and who sends slowly keeps nobody out",
        arguments: ["door", "foreign", "slow"]
    )
    func strangers(mode: String) async throws {
        #expect(try await findings("door.py", mode) == "")
    }

    @Test(
        "what somebody's roles do not allow is not offered",
        .enabled(if: getuid() == 0, "only root can be somebody else")
    )
    func roles() async throws {
        #expect(try await findings("door.py", "roles") == "")
    }
}
