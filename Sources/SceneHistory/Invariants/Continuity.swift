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

    /// What somebody does in a window.
    private static let acts: Set<String> = ["intent", "gesture", "flow"]

    private struct Sender: Hashable {
        let connection: Int
        let event: String
    }

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        if record.time < history.lastTime {
            findings.violated(
                [history.lastIndex, record.index],
                "time went back by \(history.lastTime - record.time) ns"
            )
        }
        switch record.body {
        case .eventAdmitted(let arrival): admit(record, arrival, &findings)
        case .gateSuperseded, .gateAbandoned: forget(record, history)
        case .dispatchEnded(let end):
            noteDiscarding(record, end, history)
            if end.outcome.isTerminal { forget(record, history) }
        case .sceneDiscarded: discarding[record.scene ?? ""] = nil
        default: break
        }
        guard let scene = history.scene(of: record) else {
            if case .sessionCommitted(_, _, let origin) = record.body { judgeOrigin(record, origin, nil, &findings) }
            return
        }
        switch record.body {
        case .sceneSwept(let removed): judgeSweep(record, removed, scene, &findings)
        case .sessionCommitted(_, _, let origin): judgeOrigin(record, origin, scene, &findings)
        case .sceneDiscarded, .sceneConnected, .sceneDisconnected, .sceneActivation: return
        default:
            guard let ticket = record.ticket, let event = scene.open[ticket] else { return }
            judge(record, event, scene, history.session, &findings)
        }
    }

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] {
        discarding.sorted { $0.key < $1.key }.map { id, index in
            Violation([index], "an event was abandoned because scene \(id) was discarded, but it was not")
        }
            + history.orderedScenes.flatMap { id, scene -> [Violation] in
                guard scene.phase == .discarded else { return [] }
                return scene.open.sorted { $0.key < $1.key }.compactMap { _, event in
                    event.parking.map {
                        Violation([$0.index], "event \(event.event) is parked in scene \(id), which was discarded")
                    }
                }
            }
    }

    // MARK: - One event for one ID

    private mutating func admit(
        _ record: HistoryRecord,
        _ arrival: HistoryRecord.Arrival,
        _ findings: inout Findings
    ) {
        if let kind = arrival.kind {
            let isAct = Self.acts.contains(kind)
            if isAct != arrival.isAct || isAct != (arrival.name != nil) {
                findings.violated(
                    [record.index],
                    "what happens in a window has a name and is internal; \(kind) is not so"
                )
            }
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
        switch record.body {
        case .dispatchBegan(let isResume):
            if isResume != ((record.attempt ?? 1) > 1) {
                violated(event.admitted, "began attempt \(record.attempt ?? 1) as \(isResume ? "resume" : "dispatch")")
            }
        case .dispatchResolved(let destination, let verdict, let reason):
            if (reason == nil) != (verdict == .proceed) {
                violated(nil, "was answered \(verdict) \(reason.map { "because of \($0)" } ?? "without a reason")")
            }
            guard let dispatch, let wanted = wanted(event, dispatch), wanted.destination != destination else { return }
            violated(wanted.index, "wants to go to \(wanted.destination), but \(name(destination)) was resolved")
        case .gateParked(let precondition, let destination, _):
            guard let resolution = dispatch?.resolution else {
                return violated(nil, "was parked before it was resolved")
            }
            if destination != resolution.destination {
                violated(
                    resolution.index,
                    "was resolved to \(name(resolution.destination)) and parked for \(destination)"
                )
            }
            // Behind others that are parked it waits for what they wait for.
            if resolution.verdict != .gated || resolution.reason != precondition,
                !scene.open.values.contains(where: { $0.parking?.precondition == precondition })
            {
                violated(resolution.index, "was parked on \(precondition), which did not stop it")
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
        case .intentBubbled(let name, let chain, let handler):
            if name != event.arrival.name, event.arrival.kind == "intent" {
                violated(event.admitted, "is the intent \(event.arrival.name ?? "") and was handed up as \(name)")
            }
            if let handler, !chain.contains(handler) { violated(nil, "was handled by \(handler), which was not asked") }
        case .dispatchEnded(let end): judgeEnd(record, end, event, dispatch, session, &findings)
        default: return
        }
    }

    private static func connection(_ number: Int?) -> String { number.map { "connection \($0)" } ?? "no connection" }

    private func name(_ destination: Destination?) -> String { destination?.description ?? "nowhere" }

    /// Where the next resolution of an attempt has to lead, and the record that says so; `nil` if it may lead anywhere.
    private func wanted(_ event: OpenEvent, _ dispatch: OpenDispatch) -> (destination: Destination, index: Int)? {
        // After a refusal there is the app's fallback, and coordinators go where they want.
        if dispatch.wasRefused { return nil }
        if let resolution = dispatch.resolution {
            guard !event.isAct, let destination = resolution.destination else { return nil }
            return (destination, resolution.index)
        }
        if dispatch.attempt > 1 { return event.lastResumption.map { ($0.destination, $0.index) } }
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
        guard let dispatch = scene.dispatch, scene.open[dispatch.ticket]?.event == successor else {
            return findings.violated(
                [record.index],
                "event \(event.event) was superseded by \(successor), which is not being dispatched"
            )
        }
    }

    private func judgeEnd(
        _ record: HistoryRecord,
        _ end: HistoryRecord.End,
        _ event: OpenEvent,
        _ dispatch: OpenDispatch?,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        let reason =
            objection(to: end, event, dispatch)
            ?? (end.outcome == .abandoned ? objection(toAbandoning: end.reason, event, session) : nil)
        guard let reason else { return }
        findings.violated(
            [event.admitted, dispatch?.resolution?.index, dispatch?.plan?.index, record.index].compactMap(\.self),
            "event \(event.event) ended \(end.outcome), but \(reason)"
        )
    }

    /// Why an attempt cannot have ended so, as a clause.
    private func objection(
        to end: HistoryRecord.End,
        _ event: OpenEvent,
        _ dispatch: OpenDispatch?
    ) -> String? {
        let needsReason: Set<OutcomeName> = [.ignored, .rejected, .superseded, .abandoned]
        if needsReason.contains(end.outcome) != (end.reason != nil) {
            return end.reason == nil ? "there is no reason" : "it gives a reason, \(end.reason ?? "")"
        }
        if (end.precondition != nil) != (end.outcome == .gated) { return "it names a precondition, or lacks one" }
        // What did all that its plan said has been shown, unless the plan was that of the fallback.
        let isDone = dispatch?.plan?.ops.isEmpty == true && dispatch?.resolution?.verdict == .proceed
        if let isUnhandled = dispatch?.isUnhandled, isUnhandled != (end.reason == "unhandledIntent"),
            !isUnhandled || end.outcome != .abandoned
        {
            return isUnhandled ? "nobody took the intent" : "somebody took the intent"
        }
        switch end.outcome {
        case .superseded: return "only what is parked is superseded"
        case .applied, .unchanged, .gated:
            guard let dispatch else { return "it had not begun" }
            if !event.isAct, event.destination == nil { return "it wanted to go nowhere" }
            if event.destination != nil, dispatch.resolution == nil { return "it was never resolved" }
            if end.outcome == .applied, !event.isAct, dispatch.hasStepped, !dispatch.hasChangedWindow {
                return "it did not change the window"
            }
        case .delivered:
            if event.destination != nil { return "it wants to go to \(name(event.destination))" }
        case .ignored:
            if !event.isAct { return "it is no gesture" }
        case .rejected, .abandoned:
            if event.destination != nil, isDone, dispatch?.wasRefused != true { return "all that was planned was done" }
        case .admitted: return nil
        }
        return nil
    }

    private func objection(
        toAbandoning reason: String?,
        _ event: OpenEvent,
        _ session: KnownSession
    ) -> String? {
        switch reason {
        case "userLeft":
            let epoch = event.parking?.epoch ?? event.admittedEpoch
            return epoch != nil && epoch == session.snapshot?.epoch ? "nobody has left" : nil
        // That a scene is discarded is recorded by another task.
        case "flowCancelled", "shutdown", "sceneDiscarded": return nil
        default: return "\(reason ?? "nothing") is no reason to abandon anything"
        }
    }

    // MARK: - Commits and sweeps

    /// A commit names the attempt that made it.
    private func judgeOrigin(
        _ record: HistoryRecord,
        _ origin: HistoryRecord.Origin,
        _ scene: KnownScene?,
        _ findings: inout Findings
    ) {
        if origin.scene != record.scene || origin.event != record.event || origin.connection != record.connection {
            findings.violated([record.index], "a commit's origin is not what the record is about")
        }
        guard let event = origin.event else { return }
        guard let dispatch = scene?.dispatch, scene?.open[dispatch.ticket]?.event == event else {
            return findings.violated([record.index], "a commit came from event \(event), which is not being dispatched")
        }
    }

    /// What a sweep says that it removed is what its steps removed. One that brings a window back has no steps.
    private func judgeSweep(
        _ record: HistoryRecord,
        _ removed: [HistoryRecord.Removal],
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        if removed.isEmpty { findings.violated([record.index], "a sweep removed nothing") }
        guard !scene.swept.isEmpty else { return }
        var left = scene.swept
        for removal in removed {
            guard let before = left[removal.destination], before.count > 0 else {
                findings.violated(
                    [scene.windowIndex, record.index],
                    "\(removal.destination) is said to have been removed, but no step of the sweep removed it"
                )
                continue
            }
            left[removal.destination]?.count -= 1
            if !Self.reasons.contains(removal.reason), let needs = before.needs, !needs.contains(removal.reason) {
                findings.violated(
                    [scene.windowIndex, record.index],
                    "\(removal.destination) was removed because of \(removal.reason), which it does not need"
                )
            }
        }
        for (destination, silent) in left where silent.count > 0 {
            findings.violated(
                [scene.windowIndex, record.index],
                "a sweep removed \(destination) and does not say so"
            )
        }
    }

    /// Why a sweep removes something that needs nothing.
    private static let reasons: Set<String> = ["destinationGone", "flowEnded"]
}
