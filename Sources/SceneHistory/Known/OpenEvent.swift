internal import SceneVocabulary

/// An event without a terminal outcome.
struct OpenEvent {
    enum Stage {
        /// Its first attempt has not begun.
        case queued
        case running(began: Int)
        case parked(Parking)
        /// Its gate has opened, but its next attempt has not begun.
        case resumed(Resumption)
    }

    let event: String
    /// The index of the record that admitted it.
    let admitted: Int
    /// The epoch to which it belongs, if it is what somebody did in the window and the records say so.
    var epoch: Int?
    let arrival: HistoryRecord.Arrival
    /// The epoch at its admission.
    let admittedEpoch: Int?
    /// The connection that it came by.
    let connection: Int?
    var stage = Stage.queued
    var lastResumption: Resumption?

    /// Whether it is what somebody did in the window.
    var isAct: Bool { arrival.isAct }
    /// Where it wants to go, if its admission says so.
    var destination: Destination? { arrival.destination }

    var isQueued: Bool { if case .queued = stage { true } else { false } }

    var parking: Parking? {
        guard case .parked(let parking) = stage else { return nil }
        return parking
    }

    var resumption: Resumption? {
        guard case .resumed(let resumption) = stage else { return nil }
        return resumption
    }

    /// What has not happened to it, and the record after which it should have; `nil` if it is parked.
    var progress: (phrase: String, index: Int)? {
        switch stage {
        case .queued: ("was never dispatched", admitted)
        case .running(let began): ("began but never ended", began)
        case .parked: nil
        case .resumed(let resumption): ("was resumed but never dispatched again", resumption.index)
        }
    }
}

/// An intent that waits for a precondition.
struct Parking {
    /// The index of the record that parked it.
    let index: Int
    let precondition: String
    /// Where it wants to go.
    let destination: Destination
    /// The flow that should satisfy the precondition, if the record names one.
    let flow: String?
    /// Who was signed in then.
    let user: String?
    let epoch: Int?
    let attempt: Int
}

/// An intent whose precondition holds.
struct Resumption {
    /// The index of the record that resumed it.
    let index: Int
    let precondition: String
    let destination: Destination
    /// The session's revision then.
    let revision: Int
    /// The number of the next attempt.
    let attempt: Int
    let reloads: Int
}

/// A dispatch that has begun and not ended.
struct OpenDispatch {
    let ticket: Int
    let attempt: Int
    /// The index of the record that began it.
    let began: Int
    /// The session's revision then; it may use no older one.
    let revision: Int
    /// How many reloads there had been then; a dispatch keeps the manifest with which it began.
    let reloads: Int
    private(set) var resolution: Resolution?
    private(set) var plan: Plan?
    /// Whether it has made a step, in any round.
    private(set) var hasStepped = false
    /// Whether one of these steps led to its destination.
    private(set) var hasChangedWindow = false
    /// Whether it was refused in any round; what follows may lead to the app's fallback.
    private(set) var wasRefused = false
    /// Whether nobody took the intent that was handed up; `nil` if none was.
    private(set) var isUnhandled: Bool?

    struct Resolution {
        let index: Int
        let snapshot: HistoryRecord.Snapshot
        let destination: Destination?
        let verdict: RouteVerdict
        /// For `gated`, the precondition.
        let reason: String?
    }

    struct Plan {
        let index: Int
        /// The ops that have not been done yet.
        var ops: ArraySlice<HistoryOp>
    }

    init(_ ticket: Int, _ record: HistoryRecord, _ session: KnownSession) {
        self.ticket = ticket
        attempt = record.attempt ?? 1
        began = record.index
        revision = session.snapshot?.revision ?? 0
        reloads = session.reloads
    }

    /// Whether the record belongs to this dispatch.
    func isMeant(by record: HistoryRecord) -> Bool { record.ticket == ticket && record.attempt == attempt }

    mutating func advance(_ record: HistoryRecord) {
        switch record.body {
        case .dispatchResolved(let destination, let verdict, let reason):
            guard let snapshot = record.snapshot else { return }
            resolution = Resolution(
                index: record.index,
                snapshot: snapshot,
                destination: destination,
                verdict: verdict,
                reason: reason
            )
            if verdict == .refused { wasRefused = true }
            // In a new round the old plan is void.
            plan = nil
        case .intentBubbled(_, _, let handler): isUnhandled = handler == nil
        case .dispatchPlanned(let ops): plan = Plan(index: record.index, ops: ops[...])
        case .navigationStep(_, let cause, _):
            hasStepped = true
            if cause == .dispatch { hasChangedWindow = true }
            if !(plan?.ops.isEmpty ?? true) { plan?.ops.removeFirst() }
        default: break
        }
    }
}

/// Tickets in the order given. Tickets whose events ended early stay in it until they are at its head.
struct TicketQueue {
    private var tickets: [Int] = []
    private var head = 0

    mutating func append(_ ticket: Int) {
        tickets.append(ticket)
    }

    /// The first ticket still wanted.
    func first(where isWanted: (Int) -> Bool) -> Int? { tickets[head...].first(where: isWanted) }

    /// Forgets the tickets before the first that is still wanted.
    mutating func trim(_ isWanted: (Int) -> Bool) {
        while head < tickets.count, !isWanted(tickets[head]) { head += 1 }
        guard head > 32, head * 2 > tickets.count else { return }
        tickets.removeFirst(head)
        head = 0
    }
}
