internal import SceneVocabulary

/// The present state of a scene by its records so far.
///
/// It is a class because every check looks at it for every record. `@unchecked Sendable` holds because only ``KnownHost`` lets it
/// change itself, and copies it first if another history shares it.
final class KnownScene: @unchecked Sendable {
    enum Phase { case connected, disconnected, discarded }

    var phase = Phase.connected
    var activation = Activation.unattached
    /// What the choice among scenes looks at.
    var standing = SceneStanding()
    /// Whether its window is locked.
    var isLocked = false
    var configuration: String?
    /// The index of the record that discarded it last.
    var discardedIndex = 0
    /// What it shows; `nil` while it is not connected.
    var window: HistoryWindow?
    /// What it showed when it was released last.
    var released: HistoryWindow?
    /// The epoch in which it was released last; `nil` if that is not known.
    var releasedIn: Int?
    /// The epoch of the record that has the window, or had the one that was released.
    var windowEpoch: Int?
    /// The newest revision by which its window, or what is dispatched or parked in it, has been judged.
    var revision = 0
    /// The index of the record that has this window.
    var windowIndex = 0
    /// How many reloads there had been then, which tells by which manifest its needs are.
    var windowReloads = 0
    /// The root of each tab that was shown, including tabs in whose place a flow is shown now.
    var roots: [String: String] = [:]
    /// How many reloads there had been when the roots were seen.
    var rootReloads = 0
    var lastTicket = 0
    /// The index of the record that gave the last ticket.
    var lastTicketIndex = 0
    /// The events without a terminal outcome, by ticket.
    var open: [Int: OpenEvent] = [:]
    /// What the steps of a sweep have removed since the last record of one.
    var swept: [Destination: Removed] = [:]

    /// A destination that a sweep has removed.
    struct Removed {
        /// How often.
        var count = 0
        /// What it needed; `nil` if that is not known, because the manifest has been replaced since it was shown.
        var needs: Set<String>? = []
    }

    /// What was not brought back with its window, and how often.
    var lost: [Destination: Int] = [:]
    /// Whether its window was brought back and nothing has happened in it since.
    var isRestored = false
    /// The flows that are shown for a gate alone: it has presented them, and nothing has led to them since.
    var gateFlows: Set<String> = []
    /// The parameters of the gate for which a flow was shown, by flow, as long as something waits for it.
    var served: [String: [String: String]] = [:]
    /// The flows that other flows have started and that are still shown, each with the one that started it.
    var startedFlows: [String: String] = [:]
    /// The parent of the coordinator that was attached last.
    var lastParent: String?
    /// What is parked.
    var parked = ParkedIntents()

    /// The gates at which something waits whose flow has left the window, each with whether the gate may have been open, or
    /// taken away by a reload, by then: what waits there goes on with the next sweep.
    var flowLess: [Parking.Gate: Bool] = [:]

    /// The gates that the sweep going on has found gone since a reload: what waits there is resumed, one after the other.
    var freed: Set<Parking.Gate> = []

    /// The index of the record that parked what was resumed last, if nothing has happened in the scene since: one sweep resumes
    /// in the order parked.
    var lastResumed: Int?

    /// The dispatch that is going on.
    var dispatch: OpenDispatch?
    var queue = TicketQueue()
    /// The version of what the host's records say.
    var format: Int

    /// The moments between two items of its mailbox that may be the last one, oldest first, but for now.
    var moments: [SceneMoment] = []
    /// What has begun without a record of its own.
    var opening = Opening.nothing

    enum Opening {
        case nothing
        /// Its window has been opened or brought back, by itself or for an event that is dispatched next.
        case window, windowForEvent
        /// A sweep.
        case sweep
    }

    /// Whether the last thing that has happened in it is that it came to the foreground, perhaps for what is dispatched next.
    var hasComeForward = false

    /// Whether its host has gone on after its end, and its snapshot has not come yet.
    var isAwaited = false
    /// Whether something was dispatched at that end.
    var isCutOff = false

