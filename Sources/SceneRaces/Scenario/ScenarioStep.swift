package import SceneEntryPoints
package import SceneRouting
package import SceneRuntime

/// One action of an actor.
package struct ScenarioStep: Sendable {
    /// The actions.
    package enum Action: Sendable {
        /// Submits an event and waits for its receipt.
        case submit(SubmittedEvent, scene: String?, until: ReceiptStage)
        /// Submits a set of URLs, whose order is chosen with that of everything else, and waits for all receipts.
        case submitSet(URLSet, scene: String?, until: ReceiptStage)
        case signIn(user: String, facts: [String: FactValue], lifetime: Duration?, freshness: Duration?)
        case signOut
        case markStale
        /// Sets and removes facts. `isBasedOnRead` expects the revision that its actor read last.
        case commit(set: [String: FactValue], remove: [String], isBasedOnRead: Bool)
        /// Reads the session's revision, for a commit to be based on.
        case read
        /// Opens a window, or restores it. With `inBackground` nobody looks at it, as when the system connects one.
        case connect(scene: String, configuration: String?, inBackground: Bool)
        case activate(scene: String, Activation)
        case disconnect(scene: String)
        case discard(scene: String)
        case reload(AppManifest)
        /// Waits for this many milliseconds of the host's time; every run chooses a number from the range.
        case wait(ClosedRange<Int>)
    }

    /// The name by which a result is expected: as given, or made of the actor's name and the step's number.
    package var name: String
    package var action: Action
    /// The client's ID for its event, or its set: as given, or the step's name.
    package var event: String
    /// The action in a few words.
    package var text: String
    /// Its path in the file, such as `actors.mina[0]`.
    package var key: String
    package var line: Int
    package var column: Int
}

extension ScenarioStep {
    /// The IDs of the events that it submits.
    var events: [String] {
        switch action {
        case .submit: [event]
        case .submitSet(let urls, _, _): urls.events.indices.map { SetSubmission.eventID(event, $0 + 1) }
        default: []
        }
    }

    /// The window that it names for what it submits.
    var target: String? {
        switch action {
        case .submit(_, let scene, _), .submitSet(_, let scene, _): scene
        default: nil
        }
    }

    /// What of its events it waits for; `nil` if it submits none.
    var stage: ReceiptStage? {
        switch action {
        case .submit(_, _, let stage), .submitSet(_, _, let stage): stage
        default: nil
        }
    }
}
