internal import SceneVocabulary
internal import StrictJSON

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
    /// The epoch to which it belongs, if it can commit and the records say so.
    var epoch: Int?
    let arrival: HistoryRecord.Arrival
    /// The epoch at its admission.
    let admittedEpoch: Int?
    /// The connection that it came by.
    let connection: Int?
    var stage = Stage.queued
    var lastResumption: Resumption?
    /// The number of its newest attempt that has begun; 0 before the first.
    private(set) var attempts = 0
    /// Whether that was going on when the host ended.
    private(set) var isCutOff = false
    /// Whether it had been resumed, or may have been, when the host ended: it is resumed again, whatever its gate is by then.
    private(set) var wasResumed = false
    /// How it was parked when its last attempt ended.
    private var settled: Parking?
    /// The commits that its attempts have made.
    var commits: [Commit] = []

    /// A commit that an attempt has made.
    struct Commit {
        let attempt: Int
        /// The index of its record.
        let index: Int
        let user: String?
        /// The facts that it changed.
        let facts: [String: JSONValue]
        /// Whether it changed nothing but, perhaps, whether the sign-in is stale.
        let isOfStaleness: Bool
        /// Who was asked to take its intent, of whom the last one wanted the commit; empty if it is none.
        let chain: [String]

        /// - Parameter session: The session with the commit.
        init?(_ record: HistoryRecord, by dispatch: OpenDispatch?, _ session: KnownSession) {
            guard case .sessionCommitted(let user, _, _, let facts) = record.body, let dispatch else { return nil }
            attempt = dispatch.attempt
            index = record.index
            self.user = user
            self.facts = facts ?? [:]
            isOfStaleness = self.facts.isEmpty && !session.hasUserChanged
            chain = dispatch.handling?.chain ?? []
        }
    }

    /// Who was asked to take its intent by an attempt before this one that has committed what was wanted: nobody is asked again, as the window
    /// and the session are since.
    func asked(before attempt: Int) -> [String]? {
        commits.last { $0.attempt < attempt && !$0.chain.isEmpty }?.chain
    }

    init(
        event: String,
        admitted: Int,
        epoch: Int?,
        arrival: HistoryRecord.Arrival,
        admittedEpoch: Int?,
        connection: Int?
    ) {
        self.event = event
        self.admitted = admitted
        self.epoch = epoch
        self.arrival = arrival
        self.admittedEpoch = admittedEpoch
        self.connection = connection
    }

    /// An event of which a snapshot says that it is open.
    init(_ event: HistorySceneSnapshot.Event, _ record: HistoryRecord) {
        self.init(
            event: event.event,
            admitted: record.index,
            epoch: event.arrival.isOwned ? event.admittedIn : nil,
            arrival: event.arrival,
            admittedEpoch: event.admittedIn,
            connection: event.connection
        )
    }

    /// An event of which a snapshot says that it is parked.
    init(_ intent: HistorySceneSnapshot.Parked, _ record: HistoryRecord) {
        self.init(intent.event, record)
        let parking = Parking(
            index: record.index,
            gate: Parking.Gate(precondition: intent.precondition, parameters: intent.parameters, flow: intent.flow),
            destination: intent.destination,
            variant: intent.variant,
            user: intent.user,
            epoch: intent.parkedIn,
            attempt: intent.attempt,
            reloads: KnownScene.unknownReloads
        )
        attempts = intent.attempt
        settled = parking
        stage = .parked(parking)
    }

    /// Its next attempt has begun.
    mutating func begin(_ record: HistoryRecord) {
        stage = .running(began: record.index)
        attempts = record.attempt ?? attempts + 1
        isCutOff = false
        wasResumed = false
    }

    /// Whether an attempt has parked it that has not ended.
    var isParkedInAttempt: Bool { parking.map { $0.index != settled?.index } ?? false }

    /// Its attempt has ended, and it is parked.
    mutating func settle() {
        settled = parking
        isCutOff = false
        wasResumed = false
    }

    /// The host goes on after its end. What had been parked waits there again, and has had the attempt that was going on.
    mutating func restart() {
        if isParkedInAttempt { isCutOff = true }
        if case .running = stage { isCutOff = true }
        if settled != nil {
            switch stage {
            case .resumed, .running: wasResumed = true
            case .parked: if isParkedInAttempt { wasResumed = true }
            case .queued: break
            }
        }
        settled?.attempt = attempts
        stage = settled.map(Stage.parked) ?? .queued
    }

    /// The history is taken up with a restart.
    ///
    /// - Parameter attempt: The number of its attempt that was going on when the host ended; `nil` if none was.
    mutating func takeUp(after attempt: Int?) {
        wasResumed = parking != nil
        guard let attempt else { return }
        attempts = attempt
        isCutOff = true
        // What its attempts have committed is not known.
        epoch = nil
    }

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
    let gate: Gate
    /// Where it wants to go.
    let destination: Destination
    /// What is to be shown for it, if one of its variants was chosen.
    let variant: Destination?
    /// Who was signed in then.
    let user: String?
    let epoch: Int?
    var attempt: Int
    /// How many reloads there had been when the dispatch began that parked it.
    let reloads: Int

    /// Where something waits. What waits at one gate goes on in the order parked.
    struct Gate: Hashable {
        let precondition: String
        /// The values of the parameters that the precondition looks at.
        let parameters: [String: String]
        /// The flow that should satisfy the precondition, if the record names one.
        let flow: String?

        /// Whether both are the same gate. Values are compared by their bytes.
        static func == (one: Gate, other: Gate) -> Bool {
            one.isOn(other.precondition, for: other.parameters) && one.flow == other.flow
        }

        /// Hashes the names and the values.
        func hash(into hasher: inout Hasher) {
            hasher.combine(precondition)
            parameters.hashValues(into: &hasher)
            hasher.combine(flow)
        }

        /// Whether it is of this precondition, for values of the same bytes.
        func isOn(_ precondition: String, for parameters: [String: String]) -> Bool {
            self.precondition == precondition && self.parameters.hasSameValues(as: parameters)
        }

        /// The gate in words.
        var name: String { Destination(id: precondition, parameters: parameters).description }
    }

    var precondition: String { gate.precondition }
    var flow: String? { gate.flow }
}

