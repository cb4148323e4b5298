// The words of records, which every user of this module needs.
@_exported public import SceneVocabulary
package import SceneModel
package import StrictJSON

/// A record of a host's history, read from what the runtime wrote (<doc:/SceneRuntime/Records>).
///
/// It is not the runtime's type: the checker must not share code with the runtime that could be wrong in both.
package struct HistoryRecord: Hashable, Sendable {
    /// The host's ID.
    package let host: String
    /// The record's number in its host's history, from 1 without gaps.
    package var index: Int
    /// Nanoseconds on the host's clock.
    package let time: Int
    /// The ID of the scene it is about; ``app`` for what the app itself gets.
    package let scene: String?
    /// The ticket of the event it is about, from 1.
    package let ticket: Int?
    /// The attempt: 1 for the first, 2 and more for resumes.
    package let attempt: Int?
    /// The ID of the event it is about.
    package let event: String?
    /// The number of the connection that sent the event.
    package let connection: Int?
    /// The snapshot of the session that it is based on.
    package let snapshot: Snapshot?
    /// Its kind, with the fields of that kind.
    package let body: Body

    /// What stands in place of a scene's ID for the app itself, which has a mailbox as scenes have. No scene can have this ID.
    package static let app = "(the app)"

    /// The newest version of what records say that is known here.
    package static let newestFormat = 6

    /// Whether it says what the host and its session are, so that a history can be taken up with it.
    var isHostSnapshot: Bool {
        switch body {
        case .hostSnapshot, .hostRestarted: true
        default: false
        }
    }

    /// The version of what the host's records say, of a record that says so.
    package var format: Int? {
        switch body {
        case .hostStarted(let start): start.format
        case .hostSnapshot(let snapshot): snapshot.format
        case .hostRestarted(let restart): restart.host.format
        default: nil
        }
    }

    /// The revision and epoch of a session.
    package struct Snapshot: Hashable, Sendable {
        /// Counts commits, from 0.
        package let revision: Int
        /// How many times a user has left.
        package let epoch: Int

        /// The session at this revision, in this epoch.
        package init(revision: Int, epoch: Int) {
            self.revision = revision
            self.epoch = epoch
        }
    }

    /// A commit without where it came from.
    func fromNowhere(_ user: String?, _ truths: Truths, _ facts: [String: JSONValue]?) -> HistoryRecord {
        HistoryRecord(
            host: host,
            index: index,
            time: time,
            scene: nil,
            ticket: nil,
            attempt: nil,
            event: nil,
            connection: nil,
            snapshot: snapshot,
            body: .sessionCommitted(
                user: user,
                truths: truths,
                origin: Origin(scene: nil, event: nil, connection: nil, isKnown: false),
                facts: facts
            )
        )
    }

    /// How an attempt ended.
    package struct End: Hashable, Sendable {
        /// The outcome.
        package let outcome: OutcomeName
        /// Why, for outcomes that have a reason.
        package let reason: String?
        /// The precondition that it is parked on.
        package let precondition: String?
    }

    /// How an intent was handed up.
    package struct Bubbling: Hashable, Sendable {
        /// The intent's name.
        package let name: String
        /// Who was asked, in order.
        package let chain: [String]
        /// Who took it.
        package let handler: String?
        /// What it answered.
        package let answer: [String: JSONValue]?
        /// Why the last one asked could not handle it.
        package let error: String?
    }

    /// The app that a host runs.
    package struct AppVersion: Hashable, Sendable {
        /// The app's name.
        package let name: String?
        /// The version of its manifest.
        package var version: String?
        /// The manifest's digest; `nil` in the records of older daemons.
        package var digest: String?
    }

    /// What a host begins with.
    package struct Start: Hashable, Sendable {
        /// The version of what its records say; 1 for those of older daemons.
        package let format: Int
        package let app: AppVersion
        /// Whether coordinators or screens of the app are written in Swift.
        package let hasCode: Bool
        /// The version that conditions on the app's version see.
        package let appVersion: String?
        /// Which preconditions hold, and which conditions without parameters.
        package let holds: [String: Bool]
        /// Every fact that has a value; `nil` in the records of older daemons.
        package let facts: [String: JSONValue]?
    }

    /// What was admitted.
    package struct Arrival: Hashable, Sendable {
        /// The number of the call on its connection.
        package let call: Int?
        /// Whether it comes from inside the app: an intent, a gesture, a flow's result, a window that the app asked for.
        package let isAct: Bool
        /// What arrived, such as `url` or `intent`.
        package let kind: String?
        /// The name of the intent, the gesture or the flow, or of the intent that an action of a notification hands to the app.
        package let name: String?
        /// Whether it is nobody's doing, and so brings no window to the front.
        package let isSilent: Bool
        /// Whether the app's code in Swift hears of it, and may decide what is done.
        package var isHeardInSwift = false
        /// The user whom it is for; `nil` for anybody.
        package var addressee: String?
        /// The adapter that took it.
        package var adapter: String?
        /// Where it wants to go.
        package let destination: Destination?
        /// The pattern of the route that its link took.
        package var route: String?
        /// The scene from which it was dragged to where a new window opened for it.
        package var draggedFrom: String?
        /// Its place in the set of URLs with which it was delivered; `nil` if it came alone.
        package var set: SetPlace?
        /// Why its scene takes it; `nil` if the app itself gets it, or if the record does not say it.
        package var choice: SceneChoice?
        /// What else comes with what somebody did.
        package var act: Act?

        /// The screen or container that reports an intent by itself; `nil` for what somebody did.
        package var reporter: String? { act?.reporter }

        /// Whether a window begins with it that the app asked for.
        package var isForRequestedWindow: Bool { isAct && kind == Self.window }

        /// The kind of the event with which such a window begins.
        static let window = "window"

        /// Whether it belongs to who was signed in when it was admitted, because it can commit or somebody asked for it.
        package var isOwned: Bool { name != nil || isAct }

        /// Whether it is for another user than this one, who is signed in.
        package func isFor(another user: String?) -> Bool {
            guard let addressee, let user else { return false }
            return !addressee.utf8.elementsEqual(user.utf8)
        }
    }

    /// Where an event stands in the set of URLs with which it was delivered, each number from 1.
    package struct SetPlace: Hashable, Sendable {
        /// Its place in the order in which they came.
        package let place: Int
        /// How many they are.
        package let count: Int
        /// Its place among them as given.
        package let given: Int
    }

    /// What the app asked of its windows.
    package enum WindowRequest: Hashable, Sendable {
        /// A window for a destination, in a configuration or in the first; `opened` is the new scene, `error` says why there is none.
        case open(Destination, configuration: String?, opened: String?, error: WindowError?)
        /// That a window is closed: one that is for a destination, or else the one in which it was asked.
        case close(NamedWindow? = nil)
        /// That a window is judged again, named in the same way.
        case refresh(NamedWindow? = nil)

        /// A window by what it is for; `scene` is `nil` if there is none.
        package struct NamedWindow: Hashable, Sendable {
            package let destination: Destination
            package let scene: String?
        }
    }

    /// Where a commit came from.
    package struct Origin: Hashable, Sendable {
        /// The ID of the scene in which it was decided.
        package let scene: String?
        /// The ID of the event that caused it.
        package let event: String?
        /// The number of the connection that it came by.
        package let connection: Int?
        /// Whether the rest counts; not in the record.
        var isKnown = true
    }

    /// Which preconditions hold, and which conditions that look at no parameter.
    package struct Truths: Hashable, Sendable {
        /// Whether each of them holds.
        package let holds: [String: Bool]
        /// Those that nothing but a stale sign-in keeps from holding; `nil` unless it is stale.
        package let stale: [String]?
    }

    /// What a sweep removed.
    package struct Removal: Hashable, Sendable {
        /// What was removed.
        package let destination: Destination
        /// What no longer holds, `destinationGone`, `flowEnded`, or what the app cannot show.
        package let reason: String

        /// Whether the reason is a sentence about what the app cannot show, as of a restored window or after a reload.
        var isSentence: Bool { reason.contains(" ") }
    }

    /// What happened. The contract (<doc:/SceneRuntime/Records>) describes the kinds and their fields.
    package enum Body: Hashable, Sendable {
        case hostStarted(Start)
        case hostRestarted(HistoryRestart)
        case hostQuiet
        case hostStopped
        case hostSnapshot(HistorySnapshot)
        case appSnapshot(HistoryAppSnapshot)
        case sceneSnapshot(HistorySceneSnapshot)
        case sceneConnected(configuration: String, restored: Bool, given: Bool, window: HistoryWindow)
        case sceneActivation(from: Activation, to: Activation)
        case sceneDisconnected
        case sceneDiscarded
        case eventAdmitted(Arrival)
        case dispatchBegan(isResume: Bool)
        /// `wall` is the time by which it was decided, in seconds since 1970.
        case dispatchResolved(
            destination: Destination?,
            verdict: RouteVerdict,
            reason: String?,
            wall: Double?,
            isOverCurrent: Bool,
            variant: Destination?
        )
        /// `user` is for whom, `nil` for nobody; `wall` is as above.
        case variantChosen(user: String?, destination: Destination, variant: Destination, wall: Double?)
        case dispatchPlanned(ops: [HistoryOp])
        case dispatchEnded(End)
        case navigationStep(op: HistoryOp, cause: NavigationCause, window: HistoryWindow)
        case gateParked(precondition: String, parameters: [String: String], destination: Destination, flow: String?)
        /// `flow` has reported completion; `nil` if a commit opened the gate.
        case gateResumed(precondition: String, destination: Destination, flow: String?)
        case gateSuperseded(precondition: String, destination: Destination, by: String)
        case gateAbandoned(precondition: String, destination: Destination, reason: String)
        /// `handler` is `nil` if nothing in the chain handled the intent.
        case intentBubbled(Bubbling)
        /// `facts` are those that it changed, each with its new value or null; `nil` in the records of older daemons.
        case sessionCommitted(user: String?, truths: Truths, origin: Origin, facts: [String: JSONValue]?)
        case sceneSwept(removed: [Removal])
        case windowRequested(WindowRequest)
        case windowLocked(LockReason)
        case windowUnlocked(UnlockReason)
        case holdCaught(hold: String, point: HoldPoint, kind: DispatchKind)
        case holdReleased(hold: String)
        /// `inSwift` if the coordinator is the app's own.
        case coordinatorAttached(flow: String, parent: String, inSwift: Bool)
        case coordinatorDetached(flow: String, parent: String)
        /// `truths` is `nil` if the record does not say what holds under the new manifest.
        case manifestLoaded(version: String?, digest: String?, truths: Truths?)
        /// An adapter was skipped for an event that was not admitted yet.
        case adapterSkipped(adapter: String, reason: String)
        case violation(rule: String, cause: String, detail: String)
        /// `count` records before this one are missing.
        case gap(count: Int)
        /// A kind of a newer version. It does not change what the others mean.
        case other(kind: String)

        /// Whether the host goes on after its end.
        package var isRestart: Bool { if case .hostRestarted = self { true } else { false } }
    }
}

extension OutcomeName {
    /// Whether the event has ended with an attempt of this outcome.
    package var isTerminal: Bool { self != .gated && self != .admitted }
}