    init(format: Int) { self.format = format }

    /// What a snapshot says. That of a released window, and of what is parked, may be by an earlier manifest.
    init(_ snapshot: HistorySceneSnapshot, _ record: HistoryRecord, _ session: KnownSession, format: Int) {
        self.format = format
        phase = snapshot.isConnected ? .connected : .disconnected
        activation = snapshot.activation
        standing = SceneStanding(takenUpAs: snapshot)
        isLocked = snapshot.isLocked
        configuration = snapshot.configuration
        if snapshot.isConnected { window = snapshot.window } else { released = snapshot.window }
        windowEpoch = snapshot.isConnected ? record.snapshot?.epoch : snapshot.judgedIn
        windowIndex = record.index
        windowReloads = snapshot.isConnected ? session.reloads : Self.unknownReloads
        rootReloads = windowReloads
        for tab in snapshot.window.layout.tabs { roots[tab.id] = tab.stack.first?.id }
        lastTicket = snapshot.lastTicket
        lastTicketIndex = record.index
        gateFlows = Set(snapshot.gateFlows)
        startedFlows = snapshot.startedFlows
        for event in snapshot.waiting {
            open[event.ticket] = OpenEvent(event, record)
            queue.append(event.ticket)
        }
        for intent in snapshot.parked {
            let event = OpenEvent(intent, record)
            open[intent.event.ticket] = event
            guard let parking = event.parking else { continue }
            noteServed(parking.gate)
            parked.add(parking)
            if !snapshot.window.shows(flow: intent.flow) { flowLess[parking.gate] = true }
        }
    }

    /// What a snapshot says of the app itself, which has no window.
    init(_ snapshot: HistoryAppSnapshot, _ record: HistoryRecord, format: Int) {
        self.format = format
        lastTicket = snapshot.lastTicket
        lastTicketIndex = record.index
        for event in snapshot.waiting {
            open[event.ticket] = OpenEvent(event, record)
            queue.append(event.ticket)
        }
    }

    /// A number of reloads that there never were.
    static let unknownReloads = -1

    /// A copy.
    init(_ other: KnownScene) {
        format = other.format
        phase = other.phase
        activation = other.activation
        standing = other.standing
        isLocked = other.isLocked
        configuration = other.configuration
        discardedIndex = other.discardedIndex
        window = other.window
        released = other.released
        releasedIn = other.releasedIn
        windowEpoch = other.windowEpoch
        revision = other.revision
        windowIndex = other.windowIndex
        windowReloads = other.windowReloads
        roots = other.roots
        rootReloads = other.rootReloads
        lastTicket = other.lastTicket
        lastTicketIndex = other.lastTicketIndex
        open = other.open
        dispatch = other.dispatch
        swept = other.swept
        isRestored = other.isRestored
        lost = other.lost
        parked = other.parked
        flowLess = other.flowLess
        gateFlows = other.gateFlows
        served = other.served
        startedFlows = other.startedFlows
        lastParent = other.lastParent
        freed = other.freed
        lastResumed = other.lastResumed
        queue = other.queue
        moments = other.moments
        opening = other.opening
        hasComeForward = other.hasComeForward
        isAwaited = other.isAwaited
        isCutOff = other.isCutOff
    }

    /// Whether all open events of this ID are silent, and there is one.
    func isSilent(_ event: String) -> Bool {
        let events = open.values.filter { $0.event == event }
        return !events.isEmpty && events.allSatisfy(\.arrival.isSilent)
    }

    /// Whether no further record can be about it.
    var isGone: Bool { phase == .discarded && open.isEmpty && dispatch == nil }

    /// The ticket whose first attempt is due.
    var firstQueued: Int? { queue.first { open[$0]?.isQueued ?? false } }

