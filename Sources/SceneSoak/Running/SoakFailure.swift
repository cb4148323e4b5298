internal import Basics

/// Why a soak could not start or continue.
package enum SoakFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system could not start a thread, for this reason.
    case noThread(String)
    /// The windows could not be opened, for this reason.
    case noScenes(String)
    /// The daemon does not say which manifest it runs, or says it in a format that cannot be read.
    case noManifest
    /// The mix has no weight for any of the kinds that this app's users send, which are these.
    case emptyMix([String])
    /// This objective could never be judged, for this reason.
    case emptyObjective(String, String)
    /// The daemon disappeared and did not come back within this time.
    case daemonGone(patience: Duration)

    /// Whether the options are to blame.
    package var isUsage: Bool {
        switch self {
        case .noScenes, .noManifest, .emptyMix, .emptyObjective: true
        case .noThread, .daemonGone: false
        }
    }

    package var description: String {
        switch self {
        case .noThread(let reason): "no thread for the load could be started: \(reason)"
        case .noScenes(let reason): "the windows cannot be opened: \(reason)"
        case .noManifest:
            "the daemon does not say which manifest it runs; name it with --app FILE, or give a script of events with --events FILE"
        case .emptyMix(let known):
            "--mix names no kind of event that this app's users send; they send \(known.joined(separator: ", "))"
        case .emptyObjective(let text, let reason): "--slo \(text): \(reason)"
        case .daemonGone(let patience): "the daemon disappeared and was not back within \(patience.words)"
        }
    }
}
