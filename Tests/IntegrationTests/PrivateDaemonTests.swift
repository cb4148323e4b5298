import Glibc
import SceneClient
import TestFixtures
import Testing

/// A daemon that is started for a command or a test, and does not do what it should.
@Suite("A private daemon", .timeLimit(.minutes(15)))
struct PrivateDaemonTests {
    /// Starts a program that has a second to become ready, and another to stop.
    /// - Returns: What is wrong with it.
    private static func fault(_ program: String) async throws -> PrivateDaemonError {
        try await #require(throws: PrivateDaemonError.self) {
            try await PrivateDaemon.run(executable: program, within: .seconds(1)) { daemon in
                // Nothing but SIGKILL ends it now.
                kill(daemon.processID, SIGSTOP)
            }
        }
    }

    /// Does the same with what a shell runs.
    private static func fault(ofShell script: String) async throws -> PrivateDaemonError {
        let directory = try TemporaryDirectory()
        let program = "\(directory.path)/program"
        try await Program.write("#!/bin/sh\necho starting >&2\n\(script)\n", to: program)
        return try await fault(program)
    }

    @Test(
        "that is not ready in time is told so, not by what ended it then",
        arguments: ["kill -STOP $$", "exec sleep 100000", "trap '' TERM; while :; do sleep 1; done"]
    )
    func late(script: String) async throws {
        let fault = try await Self.fault(ofShell: script)
        guard case .notReady(_, nil, "starting") = fault else { Issue.record("\(fault)"); return }
    }

    @Test(
        "that ends before it is ready is told with how it has ended",
        arguments: [("exit 7", DaemonStatus.exited(7)), ("kill -KILL $$", .signalled(SIGKILL))]
    )
    func early(script: String, status: DaemonStatus) async throws {
        let fault = try await Self.fault(ofShell: script)
        guard case .notReady(_, status, "starting") = fault else { Issue.record("\(fault)"); return }
    }

    @Test("that does not end in time is told so")
    func outlasting() async throws {
        let fault = try await Self.fault(Command.built("scened"))
        guard case .notStopped = fault else { Issue.record("\(fault)"); return }
    }
}
