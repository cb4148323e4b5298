internal import CommandConsole
internal import Glibc
internal import SceneClient
internal import SceneManifest

/// One of the apps that `app compare` compares, as named on the command line.
enum ComparedApp: Sendable {
    /// A daemon that runs, by its socket.
    case running(String)
    /// A daemon with an app's own code, by its program.
    case program(String)
    /// A manifest alone: a file or an example's name.
    case manifest(String)

    /// What a text names: what is at that path, or an example.
    /// - Throws: What is expected, or the manifest's problems.
    init(_ text: String) throws(CommandError) {
        var status = stat()
        if let advice = SocketAdvice.address(advising: text) { throw .usage(advice) }
        if ExampleApp(rawValue: text) == nil, stat(text, &status) != 0 {
            let reason = String(cString: strerror(errno))
            let meant = ExampleApp.isName(text) ? " \(ExampleApp.unknown(text))" : ""
            throw .usage(
                "\(text): \(reason); expected the socket of a daemon, the program of one, a manifest or an example.\(meant)"
            )
        }
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: self = .running(text)
        case S_IFDIR: throw .usage("\(text): expected a socket, a program or a manifest, found a folder.")
        // It is read here and by the daemon, and what comes through a pipe comes once.
        case S_IFIFO: throw .usage("\(text): expected a socket, a program or a manifest in a file, found a pipe.")
        case S_IFREG where access(text, X_OK) == 0: self = .program(text)
        default:
            // The daemon would say the same, among its log.
            _ = try ManifestFile.read(text)
            self = .manifest(text)
        }
    }

    /// Runs `body` with the app's daemon. One that has to be started has a virtual clock, and ends with `body`.
    /// - Parameter side: Which of the two apps it is.
    func run<Result: Sendable>(
        as side: ComparedSide,
        _ body: (RunningApp) async throws -> Result
    ) async throws -> Result {
        let (program, app): (String?, [String])
        switch self {
        case .running(let socket):
            return try await body(RunningApp(connect: { try await SceneClient(path: socket) }, kill: {}))
        // One without a folder would be looked for in PATH.
        case .program(let path): (program, app) = (path.contains("/") ? path : "./\(path)", [])
        case .manifest(let file): (program, app) = (nil, ["--app", file])
        }
        do {
            return try await PrivateDaemon.run(
                executable: program,
                arguments: app + ["--clock", "virtual", "--log-level", "warning"]
            ) { daemon in
                try await body(RunningApp(connect: { try await daemon.client() }, kill: { daemon.kill() }))
            }
        } catch let error as PrivateDaemonError {
            var failure = WithDaemon.failure(error)
            failure.message = "\(side.rawValue): \(failure.message)"
            throw failure
        }
    }
}

/// The daemon of an app while it is compared.
struct RunningApp: Sendable {
    /// Makes a connection to it.
    let connect: @Sendable () async throws -> SceneClient
    /// Ends it at once if it was started for the comparison.
    let kill: @Sendable () -> Void
}
