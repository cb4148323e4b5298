/// Invariant 6: a resume's revision is not older than the commit that allowed it, and no gate repeats without a commit
/// in between.
struct Resumes: InvariantCheck {
    let invariant = Invariant.resumes

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        guard let scene = history.scene(of: record), let ticket = record.ticket, let event = scene.open[ticket] else {
            return
        }
        switch record.body {
        case .gateResumed(let precondition, _, let flow):
            judgeOpening(record, precondition, flow, event, scene, history.session, &findings)
        case .dispatchBegan(true):
            guard event.resumption?.attempt != record.attempt else { return }
            findings.violated(
                [event.lastResumption?.index, record.index].compactMap(\.self),
                "attempt \(record.attempt ?? 0) of event \(event.event) began although no gate had opened for it"
            )
        case .dispatchResolved:
            guard let resumption = event.lastResumption, let seen = record.snapshot else { return }
            judgeFreshness(record, seen, resumption, scene.dispatch, event, &findings)
        case .gateParked(let precondition, let parameters, _, _):
            // A window may be locked again before what was resumed has its turn.
            guard let resumption = event.lastResumption, !resumption.mayStopAgain, !scene.isLocked,
                resumption.gate?.isOn(precondition, for: parameters) ?? false,
                resumption.reloads == history.session.reloads,
                record.snapshot?.revision == resumption.revision
            else { return }
            findings.violated(
                [resumption.index, record.index],
                "\(precondition) opened for event \(event.event) but stopped it again without a commit in between"
            )
        default: return
        }
    }

    private func judgeFreshness(
        _ record: HistoryRecord,
        _ seen: HistoryRecord.Snapshot,
        _ resumption: Resumption,
        _ dispatch: OpenDispatch?,
        _ event: OpenEvent,
        _ findings: inout Findings
    ) {
        if seen.revision < resumption.revision {
            findings.violated(
                [resumption.index, record.index],
                "event \(event.event) was resumed by revision \(seen.revision), before \(resumption.revision), which allowed it"
            )
        } else if let dispatch, dispatch.isMeant(by: record), seen.revision < dispatch.revision {
            findings.violated(
                [dispatch.began, record.index],
                "event \(event.event) was resumed by revision \(seen.revision), older than \(dispatch.revision), at which its attempt began"
            )
        }
    }

    private func judgeOpening(
        _ record: HistoryRecord,
        _ precondition: String,
        _ flow: String?,
        _ event: OpenEvent,
        _ scene: KnownScene,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        guard let parking = event.parking else {
            return findings.violated([record.index], "event \(event.event) was resumed but was not parked")
        }
        if parking.precondition != precondition {
            findings.violated(
                [parking.index, record.index],
                "event \(event.event) was parked on \(parking.precondition) but resumed by \(precondition)"
            )
        }
        if let flow, let awaited = parking.flow, flow != awaited {
            findings.violated(
                [parking.index, record.index],
                "event \(event.event) waits for \(awaited) but was resumed because \(flow) is complete"
            )
        }
        // When a flow reports completion, what waits for it is tried again, whether the precondition holds or not.
        // So is what waits at a gate that a reload may have taken away, which only the manifest tells, and what the end of the host has
        // interrupted.
        if flow == nil, !event.wasResumed, session.holds[precondition] == false, !scene.isFreed(parking, session) {
            findings.violated(
                [session.index, record.index],
                "event \(event.event) was resumed although \(precondition) does not hold"
            )
        }
    }
}
