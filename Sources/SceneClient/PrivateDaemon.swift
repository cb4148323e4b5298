internal import Glibc
internal import Subprocess
internal import SystemPackage

/// A daemon on a temporary socket, for a demo or an integration test.
public struct PrivateDaemon: Sendable {
    /// The path of the daemon's socket.
    public let socket: String
    /// The daemon's process ID.
    public let processID: Int32

    /// Starts a daemon, runs `body`, and stops the daemon, even if `body` throws.
    ///
    /// - Parameters:
    ///   - executable: The program; by default `scened` beside the running program, else the one in `PATH`.
    ///   - arguments: Additional arguments; `--config` and `--socket` are given already.
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
            // The machine's configuration file is not meant for this daemon.
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

    /// Connects to the daemon.
    /// - Parameter patience: How long to retry while nobody listens; by default the first failure is thrown.
    public func client(patience: Duration = .zero) async throws(SceneClientError) -> SceneClient {
        try await Self.client(of: socket, patience: patience)
    }

    /// Connects to the daemon at `socket`, and retries for as long as `patience`.
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

/// Why a private daemon failed.
public enum PrivateDaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No directory for its socket could be created.
    case noDirectory(reason: String)
    /// The daemon ended with a status other than 0, or by a signal.
    case failed(status: String)

    /// What went wrong, as a phrase.
    public var description: String {
        switch self {
        case .noDirectory(let reason): "no directory for the socket could be created: \(reason)"
        case .failed(let status): "the daemon ended with \(status)"
        }
    }
}

/// A directory for a socket that only this user can read.
struct TemporaryDirectory {
    let path: String

    init() throws(PrivateDaemonError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/scened-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw .noDirectory(reason: String(cString: strerror(errno)))
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the directory and the socket, the only file that can be in it.
    func remove() {
        unlink("\(path)/io.scened")
        rmdir(path)
    }
}
