public import SceneNavigation
public import SceneRouting

/// One entry of the host's history. The schema is the same in a test, a soak and the journal (<doc:Records>).
public struct Record: Hashable, Sendable {
    /// The record's number, from 1 without gaps.
    public let index: Int
    /// The time on the host's clock.
    public let time: Duration
    private let content: Content

    /// The host's ID.
    public var host: String { content.host }
    /// What the record is about.
    public var subject: Subject { content.subject }
    /// What happened.
    public var body: Body { content.body }
    /// The kind of record. Reading it does not copy the body.
    public var kind: RecordKind { content.kind }
    /// Whether it is about what the app itself gets: an event without a scene, a commit that one made, a snapshot of the app.
    public var isOfApp: Bool {
        guard subject.scene == nil else { return false }
        return subject.ticket != nil || kind == .appSnapshot || kind == .sessionCommitted && subject.event != nil
    }
    /// About how many bytes of memory it takes besides what it shares with records before it.
    var footprint: Int { content.footprint }

    init(index: Int, time: Duration, _ content: Content) {
        self.index = index
        self.time = time
        self.content = content
    }

    /// Everything in a record but its place in the order. A class rather than a struct: it takes some hundred bytes with many
    /// references, and a hundred thousand records are passed on and kept.
    final class Content: Sendable {
        let host: String
        let subject: Subject
        let kind: RecordKind
        let body: Body
        /// About how many bytes of memory it takes, without what its window shares with windows before.
        let footprint: Int

        init(host: String, subject: consuming Subject, body: consuming Body) {
            self.host = host
            kind = body.kind
            footprint = Self.footprint(subject, body)
            self.subject = subject
            self.body = body
        }
    }

    /// The version of what records say. Since 2 every event that is somebody's doing brings its window to the front, since 3 conditions
    /// that look at nobody come before preconditions, since 4 what waits at a lock is not lost with what the lock covers, and a window
    /// stays where one that it asked for was denied. Since 5 a gate's flow is one that a gate has shown, and no flow is presented over
    /// another that covers it; since 6 no flow is presented once more at all, and a move back that has nowhere to go changes nothing.
    static let format = 6

    /// What a record is about. Each part is `nil` if it does not apply.
    public struct Subject: Hashable, Sendable {
        /// The scene's ID; `nil` also for an event that the app itself gets (<doc:MailboxOrder#The-mailbox-of-the-app>).
        public var scene: String?
        /// The event's place in the order of its scene, or of the app, from 1.
        public var ticket: Int?
        /// 1 for a first attempt, 2 and more for resumes.
        public var attempt: Int?
        /// The event's ID.
        public var event: String?
        /// The number of the connection that the event or the commit came by.
        public var connection: Int?
        /// The session's revision when the record was made.
        public var revision: Int?
        /// The session's epoch at that revision.
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

        /// The same subject, at the snapshot's revision and epoch.
        func at(_ snapshot: SessionSnapshot) -> Subject {
            var subject = self
            subject.revision = snapshot.revision
            subject.epoch = snapshot.epoch
            return subject
        }
    }

