internal import Glibc
internal import Subprocess
internal import SystemPackage

/// A daemon of one's own on a temporary socket, for a demonstration or an integration test: started, used, stopped.
public struct PrivateDaemon: Sendable {
    /// Its socket's path.
    public let socket: String
    /// Its process ID.
    public let processID: Int32

    /// Starts a daemon, runs `body` and stops the daemon again, whatever `body` does.
    ///
    /// - Parameters:
    ///   - executable: The program; by default `scened` beside the running program, else the one in `PATH`.
    ///   - arguments: More arguments for it; the socket is given already.
    /// - Throws: What `body` throws, or a ``PrivateDaemonError``.
    public static func run<Result: Sendable>(
        executable: String? = nil,
        arguments: [String] = [],
        _ body: (PrivateDaemon) async throws -> Result
    ) async throws -> Result {
        let directory = try TemporaryDirectory()
        defer { directory.remove() }
        let socket = "\(directory.path)/io.scened"
        let outcome = try await Subprocess.run(
            program(executable),
            // What the machine's own daemon is configured to do is not meant for this one.
            arguments: Arguments(["--config", "/dev/null", "--socket", socket] + arguments),
            environment: .inherit.updating(["LISTEN_FDS": nil, "LISTEN_PID": nil, "NOTIFY_SOCKET": nil]),
            input: .none,
            output: .discarded,
            error: .currentStandardError
        ) { execution in
            let daemon = PrivateDaemon(socket: socket, processID: execution.processIdentifier.value)
            do {
                _ = try await daemon.client(patience: .seconds(10))
                let result = try await body(daemon)
                try execution.send(signal: .terminate)
                return result
            } catch {
                try? execution.send(signal: .kill)
                throw error
            }
        }
        guard outcome.terminationStatus.isSuccess else {
            throw PrivateDaemonError.failed(status: "\(outcome.terminationStatus)")
        }
        return outcome.closureResult
    }

    /// A new connection to it.
    /// - Parameter patience: How long to try again while nobody listens; not at all unless told.
    public func client(patience: Duration = .zero) async throws(SceneClientError) -> SceneClient {
        try await Self.client(of: socket, patience: patience)
    }

    /// A connection to whoever listens there, before long.
    static func client(of socket: String, patience: Duration) async throws(SceneClientError) -> SceneClient {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try await SceneClient(path: socket)
            } catch {
                guard ContinuousClock.now < deadline, !Task.isCancelled else { throw error }
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    static func program(_ named: String?) -> Executable {
        if let named { return .path(FilePath(named)) }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = own.lastIndex(of: "/") else { return .name("scened") }
        let beside = own[...slash] + "scened"
        return access(String(beside), X_OK) == 0 ? .path(FilePath(String(beside))) : .name("scened")
    }
}

/// Why a private daemon did not do.
public enum PrivateDaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No directory for its socket could be made.
    case noDirectory(reason: String)
    /// It ended with another status than success.
    case failed(status: String)

    public var description: String {
        switch self {
        case .noDirectory(let reason): "no directory for the socket could be made: \(reason)"
        case .failed(let status): "the daemon ended with \(status)"
        }
    }
}