/// What is parked in a scene.
struct ParkedIntents {
    private struct Key: Hashable {
        let gate: Parking.Gate
        /// The epoch of the user who parked it; `nil` if nobody was signed in.
        let epoch: Int?

        init(_ parking: Parking) {
            gate = parking.gate
            epoch = parking.user == nil ? nil : parking.epoch
        }
    }

    /// Some of them, in the order parked.
    private struct Group {
        private var parkings: [Parking] = []
        private var head = 0
        /// The indices of the records that parked those after the first that wait no more.
        private var gone: Set<Int> = []

        /// The first that still waits.
        var first: Parking? { head < parkings.count ? parkings[head] : nil }

        mutating func append(_ parking: Parking) { parkings.append(parking) }

        mutating func remove(_ index: Int) {
            gone.insert(index)
            while let first, gone.remove(first.index) != nil { head += 1 }
            guard head > 32, head * 2 > parkings.count else { return }
            parkings.removeFirst(head)
            head = 0
        }
    }

    /// There are few keys.
    private var groups: [Key: Group] = [:]

    var isEmpty: Bool { groups.isEmpty }

    mutating func add(_ parking: Parking) { groups[Key(parking), default: Group()].append(parking) }

    mutating func remove(_ parking: Parking) {
        let key = Key(parking)
        groups[key]?.remove(parking.index)
        if groups[key]?.first == nil { groups[key] = nil }
    }

    func isAny(on precondition: String, for parameters: [String: String]) -> Bool {
        groups.keys.contains { $0.gate.isOn(precondition, for: parameters) }
    }

    /// What has waited longest at each gate.
    var firsts: [Parking] {
        var firsts: [Parking.Gate: Parking] = [:]
        for (key, group) in groups {
            guard let first = group.first, first.index < firsts[key.gate]?.index ?? .max else { continue }
            firsts[key.gate] = first
        }
        return firsts.values.sorted { $0.index < $1.index }
    }

    /// The index of the record that parked the first on the precondition of a gate.
    func first(on gate: Parking.Gate) -> Int? {
        first { $0.gate.isOn(gate.precondition, for: gate.parameters) }
    }

    /// The index of the record that parked the first of a user of an earlier epoch.
    func firstOfUser(before epoch: Int) -> Int? { first { $0.epoch.map { $0 < epoch } ?? false } }

    /// The gates at which something waits for a flow.
    func gates(waitingFor flow: String) -> Set<Parking.Gate> {
        Set(groups.keys.map(\.gate).filter { $0.flow == flow })
    }

    /// The flows that are waited for, sorted.
    var flows: [String] { Set(groups.keys.compactMap(\.gate.flow)).sorted() }

    private func first(where fits: (Key) -> Bool) -> Int? {
        groups.compactMap { fits($0.key) ? $0.value.first?.index : nil }.min()
    }
}

/// An intent whose precondition holds.
struct Resumption {
    /// The index of the record that resumed it.
    let index: Int
    let precondition: String
    /// Where it waited; `nil` if it was not parked.
    let gate: Parking.Gate?
    let destination: Destination
    /// The session's revision then.
    let revision: Int
    /// The number of the next attempt.
    let attempt: Int
    let reloads: Int
    /// Whether it was resumed because of a reload, or because its flow was shown for other parameters and has left, by which the
    /// precondition did not come to hold. It may stop it again.
    let mayStopAgain: Bool
}

