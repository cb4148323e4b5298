/// What the exit status of a command says. This is the table of `scenectl --help` and of scenectl(1).
package enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case refused = 1
    case usage = 2
    case noDaemon = 3
    case unknown = 4
    case unexpected = 5
    case timedOut = 6
    case daemonEnded = 124
    case notStarted = 125
    case notRunnable = 126
    case noCommand = 127
    case interrupted = 130
    case terminated = 143

    /// What it says, in a phrase.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .refused:
            "the daemon refused, output cannot be written, or a check, race, soak, play, test or comparison found something wrong"
        case .usage: "wrong usage, a file that cannot be read, or one of --save and the like that cannot be written"
        case .noDaemon: "no daemon, or the connection to it was lost"
        case .unknown: "a check, race or soak cannot tell"
        case .unexpected: "an event came otherwise than --expect says, or a hold with --must-catch caught nothing"
        case .timedOut: "the time of --timeout passed; what was waited for goes on"
        case .daemonEnded:
            "the daemon of with-daemon ended before its command, or one of app compare meanwhile or did not answer any more"
        case .notStarted: "with-daemon or app compare could not start a daemon"
        case .notRunnable: "a command after -- cannot be run"
        case .noCommand: "there is no command after -- by its name"
        case .interrupted: "Ctrl-C ended it; a race or app compare had found nothing so far"
        case .terminated: "SIGTERM ended it; a race or app compare had found nothing so far"
        }
    }

    /// The name of an error with this status that no daemon has answered, as `--json` prints it.
    package var errorName: String {
        let word =
            switch self {
            case .done, .refused: "Failed"
            case .usage: "Usage"
            case .noDaemon: "NoDaemon"
            case .unknown: "Unknown"
            case .unexpected: "Unexpected"
            case .timedOut: "TimedOut"
            case .daemonEnded: "DaemonEnded"
            case .notStarted: "DaemonNotStarted"
            case .notRunnable: "CommandNotRunnable"
            case .noCommand: "NoCommand"
            case .interrupted: "Interrupted"
            case .terminated: "Terminated"
            }
        return "scenectl.\(word)"
    }

    /// The table, a line for each status.
    package static var table: String { allCases.map { "  \($0.rawValue)  \($0.meaning)" }.joined(separator: "\n") }
}
