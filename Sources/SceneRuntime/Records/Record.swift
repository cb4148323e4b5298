public import SceneNavigation
public import SceneRouting

/// One line of the host's history. The schema is the same in a test, a soak and the journal (<doc:Records>).
public struct Record: Hashable, Sendable {
    /// The record's number, from 1 without gaps.
    public let index: Int
    /// Time on the host's clock.
    public let time: Duration
    private let content: Content

    /// The host's ID.
    public var host: String { content.host }
    /// What it is about.
    public var subject: Subject { content.subject }
    /// What happened.
    public var body: Body { content.body }
    /// What kind of record it is, without a copy of its body: who only looks for some kinds asks for this.
    public var kind: RecordKind { content.kind }

    init(index: Int, time: Duration, _ content: Content) {
        self.index = index
        self.time = time
        self.content = content
    }

    /// All that is known of a record before it has its place in the order. A class: it is some hundred bytes with many
    /// parts to retain, and handed on and kept a hundred thousand times.
    final class Content: Sendable {
        let host: String
        let subject: Subject
        let kind: RecordKind
        let body: Body

        init(host: String, subject: consuming Subject, body: consuming Body) {
            self.host = host
            kind = body.kind
            self.subject = subject
            self.body = body
        }
    }

    /// What a record is about; each part is absent where it does not apply.
    public struct Subject: Hashable, Sendable {
        public var scene: String?
        public var ticket: Int?
        /// 1 for a first attempt, 2 and more for resumes.
        public var attempt: Int?
        public var event: String?
        public var connection: Int?
        public var revision: Int?
        public var epoch: Int?

        /// A subject of these parts.
        public init(
            scene: String? = nil,
            ticket: Int? = nil,
            attempt: Int? = nil,
            event: String? = nil,
            connection: Int? = nil,
            revision: Int? = nil,
            epoch: Int? = nil
        ) {
            self.scene = scene
            self.ticket = ticket
            self.attempt = attempt
            self.event = event
            self.connection = connection
            self.revision = revision
            self.epoch = epoch
        }

        /// The same subject, at this revision of the session.
        func at(_ snapshot: SessionSnapshot) -> Subject {
            var subject = self
            subject.revision = snapshot.revision
            subject.epoch = snapshot.epoch
            return subject
        }
    }

    /// What happened, by kind.
    public enum Body: Hashable, Sendable {
        case hostStarted(app: String, manifestVersion: String, settings: HostSettings, truths: [Truth])
        case hostQuiet
        case hostStopped
        /// A window was opened; `restored` says that it was there before.
        case sceneConnected(configuration: String, restored: Bool, window: WindowRecord)
        case sceneActivation(from: Activation, to: Activation)
        case sceneDisconnected
        case sceneDiscarded
        case eventAdmitted(Arrival)
        /// `kind` says what is dispatched: the event for the first time, or its resume.
        case dispatchBegan(kind: DispatchKind)
        case dispatchResolved(destination: Destination?, verdict: RouteVerdict, reason: String?)
        case dispatchPlanned(ops: [NavOp])
        case dispatchEnded(outcome: Outcome)
        case navigationStep(op: NavOp, cause: NavigationCause, window: WindowRecord)
        /// `flow` is to satisfy the precondition; it is on screen.
        case gateParked(precondition: String, destination: Destination, flow: String)
        /// `flow` is the one that reported completion, by which the intent is resumed whether or not its precondition holds.
        case gateResumed(precondition: String, destination: Destination, flow: String?)
        case gateSuperseded(precondition: String, destination: Destination, by: String)
        case gateAbandoned(precondition: String, destination: Destination, reason: String)
        /// `chain` tells who was asked, from the screen up to who took it; `handler` is `nil` where nobody did, or where
        /// it could not for the reason `error`.
        case intentBubbled(name: String, chain: [String], handler: String?, error: String?)
        case sessionCommitted(user: String?, origin: CommitOrigin, truths: [Truth])
        case sceneSwept(removed: [Removal])
        case coordinatorAttached(flow: String, parent: String)
        case coordinatorDetached(flow: String, parent: String)
        case manifestLoaded(version: String, truths: [Truth])
        /// An adapter outside this process was passed over for an event that is not admitted yet.
        case adapterSkipped(adapter: String, reason: String, call: Int?)
        case violation(rule: String, cause: String, detail: String)
        /// The reader asked for records that are no longer retained; `index` is that of the first it gets after.
        case gap(count: Int)
    }

    /// An event at the door, and what the door made of it.
    public struct Arrival: Hashable, Sendable {
        public let kind: String
        /// Which of its kind, for an intent, a gesture or a flow's result.
        public let name: String?
        public let source: RouteSource
        public let delivery: EventDelivery
        /// What the scene learns of it while it connects, by the names of UIKit's connection options; `nil` when it is
        /// connected. Of a Handoff that is its type: the activity, or its failure, follows.
        public let options: [String]?
        /// The call's number on its connection.
        public let call: Int?
        /// The adapter that took it; `nil` where none was asked.
        public let adapter: String?
        /// The pattern of the route that took its URL; `nil` where it was typed already.
        public let route: String?
        /// Where it wants to go, if anywhere.
        public let destination: Destination?

        init(
            kind: String,
            name: String?,
            source: RouteSource,
            delivery: EventDelivery,
            options: [String]?,
            call: Int?,
            adapter: String?,
            work: EventWork
        ) {
            self.kind = kind
            self.name = name
            self.source = source
            self.delivery = delivery
            self.options = options
            self.call = call
            self.adapter = adapter
            guard case .navigate(let request, let route) = work else {
                (self.route, destination) = (nil, nil)
                return
            }
            self.route = route
            destination = request.destination
        }
    }

    /// The truth value of a precondition or condition that has no parameter.
    public struct Truth: Hashable, Sendable {
        public let name: String
        public let holds: Bool
    }

    /// A destination that a sweep removed, and what no longer held.
    public struct Removal: Hashable, Sendable {
        public let destination: Destination
        public let reason: String

        init(destination: Destination, reason: String) {
            self.destination = destination
            self.reason = reason
        }

        /// What a window to be restored lost.
        init(_ dropped: WindowRestoration.Dropped) {
            self.init(destination: dropped.destination, reason: "\(dropped.reason)")
        }
    }

    /// A window with what a checker needs to judge it without the manifest.
    ///
    /// Every step makes one and hardly any is read, so what follows from the window is worked out for who reads it.
    public struct WindowRecord: Sendable {
        public let state: WindowState
        /// For each of ``/SceneVocabulary/WindowState/destinations``, the flow whose coordinator owns it.
        public let coordinators: [String]
        /// The destinations as the manifest then in force had them.
        let traits: DestinationTraits

        /// For each of ``/SceneVocabulary/WindowState/destinations``, the names of its preconditions and conditions.
        public var needs: [[String]] { state.destinations.map { traits.needs(of: $0.id) } }

        /// For each of ``/SceneVocabulary/WindowState/destinations``, whether it may stand on itself.
        public var repeats: [Bool] { state.destinations.map { traits.repeats($0.id) } }
    }
}

extension Record.WindowRecord: Hashable {
    public static func == (one: Self, other: Self) -> Bool {
        one.state == other.state && one.coordinators == other.coordinators
            && (one.traits === other.traits || one.needs == other.needs && one.repeats == other.repeats)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(coordinators)
    }
}

extension Record.Content: Hashable {
    static func == (one: Record.Content, other: Record.Content) -> Bool {
        one === other || one.host == other.host && one.subject == other.subject && one.body == other.body
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(subject)
        hasher.combine(body)
    }
}
