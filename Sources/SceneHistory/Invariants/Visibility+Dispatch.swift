internal import SceneVocabulary

/// The steps of a dispatch follow from its resolution and its plan, and its outcome says what it did.
extension Visibility {
    /// A record of a dispatch other than a step.
    func judgeDispatch(
        _ record: HistoryRecord,
        _ dispatch: OpenDispatch?,
        by session: KnownSession,
        _ findings: inout Findings
    ) {
        guard let dispatch, dispatch.isMeant(by: record) else { return }
        switch record.body {
        case .dispatchResolved(let destination, let verdict, let reason, _, _, _):
            judgeGate(record, verdict, reason, dispatch, session, &findings)
            guard let before = dispatch.resolution, before.snapshot == record.snapshot,
                before.destination == destination, before.verdict == verdict
            else { return }
            findings.violated(
                [before.index, record.index],
                "ticket \(dispatch.ticket) was resolved twice by revision \(before.snapshot.revision)"
            )
        case .dispatchPlanned:
            if let plan = dispatch.plan {
                findings.violated([plan.index, record.index], "ticket \(dispatch.ticket) was planned twice")
            } else if dispatch.resolution == nil {
                findings.violated([record.index], "ticket \(dispatch.ticket) was planned before it was resolved")
            }
        case .dispatchEnded(let end):
            if let reason = objection(to: end.outcome, of: dispatch) {
                findings.violated(
                    [dispatch.resolution?.index, dispatch.plan?.index, record.index].compactMap(\.self),
                    "ticket \(dispatch.ticket) ended \(end.outcome), but \(reason)"
                )
            }
        default: return
        }
    }

    /// A gate that stops an event is closed.
    private func judgeGate(
        _ record: HistoryRecord,
        _ verdict: RouteVerdict,
        _ precondition: String?,
        _ dispatch: OpenDispatch,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        guard verdict == .gated, let precondition, session.holds[precondition] == true,
            record.snapshot == session.snapshot, dispatch.reloads == session.reloads
        else { return }
        findings.violated(
            [session.index, record.index],
            "ticket \(dispatch.ticket) was stopped by \(precondition), which holds"
        )
    }

    /// A step of a dispatch.
    func judgeDispatch(
        _ record: HistoryRecord,
        _ op: HistoryOp,
        _ cause: NavigationCause,
        _ dispatch: OpenDispatch?,
        _ findings: inout Findings
    ) {
        guard let dispatch, dispatch.isMeant(by: record), cause == .dispatch || cause == .flow else { return }
        if cause == .dispatch {
            guard let resolution = dispatch.resolution, resolution.verdict == .proceed else {
                return findings.violated(
                    [dispatch.resolution?.index, record.index].compactMap(\.self),
                    "ticket \(dispatch.ticket) changed the window although nothing let it proceed"
                )
            }
            if let seen = record.snapshot, seen.epoch != resolution.snapshot.epoch {
                findings.violated(
                    [resolution.index, record.index],
                    "what was resolved in epoch \(resolution.snapshot.epoch) became visible in epoch \(seen.epoch)"
                )
            }
        }
        // A flow that moves by itself has no plan; one that is shown for a gate has one.
        let isPlanned = cause == .dispatch || dispatch.plan != nil || dispatch.resolution?.verdict == .gated
        guard isPlanned, dispatch.plan?.ops.first != op else { return }
        findings.violated(
            [dispatch.plan?.index, record.index].compactMap(\.self),
            "\(op.name) was not what ticket \(dispatch.ticket) had planned next"
        )
    }

    /// Why the outcome is wrong, as a clause; `nil` if it is right.
    private func objection(to outcome: OutcomeName, of dispatch: OpenDispatch) -> String? {
        let verdict = dispatch.resolution?.verdict
        switch outcome {
        case .applied:
            if !dispatch.hasStepped { return "it did not change the window" }
            guard verdict != nil else { return nil }
        case .unchanged:
            if dispatch.hasChangedWindow { return "it changed the window" }
            guard verdict != nil else { return nil }
        case .gated:
            if verdict == .refused { return "it was refused" }
            return dispatch.plan?.ops.first.map { "\($0.name) of its plan was not done" }
        case .delivered, .ignored: return dispatch.hasStepped ? "it changed the window" : nil
        case .rejected, .superseded, .abandoned: return nil
        case .admitted: return "no attempt ends admitted"
        }
        guard verdict == .proceed else { return "nothing let it proceed" }
        guard let plan = dispatch.plan else { return "it was never planned" }
        return plan.ops.first.map { "\($0.name) of its plan was not done" }
    }
}
