internal import SceneEntryPoints
public import SceneNavigation
public import SceneRouting

extension Record {
    /// What a host is in the middle of its history, for a reader who has missed what came before (<doc:Records#Snapshots>).
    public struct HostSnapshot: Hashable, Sendable {
        /// The app's name.
        public let app: String
        /// The version of the manifest in force.
        public let manifestVersion: String
        /// Its digest.
        public let manifest: String
        /// Whether coordinators or screens of the app are written in Swift.
        public let hasCode: Bool
        /// The version that conditions on the app's version see; `nil` for none.
        public let appVersion: String?
        /// Who is signed in; `nil` for nobody.
        public let user: String?
        /// What holds now.
        public let truths: Truths
        /// Every fact that has a value.
        public let facts: [String: FactValue]
        /// The IDs of all scenes of which a record has been made or may follow, in the order opened.
        public let scenes: [String]
    }

    /// What the app itself has admitted, between two items of its mailbox.
    public struct AppSnapshot: Hashable, Sendable {
        /// The ticket given last; 0 before the first.
        public let lastTicket: Int
        /// The events that have not begun, by their tickets.
        public let waiting: [OpenEvent]
    }

    /// What a scene is between two items of its mailbox: no attempt, sweep or transition is in progress.
    public struct SceneSnapshot: Hashable, Sendable {
        /// The scene configuration of the manifest.
        public let configuration: String
        /// Whether it has a window.
        public let isConnected: Bool
        /// Its activation state.
        public let activation: Activation
        /// Whether its window is locked, or will be when it comes back.
        public let isLocked: Bool
        /// What it shows, or, if it is not connected, what it showed last.
        public let window: WindowRecord
        /// The epoch in which it was judged last what of the window belongs to whom.
        public let judgedIn: Int
        /// The coordinators of what it shows, each with its parent.
        public let coordinators: [AttachedCoordinator]
        /// The ticket given last; 0 before the first.
        public let lastTicket: Int
        /// The events that have not begun, by their tickets.
        public let waiting: [OpenEvent]
        /// The intents that wait for a precondition, in the order parked.
        public let parked: [Parked]
        /// The flows that are shown for a gate alone (<doc:TheSession#S5>), sorted.
        public let gateFlows: [String]
        /// The flows that other flows have started and that are still shown, each with the one that started it.
        public let startedFlows: [String: String]
    }

    /// A coordinator of something on screen.
    public struct AttachedCoordinator: Hashable, Sendable {
        /// The flow, or the tab.
        public let flow: String
        /// The flow it was started from, or `root`.
        public let parent: String
        /// Whether it is the app's own, rather than one that follows the manifest.
        public let inSwift: Bool
    }

    /// An event without a terminal outcome.
    public struct OpenEvent: Hashable, Sendable {
        /// Its place in the scene's order, from 1.
        public let ticket: Int
        /// Its ID.
        public let event: String
        /// The number of the connection that it came by.
        public let connection: Int?
        /// Whether it came from outside the app or from inside.
        public let source: RouteSource
        /// What somebody did in the window, or with a notification; `nil` for other events.
        public let action: SceneAction?
        /// The kind of what somebody did, as its admission has it; `nil` for other events.
        public let kind: String?
        /// Where it wants to go; `nil` if it navigates nowhere.
        public let destination: Destination?
        /// The user whom it is for; `nil` for anybody.
        public let addressee: String?
        /// Whether it is nobody's doing, and so brings no window to the front.
        public let isSilent: Bool
        /// Whether the app's code in Swift hears of it, and may decide what is done.
        public let isHeardInSwift: Bool
        /// The session's epoch when it was admitted.
        public let admittedIn: Int

        init(_ event: AdmittedEvent) {
            ticket = event.ticket
            self.event = event.id
            connection = event.connection
            source = event.source
            admittedIn = event.epoch
            action = event.work.action
            kind = event.work.isOwned ? event.work.kindOfOwned : nil
            destination = event.work.destination
            addressee = event.work.addressee
            isSilent = !event.work.bringsForward
            isHeardInSwift = event.work.isHeard
        }
    }

    /// An event that waits for a precondition.
    public struct Parked: Hashable, Sendable {
        /// The event.
        public let event: OpenEvent
        /// The number of the attempt that was parked, from 1.
        public let attempt: Int
        /// The precondition that is waited for.
        public let precondition: String
        /// The values of the parameters that the precondition looks at.
        public let parameters: [String: String]
        /// Where the event wants to go.
        public let destination: Destination
        /// What is shown for the destination, if it has variants and one was chosen before something stopped the event.
        public let variant: Destination?
        /// The flow that can satisfy the precondition.
        public let flow: String
        /// Who was signed in when it was parked.
        public let user: String?
        /// The session's epoch then.
        public let parkedIn: Int

        init(_ intent: ParkedIntent) {
            event = OpenEvent(intent.event)
            attempt = intent.attempt
            precondition = intent.precondition
            parameters = intent.gate.parameters
            destination = intent.request.destination
            variant = intent.variant
            flow = intent.flow
            user = intent.user
            parkedIn = intent.epoch
        }
    }
}

extension EventWork {
    /// The kind of an event that belongs to somebody, as its admission has it.
    fileprivate var kindOfOwned: String? {
        if isForRequestedWindow { return WindowRequest.eventKind }
        return isAct ? action?.kind : EntryKind.push.rawValue
    }
}
