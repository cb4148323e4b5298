package import SceneVocabulary
package import StrictJSON

/// What a host and its session are in the middle of a history.
package struct HistorySnapshot: Hashable, Sendable {
    /// The version of what the host's records say; 1 for those of older daemons.
    package let format: Int
    package let app: HistoryRecord.AppVersion
    /// Whether coordinators or screens of the app are written in Swift.
    package let hasCode: Bool
    /// The version that conditions on the app's version see.
    package let appVersion: String?
    /// Who is signed in; `nil` for nobody.
    package let user: String?
    package let truths: HistoryRecord.Truths
    /// Every fact that has a value; `nil` in the records of older daemons.
    package let facts: [String: JSONValue]?
    /// The IDs of the scenes of which a record has been made or may follow.
    package let scenes: [String]
}

/// With what a host goes on after its end.
package struct HistoryRestart: Hashable, Sendable {
    /// What the host and its session are.
    package let host: HistorySnapshot
    /// The events whose attempt had begun and not ended; each begins another one.
    package let again: [Again]

    /// An event that is dispatched once more.
    package struct Again: Hashable, Sendable {
        /// The scene that dispatches it; ``HistoryRecord/app`` for the app itself.
        package let scene: String
        package let ticket: Int
        /// The number of the attempt that had begun, from 1.
        package let attempt: Int
    }
}

/// What the app itself has admitted, while it dispatches nothing.
package struct HistoryAppSnapshot: Hashable, Sendable {
    package let lastTicket: Int
    /// The events that have not begun, in their order.
    package let waiting: [HistorySceneSnapshot.Event]
}

/// What a scene is while nothing is going on in it.
package struct HistorySceneSnapshot: Hashable, Sendable {
    package let configuration: String
    package let isConnected: Bool
    package let activation: Activation
    /// Whether its window is locked, or will be when it comes back.
    package let isLocked: Bool
    /// What it shows, or, if it is not connected, what it showed last.
    package let window: HistoryWindow
    /// The epoch in which it was judged last what of the window belongs to whom.
    package let judgedIn: Int
    /// The parents of the flows whose coordinators are attached.
    package let coordinators: [String: String]
    /// Those of them that are the app's own.
    package let inSwift: Set<String>
    package let lastTicket: Int
    /// The events that have not begun, in their order.
    package let waiting: [Event]
    /// The intents that wait for a precondition, in the order parked.
    package let parked: [Parked]
    /// The flows that are shown for a gate alone: it has presented them, and nothing has led to them since.
    package let gateFlows: [String]
    /// The flows that other flows have started and that are still shown, each with the one that started it.
    package let startedFlows: [String: String]

    /// An event without a terminal outcome.
    package struct Event: Hashable, Sendable {
        package let ticket: Int
        package let event: String
        package let connection: Int?
        package let arrival: HistoryRecord.Arrival
        /// The epoch at its admission.
        package let admittedIn: Int
    }

    /// An event that waits for a precondition.
    package struct Parked: Hashable, Sendable {
        package let event: Event
        package let attempt: Int
        package let precondition: String
        /// The values of the parameters that the precondition looks at.
        package let parameters: [String: String]
        package let destination: Destination
        /// What is to be shown for the destination, if one of its variants was chosen.
        package let variant: Destination?
        package let flow: String
        /// Who was signed in when it was parked.
        package let user: String?
        /// The epoch then.
        package let parkedIn: Int
    }
}
