internal import Basics
internal import SceneClient
internal import Testing

/// The daemon of a suite, with which its tests take turns.
final class SuiteDaemon: Sendable {
    @TaskLocal static var current: SuiteDaemon?

    let settings: DaemonTestSettings
    private let daemon: PrivateDaemon
    private let turns = Turns()
    /// Whether a test has said that the daemon has ended in it.
    private let isDeathTold: Guarded<Bool>

    private init(_ settings: DaemonTestSettings, _ daemon: PrivateDaemon, _ isDeathTold: Guarded<Bool>) {
        self.settings = settings
        self.daemon = daemon
        self.isDeathTold = isDeathTold
    }

    /// Runs a suite's tests with a daemon.
    static func provide(_ settings: DaemonTestSettings, _ body: @Sendable () async throws -> Void) async throws {
        let isDeathTold = Guarded(false)
        do {
            try await start(settings) { daemon in
                let suite = SuiteDaemon(settings, daemon, isDeathTold)
                try await $current.withValue(suite) { try await body() }
            }
        } catch PrivateDaemonError.ended where isDeathTold.withLock(\.self) {
            // The test in which it ended has said so.
        }
    }

    /// Has a test its turn with the suite's daemon; if there is none, or it has ended, the test has one of its own.
    static func withDaemon(
        _ settings: DaemonTestSettings,
        for test: Test,
        _ body: @Sendable (PrivateDaemon) async throws -> Void
    ) async throws {
        guard let suite = current, suite.settings == settings else { return try await start(settings, body) }
        await suite.turns.take()
        defer { suite.turns.pass() }
        guard !suite.daemon.hasEnded else { return try await start(settings, body) }
        defer { if suite.daemon.hasEnded { suite.isDeathTold.withLock { $0 = true } } }
        try await body(suite.daemon)
    }

    private static func start(
        _ settings: DaemonTestSettings,
        _ body: @Sendable (PrivateDaemon) async throws -> Void
    ) async throws {
        try await PrivateDaemon.run(executable: settings.program, arguments: try settings.words(), body)
    }
}

/// One after the other, in the order asked.
private final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    func take() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func pass() {
        let next = state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        next?.resume()
    }
}
