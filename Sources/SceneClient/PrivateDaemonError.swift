internal import Basics
internal import Subprocess

/// How a daemon's process has ended.
public enum DaemonStatus: Hashable, Sendable, CustomStringConvertible {
    /// It exited with this status.
    case exited(Int32)
    /// This signal ended it.
    case signalled(Int32)

    init(_ status: TerminationStatus) {
        switch status {
        case .exited(let code): self = .exited(code)
        case .signaled(let signal): self = .signalled(signal)
        }
    }

    /// `with status 78`, or `by signal 9`.
    public var description: String {
        switch self {
        case .exited(let code): "with status \(code)"
        case .signalled(let signal): "by signal \(signal)"
        }
    }
}

/// Why a private daemon failed. Logs are its last lines.
public enum PrivateDaemonError: Error, Hashable, Sendable {
    /// There is no such program. The source is where its name is from: `the option`, `SCENED` or `PATH`.
    case noProgram(name: String, source: String)
    /// No folder for its socket could be made.
    case noFolder(reason: String)
    /// The program could not be started.
    case notStarted(program: String, reason: String)
    /// It ended before it was ready, or with no status was not ready within a minute.
    case notReady(program: String, status: DaemonStatus?, log: String)
    /// It was told to stop, had not ended a minute later, and was killed.
    case notStopped(program: String, log: String)
    /// It ended by itself after it was ready, or did not end well.
    case ended(program: String, status: DaemonStatus, log: String)
}

extension PrivateDaemonError: CustomStringConvertible {
    /// What went wrong and what to do, and then the end of the log.
    public var description: String {
        switch self {
        case .noProgram(let name, let source):
            "there is no program '\(name)' (from \(source)); build it with 'swift build --product scened', set SCENED to its path, or put it into PATH"
        case .noFolder(let reason): "no folder for a daemon's socket could be made: \(reason)"
        case .notStarted(let program, let reason): "\(program) cannot be started: \(reason)"
        case .notReady(let program, let status?, let log):
            "\(program) ended \(status) before it was ready\(Self.ending(log))"
        case .notReady(let program, nil, let log):
            "\(program) was not ready within \(PrivateDaemon.patience.words): it has not said READY=1, as sd_notify(3) does\(Self.ending(log))"
        case .notStopped(let program, let log):
            "\(program) had not ended \(PrivateDaemon.patience.words) after SIGTERM, and was killed\(Self.ending(log))"
        case .ended(let program, let status, let log): "\(program) ended \(status)\(Self.ending(log))"
        }
    }

    private static func ending(_ log: String) -> String {
        log.isEmpty ? "; its log is empty" : "; the end of its log:\n\(log)"
    }
}
