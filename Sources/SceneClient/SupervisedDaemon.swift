internal import Glibc
internal import Basics
internal import Subprocess
internal import SystemPackage

/// A private daemon that is started again whenever it ends, as by a service manager.
package struct SupervisedDaemon: Sendable {
    private struct State {
        var process: pid_t?
        var isStopping = false
    }

    /// Starts a daemon, keeps one running while `body` runs, and stops it.
    ///
    /// The daemon runs in a separate process group, so Ctrl-C reaches the caller but not the daemon. However this process ends, also
    /// by SIGKILL, the daemon ends with it.
    /// - Parameters:
    ///   - executable: The program; by default that of the environment's `SCENED`, else `scened` beside the running program,
    ///     else the one in `PATH`.
    ///   - arguments: Additional arguments; `--config` and `--socket` are given already.
    ///   - body: Gets the socket's path.
    /// - Throws: What `body` throws, or why no daemon could be started.
    package static func run<Result: Sendable>(
        executable: String? = nil,
        arguments: [String] = [],
        _ body: @Sendable (String) async throws -> Result
    ) async throws -> Result {
        let program = try FoundProgram(named: executable)
        return try await PrivateFolder.during { folder in
            let words = [program.path, "--config", "/dev/null", "--socket", folder.socket] + arguments
            return try await run(words, folder, body)
        }
    }

    private static func run<Result: Sendable>(
        _ words: [String],
        _ folder: PrivateFolder,
        _ body: @Sendable (String) async throws -> Result
    ) async throws -> Result {
        let socket = folder.socket
        let state = Guarded(State())
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keep(folder.command(words), folder, state) }
            let outcome: Swift.Result<Result, any Error>
            do {
                try await awaitListener(at: socket)
                outcome = .success(try await body(socket))
            } catch {
                outcome = .failure(error)
            }
            state.withLock { state in
                state.isStopping = true
                if let process = state.process { kill(process, SIGTERM) }
            }
            group.addTask {
                // The daemon may be stuck; it must not outlive the caller.
                try await Task.sleep(for: .seconds(15))
                state.withLock { state in
                    if let process = state.process { _ = kill(process, SIGKILL) }
                }
            }
            // The first to end is the daemon, or the time that it has for that.
            _ = try await group.next()
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
            return try outcome.get()
        }
    }

    private static func keep(_ words: [String], _ folder: PrivateFolder, _ state: Guarded<State>) async throws {
        var options = PlatformOptions()
        options.processGroupID = 0
        // What daemons before this one have said, such as what is doubtful in the manifest, needs no saying at each start.
        var said: Set<Substring> = []
        while !state.withLock(\.isStopping) {
            _ = try await Subprocess.run(
                .path(FilePath(words[0])),
                arguments: Arguments(Array(words.dropFirst())),
                environment: .inherit.updating(["LISTEN_FDS": nil, "LISTEN_PID": nil, "NOTIFY_SOCKET": nil]),
                platformOptions: options,
                input: folder.input,
                output: .discarded,
                error: .sequence
            ) { execution in
                state.withLock { state in
                    state.process = execution.processIdentifier.value
                    if state.isStopping { kill(execution.processIdentifier.value, SIGTERM) }
                }
                var saying: Set<Substring> = []
                for try await line in execution.standardError.strings(bufferingPolicy: .unbounded) {
                    // A line begins with its time.
                    let text = line.drop { $0 != " " }
                    saying.insert(text)
                    guard !said.contains(text) else { continue }
                    _ = try? FileDescriptor.standardError.writeAll("\(line)\n".utf8)
                }
                said.formUnion(saying)
            }
            folder.daemonHasEnded()
            let isStopping = state.withLock { state in
                state.process = nil
                return state.isStopping
            }
            if !isStopping { try await Task.sleep(for: .milliseconds(100)) }
        }
    }
    /// Waits until somebody listens, for ten seconds at most: each start may be that of another process.
    private static func awaitListener(at socket: String) async throws(SceneClientError) {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            do {
                return await (try await SceneClient(path: socket)).close()
            } catch {
                guard ContinuousClock.now < deadline, !Task.isCancelled else { throw error }
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
