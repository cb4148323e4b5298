import Foundation
import Glibc
import StrictJSON
import Subprocess
import Testing
import Varlink

/// Clients of several users, each its own process.
@Suite(
    "Several users and the live daemon",
    .enabled(if: geteuid() == 0, "needs root, to become other users"),
    .enabled(if: PythonEnvironment.isInstalled, "no .build/python-venv; '.ci/setup' makes it"),
    .timeLimit(.minutes(15))
)
struct StrangerTests {
    @Test("one who may only inject tries adapters on 80 connections, and no push of another is rejected for it")
    func trials() async throws {
        try await LiveDaemon.run(["--set", "roles.inject=user:1001", "--set", "roles.act=user:1002"]) { daemon in
            chmod(daemon.socket, 0o666)
            let script = PythonEnvironment.scripts.appendingPathComponent("strangers.py").path
            let outcome = try await Program.run(PythonEnvironment.python, [script, daemon.socket, "50"])
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            let report = try JSONValue(parsing: outcome.output)
            let outcomes = report["outcomes"]?.objectValue ?? [:]
            #expect(outcomes.keys.allSatisfy { ["applied", "unchanged"].contains($0) }, "\(outcomes)")
            #expect(outcomes.reduce(0) { $0 + ($1.value.integerValue ?? 0) } == 50)
            let answers = report["answers"]?.objectValue ?? [:]
            #expect(answers["tried"]?.integerValue ?? 0 > 0)
            let refused = answers["TooManyTrials"]?.integerValue ?? 0
            #expect(refused > 0 && answers.count == 2, "\(answers)")
            // It lacks every role but its own, and the daemon says whom it has refused what.
            #expect(
                report["lacks"] == [
                    "Events.FinishFlow": "act", "Events.Gesture": "act", "Session.SignIn": "mutate",
                    "Adapters.Register": "control", "Manager.GetStatus": "observe",
                ]
            )
            let stranger = report["users"]?.arrayValue?.first { $0["user"] == 1_001 }
            #expect(stranger?["refused"]?["trials"]?.integerValue ?? 0 >= refused)
            #expect(stranger?["refused"]?["role act"] == 2)
            let metrics =
                try await daemon.connect().call("io.scened.Manager.GetMetrics")["openMetrics"]?.stringValue ?? ""
            #expect(metrics.contains(#"scened_refusals_total{reason="role act",user="1001"} 2"#))
            let skipped = try await daemon.records().filter { $0["kind"] == "adapter.skipped" }
            #expect(skipped.isEmpty)
        }
    }
}
