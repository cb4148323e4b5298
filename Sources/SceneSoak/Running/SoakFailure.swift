/// Why a soak could not begin, or not go on.
package enum SoakFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system has no thread to give.
    case noThread(String)
    /// The windows cannot be opened; what the daemon says, and what to do.
    case noScenes(String)
    /// The app has no route for which a link could be made up.
    case noWords
    /// The mix asks for nothing that there is for this app; the words there are.
    case emptyMix([String])
    /// The daemon went away and was not there again within this time.
    case daemonGone(patience: Duration)

    /// Whether something else should have been asked for.
    package var isUsage: Bool {
        switch self {
        case .noScenes, .noWords, .emptyMix: true
        case .noThread, .daemonGone: false
        }
    }

    package var description: String {
        switch self {
        case .noThread(let reason): "no thread for the load could be started: \(reason)"
        case .noScenes(let reason): "the windows cannot be opened: \(reason)"
        case .noWords: "no link of the app could be made up; name a script of events with --events FILE"
        case .emptyMix(let known):
            "--mix asks for nothing that this app's users do; they do \(known.joined(separator: ", "))"
        case .daemonGone(let patience): "the daemon went away and was not back within \(patience.words)"
        }
    }
}
