internal import ArgumentParser
internal import Basics
internal import CommandMistakes
internal import CommandConsole
internal import SceneClient
internal import SceneSoak
internal import StrictJSON

/// How long to wait for what the daemon has been asked.
struct PatienceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Give up after this time: 500ms, 5s, 2m. The exit status is 6 then; what was waited for goes on. Default: no limit.",
            valueName: "time"
        ),
        transform: Self.time
    )
    var timeout: Duration?

    /// Reads a time with its unit, at least a millisecond.
    static func time(_ text: String) throws -> Duration {
        guard let time = Duration.reading(text), time >= .milliseconds(1) else {
            throw ValidationError("expected \(CommandMistake.expectedTime).")
        }
        return time
    }

    /// Makes a call that waits in windows; see ``Patience``.
    /// - Parameters:
    ///   - what: What is waited for, as in "Timed out waiting for …".
    ///   - scene: The window in which it is waited for; `nil` for all.
    ///   - reconnecting: How to go on when the connection is lost; `nil` makes that an error.
    func wait<Result: Sendable>(
        for what: String,
        in scene: String? = nil,
        _ daemon: DaemonOptions,
        reconnecting: Reconnecting? = nil,
        _ call: @escaping @Sendable (SceneClient) async throws -> Result
    ) async throws -> Result {
        let patience = Patience(limit: timeout, what: what) {
            let resting = try await daemon.connect().resting() ?? []
            return resting.filter { scene == nil || $0.scene == scene }.map(Standing.init)
        }
        return try await patience.wait { try await call(try await daemon.connect(reconnecting: reconnecting)) }
    }
}

/// A wait with a limit, which says on standard error what it waits for if that cannot go on by itself: something is held, or a
/// virtual clock stands. It asks after a second of real time, and then every second.
struct Patience: Sendable {
    /// How long to wait; `nil` for no limit.
    let limit: Duration?
    /// What is waited for, as in "Timed out waiting for …".
    let what: String
    /// What to say when the limit has passed, besides where things stand.
    let afterwards: @Sendable () -> String
    /// Asks the daemon, on a connection of its own, how things stand.
    let standings: @Sendable () async throws -> [Standing]

    init(
        limit: Duration?,
        what: String,
        afterwards: @escaping @Sendable () -> String = { "" },
        standings: @escaping @Sendable () async throws -> [Standing]
    ) {
        self.limit = limit
        self.what = what
        self.afterwards = afterwards
        self.standings = standings
    }

    private static let interval = Duration.seconds(1)

    /// Waits for what `body` returns.
    /// - Throws: What `body` throws, or a ``CommandError`` with the status ``ExitStatus/timedOut``.
    func wait<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            // What is over within a second tells where things stand at its end.
            if limit.map({ $0 > Self.interval }) ?? true {
                group.addTask {
                    try await tellEverySecond()
                    return nil
                }
            }
            if let limit {
                group.addTask {
                    try await Task.sleep(for: limit)
                    throw await timedOut(limit)
                }
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private func tellEverySecond() async throws {
        var told: Set<String> = []
        while true {
            try await Task.sleep(for: Self.interval)
            // A daemon that cannot be asked now may answer the call all the same.
            for standing in (try? await standings()) ?? [] where standing.isStuck && !Task.isCancelled {
                let text = "\(standing.sentence) \(standing.advice)"
                if told.insert(text).inserted { Terminal.complain(text) }
            }
        }
    }

    private func timedOut(_ limit: Duration) async -> CommandError {
        // Whoever has waited too long is not to wait for the reason, too.
        let standings = await within(Self.interval, standings) ?? []
        let sentences = standings.map { "\($0.sentence) \($0.advice)" }
        let text = ["Timed out after \(limit.words), waiting for \(what)."] + sentences + [afterwards()]
        var parameters: JSONObject = ["timeoutMilliseconds": .integer(limit.milliseconds), "awaited": .string(what)]
        parameters["standings"] = .array(standings.map { .object($0.json) })
        return CommandError(
            message: text.filter { !$0.isEmpty }.joined(separator: " "),
            status: .timedOut,
            parameters: parameters
        )
    }

    /// What `body` returns; `nil` if it throws, or takes longer than `limit`.
    private func within<Result: Sendable>(
        _ limit: Duration,
        _ body: @escaping @Sendable () async throws -> Result
    ) async -> Result? {
        await withTaskGroup(of: Result?.self) { group in
            group.addTask { try? await body() }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