    func apply(_ record: HistoryRecord, _ session: KnownSession) {
        if case .gateResumed = record.body {
            lastResumed = record.ticket.flatMap { open[$0]?.parking?.index }
        } else {
            lastResumed = nil
            if !freed.isEmpty { freed = [] }
        }
        noteItem(record)
        if case .sceneConnected = record.body, phase == .discarded { standing = SceneStanding() }
        standing.note(record, activation, dispatch, open)
        switch record.body {
        case .sceneConnected(let configuration, let restored, let given, let window):
            phase = .connected
            lost = given ? [:] : Self.lost(from: released, to: window)
            self.configuration = configuration
            activation = .unattached
            show(window, record, session)
            // A restored window has its former roots unless the manifest has changed. A flow may have taken the place of
            // its tabs, or given it back.
            if !restored || rootReloads != session.reloads { roots = [:] }
            setRoots(window.layout.tabs.filter { roots[$0.id] == nil }, session)
            isRestored = restored
            swept = [:]
        case .sceneActivation(_, let to): activation = to
        case .sceneDisconnected:
            phase = .disconnected
            released = window
            releasedIn = session.snapshot?.epoch
            window = nil
        case .sceneDiscarded:
            phase = .discarded
            discardedIndex = record.index
            isLocked = false
            window = nil
        case .navigationStep(let op, let cause, let window):
            isRestored = false
            if case .known(.setRoot(let tabs, _)) = op { setRoots(tabs, session) }
            if cause == .sweep, record.ticket == nil { noteSwept(window, session) }
            show(window, record, session)
            // What a gate presents has been planned.
            if case .known(.present(let modal)) = op, let flow = modal.flow {
                if cause == .flow, dispatch?.plan == nil {
                    startedFlows[flow] = lastParent
                } else if cause == .flow && format > 4 || cause == .lock {
                    gateFlows.insert(flow)
                }
            }
            if dispatch?.isMeant(by: record) ?? false { dispatch?.advance(record, by: session.user) }
        case .sessionCommitted:
            guard let ticket = dispatch?.ticket, open[ticket]?.event == record.event else { return }
            dispatch?.hasCommitted = true
            if let commit = OpenEvent.Commit(record, by: dispatch, session) { open[ticket]?.commits.append(commit) }
            revision = max(revision, record.snapshot?.revision ?? 0)
            // Its own commit may make the epoch to which it belongs from then on.
            if open[ticket]?.epoch != nil { open[ticket]?.epoch = record.snapshot?.epoch }
        case .coordinatorAttached(_, let parent, _): lastParent = parent
        case .windowLocked: isLocked = true
        case .windowUnlocked: isLocked = false
        case .sceneSwept:
            swept = [:]
            lost = [:]
            isRestored = false
        default: applyEvent(record, session)
        }
    }