    /// What happened, by kind. <doc:Records#Kinds> says the same in terms of the JSON.
    public enum Body: Hashable, Sendable {
        /// The host began.
        indirect case hostStarted(Start)
        /// The host goes on after its end (<doc:Keeping>). What it and its session are is as in a snapshot: the app follows with an
        /// ``appSnapshot(_:)``, each of its scenes with a ``sceneSnapshot(_:)``, before anything else of theirs.
        indirect case hostRestarted(Restart)
        /// Somebody asked for quiet, and nothing is going on in any scene.
        case hostQuiet
        /// The host has ended. This is its last record.
        case hostStopped
        /// What the host and its session are. The app follows with an ``appSnapshot(_:)``, each of its scenes with a
        /// ``sceneSnapshot(_:)``.
        indirect case hostSnapshot(HostSnapshot)
        /// What the app itself has admitted, while it dispatches nothing.
        indirect case appSnapshot(AppSnapshot)
        /// What a scene is, while nothing is going on in it.
        indirect case sceneSnapshot(SceneSnapshot)
        /// A window was opened; `restored` if it is not the app's start, and `given` if a client gave it rather than that the
        /// scene had it before.
        case sceneConnected(configuration: String, restored: Bool, given: Bool, window: WindowRecord)
        /// A scene's activation state changed by one step.
        case sceneActivation(from: Activation, to: Activation)
        /// A scene's window was released.
        case sceneDisconnected
        /// A scene is gone for good.
        case sceneDiscarded
        /// An event was admitted and has a ticket.
        case eventAdmitted(Arrival)
        /// An attempt began: an event's first one, or a resume.
        case dispatchBegan(kind: DispatchKind)
        /// The routing engine answered. `reason` is the precondition that gates the event, or the error that refuses it.
        /// `wall` is the time by which it decided, in seconds since 1970; `nil` if nothing in the app looks at the time.
        /// `isOverCurrent` says whether what is shown is presented over whatever is shown. `variant` is what is shown for a
        /// destination that has variants; `nil` for others, and as long as the destination itself may not be shown. `detail` is what
        /// the time would have to be, if that is why it was gated or refused.
        case dispatchResolved(
            destination: Destination?,
            verdict: RouteVerdict,
            reason: String?,
            wall: Double?,
            isOverCurrent: Bool,
            variant: Destination? = nil,
            detail: String? = nil
        )
        /// What is shown for a destination that has variants was chosen for a user, `nil` for nobody, for as long as the host lives
        /// (<doc:WayOfAnEvent#Variants>). `wall` is as in ``dispatchResolved(destination:verdict:reason:wall:isOverCurrent:variant:detail:)``.
        case variantChosen(user: String?, destination: Destination, variant: Destination, wall: Double?)
        /// The plan for the newest resolution; empty if the target is shown already.
        case dispatchPlanned(ops: [NavOp])
        /// An attempt ended.
        case dispatchEnded(outcome: Outcome)
        /// An op began; `window` is the window after it.
        case navigationStep(op: NavOp, cause: NavigationCause, window: WindowRecord)
        /// An event was parked until the precondition holds for these values of the parameters that it looks at; `flow` can satisfy it
        /// and is on screen.
        case gateParked(precondition: String, parameters: [String: String], destination: Destination, flow: String)
        /// A parked event is about to be resumed. `flow` is set if the reason is that this flow reported completion, whether
        /// or not the precondition holds.
        case gateResumed(precondition: String, destination: Destination, flow: String?)
        /// The event with the ID `by` took the place of a parked one.
        case gateSuperseded(precondition: String, destination: Destination, by: String)
        /// A parked event was abandoned, for a reason of <doc:Outcomes#Abandoned>.
        case gateAbandoned(precondition: String, destination: Destination, reason: String)
        /// An intent was handed up the chain. `chain` names everybody who was asked, the screen first. `handler` is `nil` if
        /// nobody took it, or if the last one asked failed with `error`.
        case intentBubbled(
            name: String,
            chain: [String],
            handler: String?,
            answer: [String: FactValue]? = nil,
            error: String?
        )
        /// The app asked for a window, or that one is closed (<doc:Scenes#Windows-that-the-app-asks-for>).
        case windowRequested(WindowRequest)
        /// The window is locked (<doc:Scenes#Windows-that-lock>).
        case windowLocked(LockReason)
        /// The window is locked no longer; of `completed`, the record names the event that completed the lock's flow.
        case windowUnlocked(UnlockReason)
        /// A commit made this revision; `user` is who is signed in now. `facts` are those that it changed, each with its value,
        /// if it has one.
        case sessionCommitted(user: String?, origin: CommitOrigin, truths: Truths, facts: [String: FactValue?])
        /// A sweep removed something from a window.
        case sceneSwept(removed: [Removal])
        /// A hold of this ID stopped a dispatch, a resume or a sweep at this point.
        case holdCaught(hold: String, point: HoldPoint, kind: DispatchKind)
        /// What the hold had stopped goes on: the hold was released, its scene was discarded, or the host stops.
        case holdReleased(hold: String)
        /// A flow's coordinator was attached to that of the flow `parent`, or to `root`. `inSwift` if it is the app's own, rather
        /// than one that follows the manifest.
        case coordinatorAttached(flow: String, parent: String, inSwift: Bool)
        /// A flow's coordinator was detached.
        case coordinatorDetached(flow: String, parent: String)
        /// Another manifest is in force, with this digest; `truths` are what holds under it.
        case manifestLoaded(version: String, manifest: String, truths: Truths)
        /// An adapter in another process was passed over for an event that is not admitted yet.
        case adapterSkipped(adapter: String, reason: String, call: Int?)
        /// A rule was broken, such as one of the window's. `cause` is what attempted it.
        case violation(rule: String, cause: String, detail: String)
        /// The reader asked for records that are no longer retained; the index is that of the next record it gets.
        case gap(count: Int)
        /// A record of this kind from before a restart, as the text of its JSON.
        case kept(RecordKind, json: String)
    }

