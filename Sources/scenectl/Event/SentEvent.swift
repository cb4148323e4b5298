internal import Basics
internal import CommandConsole
internal import SceneClient
internal import StrictJSON

/// An event, or a set of URLs, that a subcommand sends: by which ID it can be found if no answer comes.
final class SentEvent: Sendable {
    private struct State {
        var id: String?
        var admitted: [String] = []
    }

    private let state: Guarded<State>
    private let isSet: Bool
    private let patience: Duration?

    /// - Parameters:
    ///   - id: The ID that it was given, if any.
    ///   - isSet: Whether its ID is that of a set, which makes the events `mail/1`, `mail/2`.
    ///   - patience: For how long the client repeats it when the connection is lost; `nil` if it does not.
    init(id: String?, isSet: Bool, patience: Duration?) {
        state = Guarded(State(id: id))
        self.isSet = isSet
        self.patience = patience
    }

    /// Makes its ID, if it was given none.
    @Sendable func makeID() -> String {
        let id = Reconnecting.randomID()
        state.withLock { $0.id = id }
        return id
    }

    /// Notes that the daemon has admitted it.
    @Sendable func admit(_ receipts: [ClientReceipt]) {
        state.withLock { state in
            state.admitted = receipts.map(\.event)
            // Of a set, without the place of the first.
            let first = receipts.first?.event
            state.id = state.id ?? (isSet ? first.map { String($0.dropLast("/1".count)) } : first)
        }
    }

    /// The IDs under which it was admitted; none if the daemon has told nothing of it yet.
    var admitted: [String] { state.withLock(\.admitted) }
    /// The ID to send it with again; `nil` if it has none that is known here.
    private var id: String? { state.withLock(\.id) }

    /// How to ask for its receipt, or of a set for the first one.
    private static func question(_ id: String, isSet: Bool) -> String { "'scenectl receipt \(id)\(isSet ? "/1" : "")'" }

    /// What becomes of it after the time of `--timeout`.
    var afterwards: String {
        let admitted = admitted
        if let first = admitted.first {
            let they = admitted.count == 1 ? "It stays" : "They stay"
            return "\(they) admitted: 'scenectl receipt \(first)' prints the outcome when there is one."
        }
        let unknown = "Whether it will be admitted is not known"
        return id.map { "\(unknown): \(Self.question($0, isSet: isSet)) tells." } ?? "\(unknown)."
    }

    /// The error of a call that does not say what has become of the event, with its ID and what to do.
    /// - Returns: `nil` if the error says it, or nothing was sent.
    func unanswered(_ error: SceneClientError) -> CommandError? {
        guard error.leavesEventOpen else { return nil }
        let failure = Failure(error)
        var message = failure.message
        if case .unsure(_, _, let reason) = error, let patience {
            message = Advice.ended("No answer came within \(patience.words): \(reason)")
        }
        var parameters = failure.parameters
        parameters["event"] = id.map(JSONValue.string)
        parameters["admitted"] = admitted.isEmpty ? nil : true
        return CommandError(
            message: "\(message) \(advice)",
            status: failure.status,
            name: failure.name,
            parameters: parameters
        )
    }

    private var advice: String {
        let open = "may or may not have been admitted"
        guard let id else {
            return
                "The event \(open), and has no ID to ask by: 'scenectl records --kind event.admitted' shows what was. "
                + "With --event it has one, and sending the same again is safe."
        }
        let what = isSet ? "The set '\(id)'" : "The event '\(id)'"
        let further = patience != nil ? "" : " With --reconnect scenectl does both by itself."
        return "\(what) \(admitted.isEmpty ? open : "was admitted"). If the daemon keeps its state, "
            + "\(Self.question(id, isSet: isSet)) tells what has become of it, "
            + "and sending the same again with --event \(id) is safe.\(further)"
    }
}
