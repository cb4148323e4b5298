internal import SceneVocabulary

/// Invariant 11: lifecycle changes follow the automaton, and nothing is dispatched in a discarded scene.
struct Lifecycle: InvariantCheck {
    let invariant = Invariant.lifecycle
    private var choices = SceneChoices()

    /// The states that may follow each state (<doc:/SceneRuntime/Scenes>).
    private static let successors: [Activation: Set<Activation>] = [
        .unattached: [.foregroundInactive, .background],
        .foregroundInactive: [.foregroundActive, .background],
        .foregroundActive: [.foregroundInactive],
        .background: [.foregroundInactive],
    ]

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        if case .hostRestarted = record.body { choices.goOn() }
        guard let id = record.scene else { return }
        choices.judge(record, id, history, &findings)
        let scene = history.scene(of: record)
        switch record.body {
        case .sceneConnected(let configuration, let restored, let given, _):
            if given, !restored {
                findings.violated([record.index], "scene \(id) opened with a window that a client gave, as a new one")
            }
            if scene?.phase == .connected {
                findings.violated([record.index], "scene \(id) was connected twice")
            } else if restored, !given, scene == nil || scene?.phase == .discarded {
                findings.violated([record.index], "scene \(id) was restored but had not been there")
            } else if restored, let scene, scene.phase != .disconnected {
                findings.violated([record.index], "scene \(id) was restored but had not been disconnected")
            } else if !restored, scene?.phase == .disconnected {
                findings.violated([record.index], "scene \(id) was opened as a new one instead of being restored")
            } else if let event = record.event, let scene, scene.isSilent(event) {
                findings.violated([record.index], "scene \(id) was connected for \(event), which is silent")
            } else if restored, record.event != nil, let before = scene?.configuration, before != configuration {
                // Only who connects it may choose another.
                findings.violated(
                    [record.index],
                    "scene \(id) of the configuration \(before) came back as \(configuration)"
                )
            }
        case .sceneActivation(let from, let to): judgeActivation(record, from, to, id, scene, history, &findings)
        case .sceneDisconnected:
            if scene?.phase != .connected {
                findings.violated([record.index], "scene \(id) was disconnected but was not connected")
            }
            if let dispatch = scene?.dispatch {
                findings.violated(
                    [dispatch.began, record.index],
                    "scene \(id) was disconnected while ticket \(dispatch.ticket) was dispatched"
                )
            }
        case .windowLocked(let reason): judgeLock(record, reason, id, scene, &findings)
        case .windowUnlocked(let reason): judgeUnlock(record, reason, id, scene, history.session, &findings)
        case .sceneDiscarded:
            if scene == nil || scene?.phase == .discarded {
                findings.violated([record.index], "scene \(id) was discarded but did not exist")
            }
        case .eventAdmitted(let arrival):
            if scene == nil || scene?.phase == .discarded {
                findings.violated([record.index], "an event was admitted to scene \(id), which does not exist")
            }
            if arrival.isSilent, let objection = Self.objection(toSilent: arrival) {
                findings.violated([record.index], "an event is said to be silent, but \(objection)")
            }
            if !arrival.isSilent, let reporter = arrival.reporter {
                findings.violated([record.index], "an event that \(reporter) reports by itself is not silent")
            }
            if let source = arrival.draggedFrom,
                let objection = Self.objection(toDragging: arrival, from: source, id, scene, history)
            {
                findings.violated([record.index], "an event is said to be dragged from \(source), but \(objection)")
            }
            if id == HistoryRecord.app, !arrival.isSilent || arrival.isAct {
                findings.violated([record.index], "the app itself got an event that is not silent")
            }
        case .dispatchBegan(let isResume):
            judgeConnected(record, id, scene, &findings)
            guard !isResume, isTap(record, history), let activation = scene?.activation, !activation.isInForeground
            else { return }
            findings.violated(
                [record.index],
                "ticket \(record.ticket ?? 0) was dispatched while scene \(id) was \(activation), but it brings it to the front"
            )
        case .navigationStep: judgeConnected(record, id, scene, &findings)
        case .dispatchEnded:
            guard let scene, let dispatch = scene.dispatch, dispatch.isMeant(by: record), !dispatch.isResume,
                scene.phase == .connected, scene.activation != .foregroundActive, isTap(record, history)
            else { return }
            findings.violated(
                [dispatch.began, record.index],
                "ticket \(dispatch.ticket) has ended and scene \(id) is \(scene.activation), but it brings it to the front"
            )
        default: return
        }
    }

    /// A window is locked once, when it is opened or brought back, or goes to the background, and not in the middle of anything.
    private func judgeLock(
        _ record: HistoryRecord,
        _ reason: LockReason,
        _ id: String,
        _ scene: KnownScene?,
        _ findings: inout Findings
    ) {
        guard let scene, scene.phase == .connected else {
            return findings.violated([record.index], "scene \(id) was locked but is not connected")
        }
        if scene.isLocked { findings.violated([record.index], "scene \(id) was locked, and is locked") }
        let due: Activation = reason == .connected ? .unattached : .background
        if scene.activation != due {
            findings.violated([record.index], "scene \(id) was locked as \(reason), but it is \(scene.activation)")
        }
        guard let dispatch = scene.dispatch else { return }
        findings.violated(
            [dispatch.began, record.index],
            "scene \(id) was locked while ticket \(dispatch.ticket) was dispatched"
        )
    }

    /// A locked window is unlocked by what completes the lock's flow in it, or with a look at the session that is the newest.
    private func judgeUnlock(
        _ record: HistoryRecord,
        _ reason: UnlockReason,
        _ id: String,
        _ scene: KnownScene?,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        guard let scene, scene.isLocked else {
            return findings.violated([record.index], "scene \(id) was unlocked, but it was not locked")
        }
        if let newest = session.snapshot, record.snapshot != newest {
            findings.violated([session.index, record.index], "scene \(id) was unlocked by an older revision")
        }
        switch reason {
        case .completed:
            if let dispatch = scene.dispatch, dispatch.isMeant(by: record),
                scene.open[dispatch.ticket]?.event == record.event
            {
                return
            }
            findings.violated(
                [record.index],
                "scene \(id) was unlocked, and nothing that is dispatched completed a flow"
            )
        case .lifted:
            guard record.event != nil || record.ticket != nil else { return }
            findings.violated([record.index], "the lock of scene \(id) was lifted by an event, and no event can")
        }
    }

    /// Only a push, an activity and what is reported by itself can be nobody's doing, and no adapter is asked about one that is.
    private static func objection(toSilent arrival: HistoryRecord.Arrival) -> String? {
        if arrival.destination != nil { return "it wants something shown" }
        if arrival.adapter != nil { return "an adapter took it" }
        if arrival.isAct, arrival.kind == "intent", arrival.reporter != nil { return nil }
        guard !arrival.isAct, let kind = arrival.kind else { return "somebody did it in the window" }
        return ["push", "activity"].contains(kind) ? nil : "it is of the kind \(kind)"
    }

    /// What is dragged is an activity from a scene that is there, and a window opens for it that was not there. Whether the scene it
    /// comes from has a window then is not always known: nothing says that it is about to be connected again.
    private static func objection(
        toDragging arrival: HistoryRecord.Arrival,
        from source: String,
        _ id: String,
        _ scene: KnownScene?,
        _ history: KnownHost
    ) -> String? {
        if arrival.kind != "activity" || arrival.isSilent || arrival.isAct { return "only an activity is" }
        guard let scene, id != source, scene.phase == .connected, scene.lastTicket == 0,
            scene.activation == .unattached
        else { return "scene \(id) was not opened for it" }
        if !history.isAwaited(source), history.scenes[source].map({ $0.phase == .discarded }) ?? true {
            return "there is no such scene"
        }
        return nil
    }

    private func judgeConnected(
        _ record: HistoryRecord,
        _ id: String,
        _ scene: KnownScene?,
        _ findings: inout Findings
    ) {
        guard scene?.phase != .connected else { return }
        findings.violated([record.index], "something happened in scene \(id), which is not connected")
    }

    /// Whether the record is of an event that brings its window to the front. Older daemons brought it there with what it showed.
    private func isTap(_ record: HistoryRecord, _ history: KnownHost) -> Bool {
        guard history.format > 1, let arrival = history.arrival(of: record) else { return false }
        return !arrival.isSilent
    }

    private func judgeActivation(
        _ record: HistoryRecord,
        _ from: Activation,
        _ to: Activation,
        _ id: String,
        _ scene: KnownScene?,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard let scene, scene.phase == .connected else {
            return findings.violated([record.index], "scene \(id) went to \(to) but is not connected")
        }
        if scene.activation != from {
            findings.violated([record.index], "scene \(id) left \(from) but was \(scene.activation)")
        }
        if !(Self.successors[from]?.contains(to) ?? false) {
            findings.violated(
                [record.index],
                "scene \(id) went from \(from) to \(to), which the automaton does not allow"
            )
        }
        guard history.format > 1, let dispatch = scene.dispatch else { return }
        // The last step of a tap, before anything else is done for it.
        let isFirst = !dispatch.isResume && dispatch.isUntouched
        if isFirst, to == .foregroundActive, let event = scene.open[dispatch.ticket], !event.arrival.isSilent { return }
        findings.violated(
            [dispatch.began, record.index],
            "scene \(id) went to \(to) while ticket \(dispatch.ticket) was dispatched"
        )
    }
}

extension Activation {
    fileprivate var isInForeground: Bool { self == .foregroundInactive || self == .foregroundActive }
}
