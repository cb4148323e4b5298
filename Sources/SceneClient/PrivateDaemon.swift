internal import Basics
internal import Glibc
internal import Subprocess
internal import SystemPackage

/// A daemon of one's own, for a demo, a command or a test: on a private socket, told when it is ready, gone with its folder.
///
/// However the process that started it ends, also by SIGKILL, the daemon ends with it. It has a session of its own, so that Ctrl-C
/// reaches the caller but not the daemon.
public struct PrivateDaemon: Sendable {
    /// The path of the daemon's socket.
    public let socket: String
    /// The daemon's process ID.
    public let processID: Int32
    /// The file to which the daemon logs, in its private folder.
    public let log: String
    /// The path or name of the program.
    package let program: String
    private let ending: Ending

    /// How long the daemon has to become ready, and to stop.
    static let patience = Duration.seconds(60)
    /// How long one that has not become ready in its time has to stop.
    private static let lastPatience = Duration.seconds(5)

    /// Starts a daemon, runs `body` when it is ready, and stops the daemon, even if `body` throws.
    ///
    /// - Parameters:
    ///   - executable: The program; by default that of the environment's `SCENED`, else `scened` beside the running program, else
    ///     the one in `PATH`.
    ///   - arguments: Additional arguments; `--config`, `--socket` and `--log` are given already. Of the environment the daemon gets
    ///     what is not a setting of scened or of a service manager.
    ///   - body: What to do with the daemon.
    /// - Throws: What `body` throws, or a ``PrivateDaemonError``, which comes first if the daemon ended by itself.
    public static func run<Result: Sendable>(
        executable: String? = nil,
        arguments: [String] = [],
        _ body: (PrivateDaemon) async throws -> Result
    ) async throws -> Result {
        try await run(executable: executable, arguments: arguments, within: patience, body)
    }

    /// The same with another limit.
    /// - Parameter patience: How long the daemon has to become ready, at least a second, and to stop.
    package static func run<Result: Sendable>(
        executable: String? = nil,
        arguments: [String] = [],
        within patience: Duration,
        _ body: (PrivateDaemon) async throws -> Result
    ) async throws -> Result {
        let program = try FoundProgram(named: executable)
        return try await PrivateFolder.during { folder in
            let outcome = try await start(program, arguments, folder, within: patience, body)
            let log = folder.lastLines
            let status = DaemonStatus(outcome.status)
            guard let result = outcome.result else {
                // With which signal one was ended that did not become ready in time says nothing about it.
                let status = outcome.endedByItself ? status : nil
                throw PrivateDaemonError.notReady(program: program.path, status: status, log: log)
            }
            if outcome.hasOutlasted { throw PrivateDaemonError.notStopped(program: program.path, log: log) }
            guard !outcome.endedByItself, outcome.status.isSuccess else {
                throw PrivateDaemonError.ended(program: program.path, status: status, log: log)
            }
            return try result.get()
        }
    }

    /// How a daemon's process went.
    private struct Outcome<Value: Sendable> {
        /// What the body returned; `nil` if the daemon never became ready.
        let result: Swift.Result<Value, any Error>?
        let endedByItself: Bool
        /// Whether it was killed because it did not end in its time.
        let hasOutlasted: Bool
        let status: TerminationStatus
    }

    private static func start<Value: Sendable>(
        _ program: FoundProgram,
        _ arguments: [String],
        _ folder: PrivateFolder,
        within patience: Duration,
        _ body: (PrivateDaemon) async throws -> Value
    ) async throws -> Outcome<Value> {
        let notices = try DaemonNotices(in: folder)
        let outcome: Swift.Result<Outcome<Value>, any Error>
        do {
            outcome = .success(try await start(program, arguments, folder, notices, within: patience, body))
        } catch {
            outcome = .failure(error)
        }
        folder.daemonHasEnded()
        await notices.stop()
        return try outcome.get()
    }