    /// What a host begins with.
    public struct Start: Hashable, Sendable {
        /// The app's name.
        public let app: String
        /// The manifest's version.
        public let manifestVersion: String
        /// The manifest's digest (<doc:Records#Manifests>).
        public let manifest: String
        /// Whether coordinators or screens of the app are written in Swift.
        public let hasCode: Bool
        /// The host's bounds and durations.
        public let settings: HostSettings
        /// What holds in the new session.
        public let truths: [Truth]
        /// Every fact that has a value.
        public let facts: [String: FactValue]
    }

    /// With what a host goes on.
    public struct Restart: Hashable, Sendable {
        /// What the host and its session are.
        public let host: HostSnapshot
        /// The events whose attempt had begun and not ended; each begins another one, from its beginning.
        public let again: [Again]

        /// An event that is dispatched once more.
        public struct Again: Hashable, Sendable {
            /// The scene that dispatches it; `nil` for the app itself.
            public let scene: String?
            /// Its place in the order of that.
            public let ticket: Int
            /// The number of the attempt that had begun.
            public let attempt: Int
        }
    }

    /// Where an event stands in the set of URLs with which it was delivered.
    public struct SetPlace: Hashable, Sendable {
        /// Its place in the order in which the URLs of the set come, from 1.
        public let place: Int
        /// How many URLs the set has.
        public let count: Int
        /// Its place among the URLs as the sender gave them, from 1.
        public let given: Int
    }

    /// An event as it was admitted.
    public struct Arrival: Hashable, Sendable {
        /// The kind of event: that of its entry point, or `intent`, `gesture` or `flow`.
        public let kind: String
        /// The name of the intent, the gesture or the flow, or of the intent that an action of a notification hands to the app;
        /// `nil` for other events.
        public let name: String?
        /// Whether it came from outside the app or from inside.
        public let source: RouteSource
        /// Why the scene takes it; `nil` if the app itself does.
        public let choice: SceneChoice?
        /// Whether it found a window (warm), or one was opened or brought back for it (cold); `nil` if the app itself gets it.
        public let delivery: EventDelivery?
        /// Whether it is nobody's doing, and so brings no window to the front (<doc:Scenes#What-brings-a-window-to-the-front>).
        public let isSilent: Bool
        /// Whether the app's code in Swift hears of it, and may decide what is done.
        public let isHeardInSwift: Bool
        /// What a cold scene learns of the event while it connects, by the names of UIKit's connection options; `nil` if
        /// warm. Of a Handoff that is only its type: the activity, or its failure, follows.
        public let options: [String]?
        /// The scene from which it was dragged to where a new window opened for it; `nil` if it was not.
        public let draggedFrom: String?
        /// Its place in the set of URLs with which it came; `nil` if it came alone.
        public let place: SetPlace?
        /// The number of the call on its connection.
        public let call: Int?
        /// The name of the adapter that took the event; `nil` if none was asked.
        public let adapter: String?
        /// The pattern of the route that matched its URL; `nil` if the request was typed already.
        public let route: String?
        /// Where it wants to go; `nil` if it navigates nowhere.
        public let destination: Destination?
        /// The user whom it is for, as the adapter says; `nil` for anybody.
        public let addressee: String?
        /// What somebody did in the window or with a notification; `nil` for other events.
        public let action: SceneAction?

        /// Whether a window begins with it that the app asked for.
        package var isForRequestedWindow: Bool { kind == WindowRequest.eventKind && source == .internal }