    private func applyEvent(_ record: HistoryRecord, _ session: KnownSession) {
        guard let ticket = record.ticket else { return }
        let before = open[ticket]?.parking
        defer {
            let after = open[ticket]?.parking
            // What goes on waiting keeps its place among the others.
            if after?.index != before?.index {
                if let before { parked.remove(before) }
                if let after { parked.add(after) }
            }
        }
        switch record.body {
        case .eventAdmitted(let arrival):
            lastTicket = max(lastTicket, ticket)
            lastTicketIndex = record.index
            open[ticket] = OpenEvent(
                event: record.event ?? "",
                admitted: record.index,
                epoch: arrival.isOwned ? record.snapshot?.epoch : nil,
                arrival: arrival,
                admittedEpoch: record.snapshot?.epoch,
                connection: record.connection
            )
            queue.append(ticket)
        case .dispatchBegan:
            isRestored = false
            revision = max(revision, session.snapshot?.revision ?? 0)
            dispatch = OpenDispatch(ticket, of: open[ticket], record, session)
            open[ticket]?.begin(record)
        case .variantChosen, .dispatchResolved, .dispatchPlanned, .intentBubbled:
            if dispatch?.isMeant(by: record) ?? false { dispatch?.advance(record, by: session.user) }
            if case .dispatchPlanned(let ops) = record.body, dispatch?.isMeant(by: record) ?? false {
                keepFlows(in: ops)
            }
        case .dispatchEnded(let end):
            if dispatch?.ticket == ticket { dispatch = nil }
            if end.outcome.isTerminal { open[ticket] = nil } else { open[ticket]?.settle() }
        case .gateParked(let precondition, let parameters, let destination, let flow):
            // Before, whatever waited for a flow that was shown made it the gate's.
            if format < 5, let flow, startedFlows[flow] == nil { gateFlows.insert(flow) }
            let gate = Parking.Gate(precondition: precondition, parameters: parameters, flow: flow)
            noteServed(gate)
            open[ticket]?.stage = .parked(
                Parking(
                    index: record.index,
                    gate: gate,
                    destination: destination,
                    variant: dispatch?.resolution?.variant,
                    user: session.user,
                    epoch: record.snapshot?.epoch,
                    attempt: record.attempt ?? 1,
                    reloads: dispatch?.reloads ?? session.reloads
                )
            )
        case .gateResumed(let precondition, let destination, let flow):
            let gate = open[ticket]?.parking?.gate
            let isByReload = flow == nil && isFreed(open[ticket]?.parking, session)
            if isByReload, let gate { freed.insert(gate) }
            let resumption = Resumption(
                index: record.index,
                precondition: precondition,
                gate: gate,
                destination: destination,
                revision: record.snapshot?.revision ?? 0,
                attempt: (record.attempt ?? 1) + 1,
                reloads: session.reloads,
                mayStopAgain: isByReload || open[ticket]?.wasResumed == true || gate.map { !isServed($0) } ?? false
            )
            open[ticket]?.stage = .resumed(resumption)
            open[ticket]?.lastResumption = resumption
        case .gateSuperseded, .gateAbandoned: open[ticket] = nil
        default: break
        }
        queue.trim { [open] in open[$0]?.isQueued ?? false }
    }

    /// Whether what waits at a gate is what its flow is shown for: not if the flow was begun with other parameters.
    func isServed(_ gate: Parking.Gate) -> Bool {
        (gate.flow.flatMap { served[$0] } ?? [:]).hasSameValues(as: gate.parameters)
    }

    /// Whether a flow is shown for other parameters than those of a gate, and nothing has to wait for it with them any more: what
    /// waits at the gate is tried again.
    ///
    /// - Parameter isGone: Whether what waits at a gate goes on by now.
    func isLeftBehind(_ gate: Parking.Gate, isGone: (Parking.Gate) -> Bool) -> Bool {
        guard let flow = gate.flow, !isServed(gate) else { return false }
        return !parked.gates(waitingFor: flow).contains { isServed($0) && !isGone($0) }
    }

    /// Notes that what an event leads to is not there for a gate alone any more.
    private func keepFlows(in ops: [HistoryOp]) {
        guard format > 4, !gateFlows.isEmpty, let resolution = dispatch?.resolution, resolution.verdict == .proceed,
            var layout = window?.layout
        else { return }
        for op in ops {
            guard let next = op.applied(to: layout) else { return }
            layout = next
        }
        let target = resolution.isOverCurrent ? layout.modals.suffix(1) : layout.modals[...]
        gateFlows.subtract(target.compactMap(\.flow))
    }

    private func noteServed(_ gate: Parking.Gate) {
        guard let flow = gate.flow, startedFlows[flow] == nil,
            !parked.gates(waitingFor: flow).contains(where: isServed)
        else { return }
        served[flow] = gate.parameters.isEmpty ? nil : gate.parameters
    }

    /// Whether something may go on without its precondition: a reload since may have taken the gate away, as far as the records
    /// say. What waits behind it is tried again, too.
    func isFreed(_ parking: Parking?, _ session: KnownSession) -> Bool {
        guard let parking, session.holds[parking.precondition] != true else { return false }
        return parking.reloads != session.reloads || freed.contains(parking.gate)
    }

