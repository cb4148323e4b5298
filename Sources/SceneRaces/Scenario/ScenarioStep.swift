package import SceneRouting
package import SceneRuntime

/// One thing that somebody does.
public struct ScenarioStep: Sendable {
    package enum Action: Sendable {
        /// Hands in an event and waits for its receipt.
        case submit(SubmittedEvent, scene: String?, until: ReceiptStage)
        case signIn(user: String, facts: [String: FactValue], lifetime: Duration?)
        case signOut
        /// Sets and removes facts. `isBasedOnRead` expects the revision that its actor read last.
        case commit(set: [String: FactValue], remove: [String], isBasedOnRead: Bool)
        /// Reads the session's revision, for a commit to be based on.
        case read
        case connect(scene: String, configuration: String?)
        case activate(scene: String, Activation)
        case disconnect(scene: String)
        case discard(scene: String)
        case reload(AppManifest)
        /// Waits for so many milliseconds of the host's time; of a range every run chooses one.
        case wait(ClosedRange<Int>)
    }

    /// What results are asked for by: given, or made of the actor's name and the step's number.
    package var name: String
    package var action: Action
    /// The client's ID for its event: given, or the step's name.
    package var event: String
    /// What it does, in a few words.
    package var text: String
    /// Where it stands in the file, as the file names it.
    package var key: String
    package var line: Int
    package var column: Int
}

extension ScenarioStep {
    /// Whether it hands in an event.
    var isSubmission: Bool {
        if case .submit = action { true } else { false }
    }
}