        init(
            kind: String,
            name: String?,
            source: RouteSource,
            choice: SceneChoice?,
            delivery: EventDelivery?,
            options: [String]?,
            draggedFrom: String? = nil,
            place: SetPlace? = nil,
            call: Int?,
            adapter: String?,
            work: EventWork
        ) {
            self.kind = kind
            self.name = name ?? work.action?.name
            self.source = source
            self.choice = choice
            self.delivery = delivery
            self.options = options
            self.draggedFrom = draggedFrom
            self.place = place
            self.call = call
            self.adapter = adapter
            action = work.action
            addressee = work.addressee
            isSilent = !work.bringsForward
            isHeardInSwift = work.isHeard
            guard case .navigate(let request, let route) = work else {
                (self.route, destination) = (nil, nil)
                return
            }
            self.route = route
            destination = request.destination
        }
    }

    /// Whether a precondition or a condition holds that looks at no parameter.
    public struct Truth: Hashable, Sendable {
        /// Its name in the manifest.
        public let name: String
        /// Whether it holds.
        public let holds: Bool
    }

    /// Which preconditions hold, and which conditions that look at no parameter.
    public struct Truths: Hashable, Sendable {
        /// Each of them, in the order of the manifest.
        public let all: [Truth]
        /// Those that nothing but a stale sign-in keeps from holding: what needs them may stay where it is shown. `nil` unless
        /// the sign-in is stale.
        public let stale: [String]?
    }

    /// A destination that a sweep removed.
    public struct Removal: Hashable, Sendable {
        /// The destination that was removed.
        public let destination: Destination
        /// The name of the precondition or condition that no longer holds, or `destinationGone` or `flowEnded`. For a
        /// restored window, why the app could not restore it.
        public let reason: String

        init(destination: Destination, reason: String) {
            self.destination = destination
            self.reason = reason
        }

        /// Something that was left out of a window to be restored.
        init(_ dropped: WindowRestoration.Dropped) {
            self.init(destination: dropped.destination, reason: "\(dropped.reason)")
        }
    }

    /// A window, with what a checker needs to judge it without the manifest.
    ///
    /// Every step makes one and hardly any is read. So it shares what it shows with the one before, and everything else is
    /// computed when somebody reads it.
    public struct WindowRecord: Sendable {
        private let shown: ShownWindow
        /// About how many bytes of memory it takes besides what records before it have.
        let added: Int

        /// The places of those of ``/SceneVocabulary/WindowState/destinations`` that go when the user leaves, ascending.
        private let personal: [Int]

        init(_ shown: ShownWindow, personal: [Int], traits: DestinationTraits, added: Int) {
            self.shown = shown
            self.personal = personal
            self.traits = traits
            self.added = added + personal.count * MemoryLayout<Int>.size
        }

        /// What the window shows.
        public var state: WindowState { shown.state }

        /// For each of ``/SceneVocabulary/WindowState/destinations``, the flow whose coordinator owns it.
        public var coordinators: [String] { shown.coordinators }

        /// For each of ``/SceneVocabulary/WindowState/destinations``, the epoch since which it is shown at that place.
        public var epochs: [Int] { shown.epochs }

        /// For each of ``/SceneVocabulary/WindowState/destinations``, whether it goes when the user leaves: it may be shown to
        /// the user but not to nobody, or belongs to a flow that the user has begun.
        public var isPersonal: [Bool] {
            var all = Array(repeating: false, count: state.destinations.count)
            for place in personal { all[place] = true }
            return all
        }

        /// The destinations as declared by the manifest that was in force.
        let traits: DestinationTraits

        /// For each of ``/SceneVocabulary/WindowState/destinations``, the names of its preconditions and conditions.
        public var needs: [[String]] { state.destinations.map { traits.needs(of: $0.id) } }

        /// For each of ``/SceneVocabulary/WindowState/destinations``, whether it may stand on itself.
        public var repeats: [Bool] { state.destinations.map { traits.repeats($0.id) } }
    }
}

extension Record.WindowRecord: Hashable {
    /// Whether both show the same since the same epochs, owned by the same coordinators, with the same needs and repeats.
    public static func == (one: Self, other: Self) -> Bool {
        (one.shown === other.shown
            || one.state == other.state && one.coordinators == other.coordinators && one.epochs == other.epochs)
            && one.personal == other.personal
            && (one.traits === other.traits || one.needs == other.needs && one.repeats == other.repeats)
    }

    /// Hashes what the window shows and who owns it.
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
