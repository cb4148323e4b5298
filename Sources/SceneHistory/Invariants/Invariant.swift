/// The invariants, in the order and with the numbers of <doc:/SceneRuntime/Invariants>.
package enum Invariant: Int, Hashable, Sendable, CaseIterable {
    /// The tickets of a scene and the order of its dispatches.
    case ticketOrder = 1
    /// The order in which a scene admits the events of one connection.
    case sendOrder
    /// The outcome of each event.
    case outcomes
    /// Revisions and epochs.
    case snapshots
    /// What each step shows, and what a dispatch does.
    case visibility
    /// Gates that open, and the attempts that follow.
    case resumes
    /// What is shown and parked when the host is quiet.
    case quietScenes
    /// Screens in stacks.
    case stacks
    /// The tree of coordinators.
    case coordinators
    /// Violations that the host itself recorded.
    case windowRules
    /// Connecting, activating, disconnecting and discarding scenes.
    case lifecycle
    /// What is left when the host is quiet or stopped.
    case completion
    /// For whom it counts what somebody did in a window.
    case ownership
    /// What links the records of an event from its admission to its end.
    case continuity
    /// What records say, and what the app's manifest makes of what came before. Judged only if the manifest is given.
    case agreement

    /// Those that are decided from the records alone.
    package static let ofRecords = allCases.filter { $0 != .agreement }

    /// Its name in JSON.
    package var name: String { "\(self)" }

    /// What holds if it is not violated, in one line.
    package var promise: String {
        switch self {
        case .ticketOrder: "tickets are contiguous, dispatches run in their order and never overlap"
        case .sendOrder: "what one connection sends to one scene is admitted in the order sent"
        case .outcomes: "once quiet, every event has exactly one terminal outcome or is parked"
        case .snapshots: "revisions are contiguous, epochs monotone, every snapshot has one revision"
        case .visibility: "every step shows only what is allowed at its revision and in its epoch"
        case .resumes: "a resume sees the commit that allowed it, no gate repeats without a commit in between"
        case .quietScenes: "once quiet, nothing shown is forbidden and nothing parked is due or left behind"
        case .stacks: "no stack repeats a screen, every stack starts at its root"
        case .coordinators: "the coordinators attached are those that own something on screen"
        case .windowRules: "no rule of the window was broken"
        case .lifecycle: "scenes change as the automaton allows, nothing is dispatched in a discarded one"
        case .completion: "once quiet, mailboxes are empty and nothing waits for ever"
        case .ownership:
            "what one user did in a window commits and shows nothing for the next, and nothing of hers stays on screen"
        case .continuity: "each record of an event follows from those before it, and time never goes back"
        case .agreement: "each record says what the app's manifest makes of what came before"
        }
    }
}
