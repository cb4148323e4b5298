internal import CommandConsole
internal import Glibc
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// A command that a subcommand runs after `--`, in the manner of env(1): it has the terminal, gets the signals that are sent to this
/// process, and its exit status becomes that of this process.
struct WrappedCommand: Sendable {
    /// The command with its arguments; not empty.
    let words: [String]
    /// Variables that its environment has besides.
    let variables: [String: String]

    /// Runs it to its end. A cancelled task sends it SIGTERM, and after two seconds SIGKILL.
    /// - Returns: Its exit status, or 128 and the number of the signal that ended it, as in a shell.
    /// - Throws: A ``CommandError`` with the status ``ExitStatus/noCommand`` or ``ExitStatus/notRunnable``.
    func run() async throws -> Int32 {
        Terminal.flush()
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(2))]
        let name = words[0]
        let pairs = variables.map { (Environment.Key(stringLiteral: $0.key), String?.some($0.value)) }
        let changes = Dictionary(uniqueKeysWithValues: pairs)
        return try await ForwardedSignals.during {
            do {
                let outcome = try await Subprocess.run(
                    name.contains("/") ? .path(FilePath(name)) : .name(name),
                    arguments: Arguments(Array(words.dropFirst())),
                    environment: .inherit.updating(changes),
                    platformOptions: options,
                    input: .currentStandardInput,
                    output: .currentStandardOutput,
                    error: .currentStandardError
                ) { ForwardedSignals.go(to: $0.processIdentifier.value) }
                return switch outcome.terminationStatus {
                case .exited(let code): code
                case .signaled(let signal): 128 + signal
                }
            } catch let error as SubprocessError {
                throw Self.failure(name, error)
            }
        }
    }

    private static func failure(_ name: String, _ error: SubprocessError) -> CommandError {
        let isPath = name.contains("/")
        var status = stat()
        if isPath ? stat(name, &status) != 0 && errno == ENOENT : error.code == .executableNotFound {
            return CommandError(
                message:
                    "There is no command '\(name)'\(isPath ? "" : " in PATH"). What comes after -- is run as it is, without a shell.",
                status: .noCommand
            )
        }
        let reason =
            if isPath, status.st_mode & S_IFMT == S_IFDIR {
                "it is a folder"
            } else if isPath, access(name, X_OK) != 0 {
                String(cString: strerror(errno))
            } else {
                error.underlyingError.map { "\($0)" } ?? "\(error)"
            }
        return CommandError(message: "'\(name)' cannot be run: \(reason).", status: .notRunnable)
    }
}

/// Hands the signals that are sent to this process to another one. What the terminal sends, by Ctrl-C, that process gets by itself,
/// because both are in its foreground group.
private enum ForwardedSignals {
    /// The process; 0 before it has been started.
    private static let process = Atomic<Int32>(0)
    /// The last signal that came before.
    private static let early = Atomic<Int32>(0)
    private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

    /// Takes the signals while `body` runs. One that this process was started to ignore, as by nohup(1), stays ignored.
    static func during<Result>(_ body: () async throws -> Result) async throws -> Result {
        process.store(0, ordering: .sequentiallyConsistent)
        early.store(0, ordering: .sequentiallyConsistent)
        var before: [(number: Int32, action: sigaction)] = []
        for number in numbers {
            var earlier = sigaction()
            sigaction(number, nil, &earlier)
            if unsafeBitCast(earlier.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
            {
                continue
            }
            before.append((number, earlier))
            var action = sigaction()
            action.sa_flags = SA_SIGINFO | SA_RESTART
            // A signal handler may do little: kill(2) is allowed.
            action.__sigaction_handler.sa_sigaction = { number, information, _ in
                // Positive for what the kernel sends itself.
                guard let information, information.pointee.si_code <= 0 else { return }
                let process = ForwardedSignals.process.load(ordering: .sequentiallyConsistent)
                if process > 0 {
                    kill(process, number)
                } else {
                    ForwardedSignals.early.store(number, ordering: .sequentiallyConsistent)
                }
            }
            sigaction(number, &action, nil)
        }
        defer {
            process.store(0, ordering: .sequentiallyConsistent)
            for (number, earlier) in before {
                var action = earlier
                sigaction(number, &action, nil)
            }
        }
        return try await body()
    }

    /// Names the process, which has been started.
    static func go(to started: Int32) {
        process.store(started, ordering: .sequentiallyConsistent)
        let number = early.exchange(0, ordering: .sequentiallyConsistent)
        if number != 0 { kill(started, number) }
    }
}