    /// What one window has that another has not, and how often.
    static func lost(from before: HistoryWindow?, to after: HistoryWindow) -> [Destination: Int] {
        var lost: [Destination: Int] = [:]
        for destination in before?.layout.destinations ?? [] { lost[destination, default: 0] += 1 }
        for destination in after.layout.destinations { lost[destination]? -= 1 }
        return lost.filter { $0.value > 0 }
    }

    /// Counts what a step of a sweep has removed.
    private func noteSwept(_ after: HistoryWindow, _ session: KnownSession) {
        var left: [Destination: Int] = [:]
        for destination in after.layout.destinations { left[destination, default: 0] += 1 }
        for (destination, shown) in window?.added(since: nil) ?? [] {
            if let count = left[destination], count > 0 {
                left[destination] = count - 1
            } else {
                swept[destination, default: Removed()].count += 1
                if windowReloads == session.reloads {
                    swept[destination]?.needs?.formUnion(shown.needs)
                } else {
                    swept[destination]?.needs = nil
                }
            }
        }
    }

    private func show(_ window: HistoryWindow, _ record: HistoryRecord, _ session: KnownSession) {
        revision = max(revision, record.snapshot?.revision ?? 0)
        let before = self.window
        self.window = window
        if !gateFlows.isEmpty { gateFlows = gateFlows.filter(window.shows(flow:)) }
        if !startedFlows.isEmpty { startedFlows = startedFlows.filter { window.shows(flow: $0.key) } }
        noteLeft(after: released ?? before, record, session)
        noteFlowLess(window, record, session)
        released = nil
        windowEpoch = record.snapshot?.epoch
        windowIndex = record.index
        windowReloads = session.reloads
    }

    /// Notes which flows something waits for that have left with the window before. A sweep, and a window that comes back, resume
    /// what may go on before they show anything.
    private func noteFlowLess(_ window: HistoryWindow, _ record: HistoryRecord, _ session: KnownSession) {
        guard !parked.isEmpty else { return flowLess = [:] }
        var isByDispatch = false
        if case .navigationStep = record.body { isByDispatch = record.ticket != nil }
        var now: [Parking.Gate: Bool] = [:]
        for parking in parked.firsts {
            guard let flow = parking.flow, !window.shows(flow: flow) else { continue }
            // The records do not say what holds for parameters; without a commit since, nothing has changed.
            let isOpen = session.holds[parking.precondition] ?? (session.index > parking.index)
            now[parking.gate] =
                flowLess[parking.gate] ?? (isByDispatch && (isOpen || parking.reloads != session.reloads))
        }
        flowLess = now
    }

    /// Notes what belonged to a user who has left since the window before.
    private func noteLeft(after before: HistoryWindow?, _ record: HistoryRecord, _ session: KnownSession) {
        guard let before, let epoch = record.snapshot?.epoch, let windowEpoch else { return }
        let isNewEpoch = windowEpoch < epoch
        guard isNewEpoch || !before.isOfNobodyWhoLeft else { return }
        // What was personal before may have been anybody's when the user left.
        let isKnown = windowIndex >= session.publicIndex
        var left: [Bool?] = []
        window?.compare(with: before) { _, shown, earlier in
            let place = left.count
            guard let earlier, (shown.since ?? epoch) < epoch else { return left.append(false) }
            guard isNewEpoch else { return left.append(earlier.isLeft) }
            let isTimeless = session.isTimeless(shown.needs)
            // If nothing has changed since the user left, what is personal now was so then; but a flow may have gone on since.
            if shown.isPersonal, isTimeless, session.isSteadySinceEpochBegan, window?.isOfPresentedFlow(place) == false
            {
                return left.append(true)
            }
            left.append(isKnown && (isTimeless || !earlier.isPersonal) ? earlier.isPersonal : nil)
        }
        for place in left.indices { window?.shown[place].isLeft = left[place] }
    }

    private func setRoots(_ tabs: [TabState], _ session: KnownSession) {
        if rootReloads != session.reloads { roots = [:] }
        rootReloads = session.reloads
        for tab in tabs { roots[tab.id] = tab.stack.first?.id }
    }
}
