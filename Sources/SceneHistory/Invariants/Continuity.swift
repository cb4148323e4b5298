internal import SceneModel
internal import SceneVocabulary

/// Invariant 14: each record of an event follows from those before it, from its admission to its end.
///
/// Whoever looks at one record could be told anything; only its links to others show whether it is about the same event, the
/// same place and the same gate.
struct Continuity: InvariantCheck {
    let invariant = Invariant.continuity

    /// The open events of each connection, by ID.
    private var open: [Sender: Int] = [:]

    /// The records that say that a scene is discarded before the record of that, by scene. A dispatch that is going on may notice it
    /// first.
    private var discarding: [String: Int] = [:]

    /// The windows that the app asked for, or closed.
    private var windows = RequestedWindows()

    /// What holds have stopped.
    private var caught = CaughtByHolds()

    /// The first record of something that was abandoned because the host stopped.
    private var shutdown: Int?

    /// The format of the host's records.
    private(set) var format = HistoryRecord.newestFormat

    /// The first record of a host's snapshot since that of the app itself, which follows.
    private var snapshotOwed: Int?

    /// What somebody does in a window.
    private static let acts: Set<String> = ["intent", "gesture", "flow"]

    private struct Sender: Hashable {
        let connection: Int
        let event: String
    }

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        if case .hostStarted(let start) = record.body {
            format = start.format
            if record.index > 1 { findings.violated([1, record.index], "the host started twice") }
        } else if record.index == 1 {
            findings.violated([1], "the history does not begin with the host's start")
        }
        if case .hostRestarted(let restart) = record.body { goOn(with: restart, record) }
        if history.isStopped {
            findings.violated([history.lastIndex, record.index], "something happened after the host had stopped")
        }
        if record.time < history.lastTime {
            findings.violated(
                [history.lastIndex, record.index],
                "time went back by \(history.lastTime - record.time) ns"
            )
        }
        Restarts().judge(record, history, &findings)
        windows.judge(record, history, &findings)
        caught.judge(record, history, &findings)
        switch record.body {
        case .eventAdmitted(let arrival):
            admit(record, arrival, &findings)
            if let shutdown {
                findings.violated(
                    [shutdown, record.index],
                    "an event was admitted after one had been abandoned because the host stopped"
                )
            }
        case .gateSuperseded: forget(record, history)
        case .gateAbandoned(_, _, let reason):
            noteShutdown(reason, record)
            forget(record, history)
        case .dispatchEnded(let end):
            noteShutdown(end.reason, record)
            noteDiscarding(record, end, history)
            if end.outcome.isTerminal { forget(record, history) }
        case .sceneDiscarded: discarding[record.scene ?? ""] = nil
        case .sessionCommitted(_, _, _, let facts): judge(facts, record, history.session, &findings)
        case .hostSnapshot(let snapshot):
            judge(snapshot, record, history, &findings)
            format = snapshot.format
            if snapshot.format > 1, snapshotOwed == nil { snapshotOwed = record.index }
        case .appSnapshot(let snapshot):
            if snapshotOwed == nil {
                findings.violated(
                    [record.index],
                    "a snapshot of the app itself comes without one of the host before it"
                )
            }
            snapshotOwed = nil
            // With what a host goes on after its end is for another invariant.
            if history.isOwed(record.scene) { return }
            if let app = history.scene(of: record) {
                judge(snapshot, record, app, &findings)
            } else {
                take(snapshot.waiting, record)
            }
        case .sceneSnapshot(let snapshot): take(snapshot, record, history, &findings)
        default: break
        }
        guard let scene = history.scene(of: record) else {
            if case .sessionCommitted(_, _, let origin, _) = record.body { judgeOrigin(record, origin, nil, &findings) }
            return
        }
        judgeRest(record, scene, history.session, &findings)
        switch record.body {
        case .sceneSwept(let removed): judgeSweep(record, removed, scene, history.session, &findings)
        case .sessionCommitted(_, _, let origin, _): judgeOrigin(record, origin, scene, &findings)
        case .sceneDiscarded, .sceneConnected, .sceneDisconnected, .sceneActivation, .sceneSnapshot, .appSnapshot:
            return
        default:
            guard let ticket = record.ticket, let event = scene.open[ticket] else { return }
            judge(record, event, scene, history.session, &findings)
        }
    }

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] {
        discarding.sorted { $0.key < $1.key }.map { id, index in
            Violation([index], "an event was abandoned because scene \(id) was discarded, but it was not")
        }
            + windows.debts(at: rest)
            + snapshotDebts(at: rest)
            + history.resting.flatMap { id, scene -> [Violation] in
                // A host that stops abandons sweeps.
                if rest == .quiet, let lost = scene.lost.keys.map(\.description).min() {
                    return [
                        Violation(
                            [scene.windowIndex],
                            "\(lost) was not brought back with scene \(id), and no sweep says so"
                        )
                    ]
                }
                if rest == .quiet, let removed = scene.swept.keys.map(\.description).min() {
                    return [
                        Violation([scene.windowIndex], "a sweep of scene \(id) removed \(removed) and never said so")
                    ]
                }
                guard scene.phase == .discarded else { return [] }
                return scene.open.sorted { $0.key < $1.key }.compactMap { _, event in
                    event.parking.map {
                        Violation([$0.index], "event \(event.event) is parked in scene \(id), which was discarded")
                    }
                }
            }
    }

    /// A host that stops may make no more snapshots.
    private func snapshotDebts(at rest: Rest) -> [Violation] {
        guard rest == .quiet, let snapshotOwed else { return [] }
        return [Violation([snapshotOwed], "the host made a snapshot, and the app itself none")]
    }

    /// The host goes on after its end. Its connections are others, and what was about to happen is not.
    private mutating func goOn(with restart: HistoryRestart, _ record: HistoryRecord) {
        open = [:]
        discarding = [:]
        shutdown = nil
        format = restart.host.format
        snapshotOwed = record.index
    }

    // MARK: - One event for one ID

    /// Judges a snapshot of a scene, or takes the scene up with it.
    private mutating func take(
        _ snapshot: HistorySceneSnapshot,
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        for contradiction in contradictions(in: snapshot, record, history.session) {
            findings.violated([record.index], "a snapshot of scene \(record.scene ?? "") \(contradiction)")
        }
        if let scene = history.scene(of: record) {
            // With what a host goes on after its end is for another invariant.
            if history.isOwed(record.scene) { return }
            return judge(snapshot, record, scene, history.session, &findings)
        }
        guard let id = record.scene, history.isAwaited(id) else {
            return findings.violated(
                [record.index],
                "a snapshot is of scene \(record.scene ?? ""), which does not exist"
            )
        }
        if !history.isOwed(record.scene) { take(snapshot.waiting + snapshot.parked.map(\.event), record) }
    }

    /// Notes the events that a snapshot says are open.
    private mutating func take(_ events: [HistorySceneSnapshot.Event], _ record: HistoryRecord) {
        for event in events {
            if let connection = event.connection {
                open[Sender(connection: connection, event: event.event)] = record.index
            }
        }
    }

    private mutating func admit(
        _ record: HistoryRecord,
        _ arrival: HistoryRecord.Arrival,
        _ findings: inout Findings
    ) {
        if let kind = arrival.kind {
            let isAct = Self.acts.contains(kind)
            let isHandedOver = kind == "push" && arrival.isSilent && arrival.name != nil
            let isInside = isAct || kind == HistoryRecord.Arrival.window
            if isInside != arrival.isAct || isAct != (arrival.name != nil) && !isHandedOver {
                findings.violated(
                    [record.index],
                    "what happens in a window has a name and is internal; \(kind) is not so"
                )
            }
        }
        let isTap = arrival.kind == "gesture" && arrival.name == Gesture.Name.selectTab.rawValue
        if let act = arrival.act, (act.tab != nil) != isTap {
            findings.violated([record.index], "a tab is named by who taps it, and by nobody else")
        }
        guard let connection = record.connection, let event = record.event else { return }
        let sender = Sender(connection: connection, event: event)
        if let before = open.updateValue(record.index, forKey: sender) {
            findings.violated([before, record.index], "connection \(connection) had two events \(event) at once")
        }
    }

    private mutating func forget(_ record: HistoryRecord, _ history: KnownHost) {
        guard let ticket = record.ticket, let event = history.scene(of: record)?.open[ticket],
            let connection = event.connection
        else { return }
        open[Sender(connection: connection, event: event.event)] = nil
    }

    private mutating func noteShutdown(_ reason: String?, _ record: HistoryRecord) {
        if reason == "shutdown", shutdown == nil { shutdown = record.index }
    }

    private mutating func noteDiscarding(_ record: HistoryRecord, _ end: HistoryRecord.End, _ history: KnownHost) {
        guard end.outcome == .abandoned, end.reason == "sceneDiscarded", let id = record.scene,
            let ticket = record.ticket,
            let scene = history.scene(of: record), let event = scene.open[ticket], scene.discardedIndex < event.admitted
        else { return }
        discarding[id] = record.index
    }

    // MARK: - From the admission to the end

    private func judge(
        _ record: HistoryRecord,
        _ event: OpenEvent,
        _ scene: KnownScene,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        func violated(_ before: Int?, _ explanation: String) {
            findings.violated([before, record.index].compactMap(\.self), "event \(event.event) \(explanation)")
        }
        if record.event == nil { violated(event.admitted, "has the ticket of a record that does not name it") }
        if record.connection != event.connection {
            let (one, other) = (event.connection, record.connection)
            violated(event.admitted, "came by \(Self.connection(one)), not by \(Self.connection(other))")
        }
        let dispatch = scene.dispatch.flatMap { $0.isMeant(by: record) ? $0 : nil }
        if case .dispatchEnded = record.body, event.isQueued, let attempt = record.attempt,
            attempt != event.attempts + 1, attempt != max(event.attempts, 1)
        {
            violated(event.admitted, "ended attempt \(attempt), and had begun none")
        }
        switch record.body {
        case .dispatchBegan(let isResume):
            let isAgain = event.isQueued && event.isCutOff
            if isResume != ((record.attempt ?? 1) > 1 && !isAgain) {
                violated(event.admitted, "began attempt \(record.attempt ?? 1) as \(isResume ? "resume" : "dispatch")")
            }
        case .variantChosen(let user, let destination, let variant, _):
            judgeHandling(event, dispatch, violated)
            judgeChoice(of: variant, for: destination, user, record, dispatch, session, violated)
            guard let dispatch, let wanted = wanted(event, dispatch), !destination.isOrConceals(wanted.destination)
            else { return }
            violated(wanted.index, "wants to go to \(wanted.destination), but something was chosen for \(destination)")
        case .dispatchResolved(let destination, let verdict, let reason, _, _, let variant):
            judgeHandling(event, dispatch, violated)
            judge(variant, of: destination, verdict, record, dispatch, session, violated)
            if (reason == nil) != (verdict == .proceed) {
                violated(nil, "was answered \(verdict) \(reason.map { "because of \($0)" } ?? "without a reason")")
            }
            guard let dispatch, let wanted = wanted(event, dispatch),
                !(destination?.isOrConceals(wanted.destination) ?? false)
            else { return }
            violated(wanted.index, "wants to go to \(wanted.destination), but \(name(destination)) was resolved")
        case .gateParked(let precondition, let parameters, let destination, _):
            guard let resolution = dispatch?.resolution else {
                return violated(nil, "was parked before it was resolved")
            }
            if destination != resolution.destination {
                violated(
                    resolution.index,
                    "was resolved to \(name(resolution.destination)) and parked for \(destination)"
                )
            }
            // Only what comes from outside is parked behind others without a plan.
            if event.isAct, dispatch?.plan == nil { violated(resolution.index, "was parked, and nothing was planned") }
            // Behind others that are parked it waits for what they wait for.
            if !scene.parked.isAny(on: precondition, for: parameters) {
                if resolution.verdict != .gated || resolution.reason != precondition {
                    violated(resolution.index, "was parked on \(precondition), which did not stop it")
                }
                if dispatch?.plan?.ops.isEmpty != true, dispatch?.plan != nil || !event.isAct {
                    violated(resolution.index, "was parked before its flow was shown")
                }
            }
        case .gateResumed(_, let destination, _), .gateSuperseded(_, let destination, _),
            .gateAbandoned(_, let destination, _):
            let parked =
                event.parking.map { ($0.index, $0.destination) }
                ?? event.resumption.map { ($0.index, $0.destination) }
            if let parked, parked.1 != destination {
                violated(parked.0, "was parked for \(parked.1), not for \(destination)")
            }
            if case .gateAbandoned(_, _, let reason) = record.body,
                let objection = objection(toAbandoning: reason, event, session)
            {
                violated(event.admitted, "was abandoned, but \(objection)")
            }
            if case .gateSuperseded(_, _, let other) = record.body {
                judgeSuccessor(record, other, event, scene, &findings)
            }
            judgeGate(record, event, scene, session, violated)
        case .intentBubbled(let bubbling):
            if bubbling.name != event.arrival.name, event.arrival.kind == "intent" {
                violated(
                    event.admitted,
                    "is the intent \(event.arrival.name ?? "") and was handed up as \(bubbling.name)"
                )
            }
            if let kind = event.arrival.kind, kind != "intent" {
                violated(event.admitted, "was handed up, but is no intent")
            }
            if let before = dispatch?.handling { violated(before.index, "was handed up twice") }
            if let handler = bubbling.handler, !bubbling.chain.contains(handler) || bubbling.error != nil {
                violated(nil, "was handled by \(handler), which was not asked, or failed")
            }
        case .navigationStep(_, let cause, _):
            judgeHandling(event, dispatch, violated)
            if cause == .dispatch { judgeShown(dispatch, session, violated) }
        case .dispatchPlanned, .windowRequested: judgeHandling(event, dispatch, violated)
        case .dispatchEnded(let end): judgeEnd(record, end, event, dispatch, scene, session, &findings)
        default: return
        }
    }

    private static func connection(_ number: Int?) -> String { number.map { "connection \($0)" } ?? "no connection" }

    func name(_ destination: Destination?) -> String { destination?.description ?? "nowhere" }

    /// Where the next resolution of an attempt has to lead, and the record that says so; `nil` if it may lead anywhere.
    private func wanted(_ event: OpenEvent, _ dispatch: OpenDispatch) -> (destination: Destination, index: Int)? {
        // After a refusal there is the app's fallback, and coordinators go where they want.
        if dispatch.wasRefused { return nil }
        if let resolution = dispatch.resolution {
            guard !event.isAct || event.destination != nil, let destination = resolution.destination else { return nil }
            return (destination, resolution.index)
        }
        if dispatch.isResume { return event.lastResumption.map { ($0.destination, $0.index) } }
        return event.destination.map { ($0, event.admitted) }
    }

    /// What supersedes is dispatched at that time.
    private func judgeSuccessor(
        _ record: HistoryRecord,
        _ successor: String,
        _ event: OpenEvent,
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        guard let dispatch = scene.dispatch, let other = scene.open[dispatch.ticket], other.event == successor else {
            return findings.violated(
                [record.index],
                "event \(event.event) was superseded by \(successor), which is not being dispatched"
            )
        }
        if other.isAct || dispatch.isResume || dispatch.resolution?.isOverCurrent ?? false {
            findings.violated(
                [other.admitted, record.index],
                "event \(event.event) was superseded by \(successor), which is no newer event from outside that takes its place"
            )
        }
        // With the first op that leads to its target, or the last that leads to its gate, or at once if there is nothing to do.
        let isDue =
            dispatch.plan.map { plan in
                plan.ops.isEmpty && plan.done == 0
                    || (dispatch.resolution?.verdict == .gated ? plan.ops.isEmpty : plan.done == 1)
            } ?? false
        if !isDue || other.parking != nil {
            findings.violated(
                [dispatch.began, record.index],
                "event \(event.event) was superseded by \(successor), but not when that took its place"
            )
        }
    }

    // MARK: - Intents

    /// An intent is handed up before anything is done for it.
    func judgeHandling(
        _ event: OpenEvent,
        _ dispatch: OpenDispatch?,
        _ violated: (_ before: Int?, _ explanation: String) -> Void
    ) {
        guard event.arrival.kind == "intent", let dispatch, !dispatch.isResume, dispatch.handling == nil else {
            return
        }
        violated(dispatch.began, "is an intent, and something was done for it before it was handed up")
    }
}
