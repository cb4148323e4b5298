// Whoever imports this module speaks these words too.
@_exported public import SceneVocabulary

/// One line of a host's history, read from what the runtime wrote (<doc:/SceneRuntime/Records>).
///
/// A type of its own: the checker must not share with the runtime what could be wrong in both.
public struct HistoryRecord: Hashable, Sendable {
    /// The host's ID.
    public let host: String
    /// The record's number in its host's history, from 1 without gaps.
    public var index: Int
    /// Nanoseconds on the host's clock.
    public let time: Int
    public let scene: String?
    public let ticket: Int?
    /// 1 for a first attempt, 2 and more for resumes.
    public let attempt: Int?
    public let event: String?
    public let connection: Int?
    /// The session that the record was made by, where it matters.
    public let snapshot: Snapshot?
    public let body: Body

    /// A session's place in its history.
    public struct Snapshot: Hashable, Sendable {
        public let revision: Int
        public let epoch: Int

        /// The session at this revision, in this epoch.
        public init(revision: Int, epoch: Int) {
            self.revision = revision
            self.epoch = epoch
        }
    }

    /// How an attempt ended.
    public struct End: Hashable, Sendable {
        public let outcome: OutcomeName
        public let reason: String?
        /// What it is parked on.
        public let precondition: String?
    }

    /// What happened, by kind.
    public enum Body: Hashable, Sendable {
        case hostStarted(holds: [String: Bool])
        case hostQuiet
        case hostStopped
        case sceneConnected(restored: Bool, window: HistoryWindow)
        case sceneActivation(from: Activation, to: Activation)
        case sceneDisconnected
        case sceneDiscarded
        case eventAdmitted(call: Int?)
        case dispatchBegan(isResume: Bool)
        case dispatchResolved(destination: Destination?, verdict: RouteVerdict)
        case dispatchPlanned(ops: [HistoryOp])
        case dispatchEnded(End)
        case navigationStep(op: HistoryOp, cause: NavigationCause, window: HistoryWindow)
        case gateParked(precondition: String, destination: Destination, flow: String?)
        /// `flow` is the one that reported completion, where that is why.
        case gateResumed(precondition: String, destination: Destination, flow: String?)
        case gateSuperseded(precondition: String, destination: Destination, by: String)
        case gateAbandoned(precondition: String, destination: Destination, reason: String)
        /// `handler` took the intent; `nil` where nobody in the chain did.
        case intentBubbled(name: String, chain: [String], handler: String?)
        case sessionCommitted(user: String?, holds: [String: Bool])
        case sceneSwept
        case coordinatorAttached(flow: String, parent: String)
        case coordinatorDetached(flow: String, parent: String)
        /// `holds` is `nil` where the record does not say what holds under the new manifest.
        case manifestLoaded(holds: [String: Bool]?)
        /// An adapter outside the host was passed over for an event that is not admitted yet.
        case adapterSkipped(adapter: String, reason: String)
        case violation(rule: String, cause: String, detail: String)
        /// So many records before this one are missing.
        case gap(count: Int)
        /// A kind that this checker does not know. New kinds may be added, and none changes what the others mean.
        case other(kind: String)
    }
}

extension OutcomeName {
    /// Whether nothing can come after an attempt that ended so.
    package var isTerminal: Bool { self != .gated && self != .admitted }
}