/// A dispatch that has begun and not ended.
struct OpenDispatch {
    let ticket: Int
    let attempt: Int
    /// Whether it goes on with something that was parked.
    let isResume: Bool
    /// The index of the record that began it.
    let began: Int
    /// The session's revision then; it may use no older one.
    let revision: Int
    /// How many reloads there had been then; a dispatch keeps the manifest with which it began.
    let reloads: Int
    /// Whether the user to whom the event belongs had left then.
    let isLeft: Bool
    /// The newest choice of a variant.
    private(set) var chosen: Destination?
    private(set) var resolution: Resolution?
    private(set) var plan: Plan?
    /// Whether it has made a step, in any round.
    private(set) var hasStepped = false
    /// Whether one of these steps led to its destination.
    private(set) var hasChangedWindow = false
    /// Whether one of them was a gesture's, or a flow's own move.
    private(set) var hasMoved = false
    /// Whether it has changed the session.
    var hasCommitted = false
    /// The newest resolution that refused it; what follows may lead to the app's fallback.
    private(set) var refusal: Resolution?
    /// How the intent was handed up; `nil` if it was not, or there is none.
    private(set) var handling: Handling?

    struct Handling {
        let index: Int
        /// Who was asked to take its intent.
        let chain: [String]
        /// Whether nobody took it.
        let isUnhandled: Bool
        /// Whether the last one asked could not handle it.
        let hasFailed: Bool
    }

    struct Resolution {
        let index: Int
        let snapshot: HistoryRecord.Snapshot
        let destination: Destination?
        /// What is to be shown for a destination that has variants, which was chosen for who was signed in.
        let variant: Destination?
        /// Who was signed in when the resolution was recorded.
        let user: String?
        /// What is to be shown.
        var shown: Destination? { variant ?? destination }
        let verdict: RouteVerdict
        /// For `gated`, the precondition.
        let reason: String?
        /// Whether the destination is presented over whatever is shown, which takes nothing away.
        let isOverCurrent: Bool

        /// For `refused`, the name at the beginning of the sentence that says why. A name may have a colon in it, and no space.
        var refusedBy: String? {
            guard let first = reason?.split(separator: " ", maxSplits: 1).first else { return nil }
            return String(first.hasSuffix(":") ? first.dropLast() : first)
        }
    }

    struct Plan {
        let index: Int
        /// The ops that have not been done yet.
        var ops: ArraySlice<HistoryOp>
        /// How many have been done.
        var done = 0
    }

    init(_ ticket: Int, of event: OpenEvent?, _ record: HistoryRecord, _ session: KnownSession) {
        self.ticket = ticket
        attempt = record.attempt ?? 1
        isResume = if case .dispatchBegan(isResume: true) = record.body { true } else { false }
        began = record.index
        revision = session.snapshot?.revision ?? 0
        reloads = session.reloads
        let isOwned = !isResume && event?.epoch != nil && session.snapshot != nil
        isLeft = isOwned && event?.epoch != session.snapshot?.epoch
    }

    /// Whether it was refused in any round.
    var wasRefused: Bool { refusal != nil }

    /// What may proceed in the place of what an event from outside wanted, which was refused: the app's fallback, also if that is the
    /// same, because nothing is resolved twice by one session otherwise.
    func shownInstead(of wanted: Destination?) -> Destination? {
        guard let wanted, let resolution, resolution.verdict == .proceed, let refusal else { return nil }
        return resolution.destination != wanted || resolution.snapshot == refusal.snapshot
            ? resolution.destination : nil
    }

    /// Whether nothing has been done for it yet.
    var isUntouched: Bool { resolution == nil && handling == nil && plan == nil && !hasStepped }

    /// Whether the record belongs to this dispatch.
    func isMeant(by record: HistoryRecord) -> Bool { record.ticket == ticket && record.attempt == attempt }

    /// - Parameter user: Who is signed in.
    mutating func advance(_ record: HistoryRecord, by user: String?) {
        switch record.body {
        case .variantChosen(_, _, let variant, _): chosen = variant
        case .dispatchResolved(let destination, let verdict, let reason, _, let isOverCurrent, let variant):
            guard let snapshot = record.snapshot else { return }
            resolution = Resolution(
                index: record.index,
                snapshot: snapshot,
                destination: destination,
                variant: variant,
                user: user,
                verdict: verdict,
                reason: reason,
                isOverCurrent: isOverCurrent
            )
            if verdict == .refused { refusal = resolution }
            // In a new round the old plan is void.
            plan = nil
        case .intentBubbled(let bubbling):
            handling = Handling(
                index: record.index,
                chain: bubbling.chain,
                isUnhandled: bubbling.handler == nil && bubbling.error == nil,
                hasFailed: bubbling.error != nil
            )
        case .dispatchPlanned(let ops): plan = Plan(index: record.index, ops: ops[...])
        case .navigationStep(_, let cause, _):
            hasStepped = true
            if cause == .dispatch { hasChangedWindow = true }
            if cause == .gesture || cause == .flow && resolution == nil { hasMoved = true }
            if !(plan?.ops.isEmpty ?? true) {
                plan?.ops.removeFirst()
                plan?.done += 1
            }
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