    private static func start<Value: Sendable>(
        _ program: FoundProgram,
        _ arguments: [String],
        _ folder: PrivateFolder,
        _ notices: DaemonNotices,
        within patience: Duration,
        _ body: (PrivateDaemon) async throws -> Value
    ) async throws -> Outcome<Value> {
        // The machine's configuration file is not meant for this daemon.
        let words = folder.command(
            [program.path, "--config", "/dev/null", "--socket", folder.socket, "--log", "text"] + arguments
        )
        let errors = try folder.openLog()
        var options = PlatformOptions()
        options.createSession = true
        do {
            let outcome = try await Subprocess.run(
                .path(FilePath(words[0])),
                arguments: Arguments(Array(words.dropFirst())),
                environment: .inherit.updating(environment(notices)),
                platformOptions: options,
                input: folder.input,
                output: .sequence,
                error: .fileDescriptor(errors, closeAfterSpawningProcess: true)
            ) { execution in
                let daemon = PrivateDaemon(
                    socket: folder.socket,
                    processID: execution.processIdentifier.value,
                    log: folder.log,
                    program: program.path,
                    ending: Ending()
                )
                return await withTaskGroup(of: Void.self) { group in
                    group.addTask {
                        // It prints nothing there; that its output ends says that it has ended.
                        do { for try await _ in execution.standardOutput {} } catch {}
                        daemon.ending.come()
                        notices.finish()
                    }
                    var result: Swift.Result<Value, any Error>?
                    if await notices.areReady(within: patience) {
                        group.addTask { await notices.takeRest() }
                        do { result = .success(try await body(daemon)) } catch { result = .failure(error) }
                    }
                    let endedByItself = daemon.hasEnded
                    let rest = result == nil ? min(patience, lastPatience) : patience
                    let end = ContinuousClock.now + rest
                    await execution.teardown(using: [.gracefulShutDown(allowedDurationToNextStep: rest)])
                    return (result, endedByItself, !endedByItself && !Task.isCancelled && ContinuousClock.now >= end)
                }
            }
            let (result, endedByItself, hasOutlasted) = outcome.closureResult
            return Outcome(
                result: result,
                endedByItself: endedByItself,
                hasOutlasted: hasOutlasted,
                status: outcome.terminationStatus
            )
        } catch let error as SubprocessError {
            throw PrivateDaemonError.notStarted(program: program.path, reason: "\(error)")
        }
    }

    /// What the daemon's environment has otherwise than this process's: neither the settings there nor the service manager of this
    /// process are meant for it.
    private static func environment(_ notices: DaemonNotices) -> [Environment.Key: String?] {
        var changes: [Environment.Key: String?] = [:]
        var next = environ
        while let entry = next.pointee {
            let name = String(decoding: String(cString: entry).utf8.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            if ["SCENED", "LISTEN_", "WATCHDOG_"].contains(where: name.hasPrefix) {
                changes[Environment.Key(stringLiteral: name)] = .some(nil)
            }
            next += 1
        }
        changes["NOTIFY_SOCKET"] = notices.path
        return changes
    }

    /// Connects to the daemon.
    public func client() async throws(SceneClientError) -> SceneClient { try await SceneClient(path: socket) }

    /// The `scenectl` beside its program, else the one beside the running program, else the one in `PATH`.
    package var scenectl: String? {
        let beside = program.lastIndex(of: "/").map { program[...$0] + "scenectl" }
        return beside.flatMap { FoundProgram.find(String($0)) } ?? FoundProgram.find("scenectl")
    }

    // MARK: - Its end

    /// Ends it at once, whatever it does.
    package func kill() {
        if !hasEnded { _ = Glibc.kill(processID, SIGKILL) }
    }

    /// Whether the daemon has ended.
    public var hasEnded: Bool { ending.hasCome }

    /// Waits until the daemon has ended, or the task is cancelled.
    public func untilEnded() async { await ending.wait() }

    /// How much the daemon has logged, in bytes.
    package var logSize: Int {
        var status = stat()
        return stat(log, &status) == 0 ? Int(status.st_size) : 0
    }

    /// What the daemon has logged.
    /// - Parameter position: After so many bytes.
    package func logged(after position: Int = 0) -> String { PrivateFolder.read(log, from: position) }

    /// The end of a process, for which any number of tasks can wait.
    private final class Ending: Sendable {
        private struct State {
            var hasCome = false
            var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
            var count = 0
        }

        private let state = Guarded(State())

        var hasCome: Bool { state.withLock(\.hasCome) }

        func come() {
            let waiting = state.withLock { state in
                state.hasCome = true
                defer { state.waiting = [:] }
                return state.waiting
            }
            for continuation in waiting.values { continuation.resume() }
        }

        func wait() async {
            let number = state.withLock { state in
                state.count += 1
                return state.count
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOver = state.withLock { state in
                        if state.hasCome || Task.isCancelled { return true }
                        state.waiting[number] = continuation
                        return false
                    }
                    if isOver { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
            }
        }
    }
}
