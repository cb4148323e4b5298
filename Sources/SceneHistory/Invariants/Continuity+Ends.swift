internal import SceneVocabulary

/// How an attempt ends follows from what it did.
extension Continuity {
    func judgeEnd(
        _ record: HistoryRecord,
        _ end: HistoryRecord.End,
        _ event: OpenEvent,
        _ dispatch: OpenDispatch?,
        _ scene: KnownScene,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        let reason =
            objection(to: end, event, dispatch, scene, session)
            ?? (end.outcome == .abandoned ? objection(toAbandoning: end.reason, event, session) : nil)
            ?? (end.outcome == .gated && dispatch?.resolution?.snapshot != record.snapshot
                ? "it was resolved by another revision" : nil)
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
        _ dispatch: OpenDispatch?,
        _ scene: KnownScene,
        _ session: KnownSession
    ) -> String? {
        if event.arrival.isSilent, !event.arrival.isAct, end.outcome != .delivered, end.outcome != .abandoned,
            !event.arrival.isOwned || end.outcome != .rejected
        {
            return "it is silent, and there was nothing to do for it"
        }
        let needsReason: Set<OutcomeName> = [.ignored, .rejected, .superseded, .abandoned]
        if needsReason.contains(end.outcome) != (end.reason != nil) {
            return end.reason == nil ? "there is no reason" : "it gives a reason, \(end.reason ?? "")"
        }
        if (end.precondition != nil) != (end.outcome == .gated) { return "it names a precondition, or lacks one" }
        // What did all that its plan said has been shown, unless the plan was that of the fallback.
        let isDone = dispatch?.plan?.ops.isEmpty == true && dispatch?.resolution?.verdict == .proceed
        // With nothing to do it may still be abandoned, until it has looked at the session once more.
        let isUndone = end.outcome == .abandoned && dispatch?.plan?.done == 0
        if let objection = objection(toHandling: end, event, dispatch) { return objection }
        switch end.outcome {
        case .superseded: return "only what is parked is superseded"
        case .applied, .unchanged, .gated:
            guard let dispatch else { return "it had not begun" }
            if !event.isAct, event.destination == nil { return "it wanted to go nowhere" }
            if event.destination != nil || end.outcome == .gated, dispatch.resolution == nil {
                return "it was never resolved"
            }
            if end.outcome != .gated, !event.isAct || event.destination != nil {
                if dispatch.plan == nil { return "nothing was planned" }
                let takesNothingAway = dispatch.resolution?.isOverCurrent ?? false
                if dispatch.attempt == 1, !takesNothingAway, !event.isAct, !scene.parked.isEmpty {
                    return "what was parked in the scene still is"
                }
            }
            if end.outcome == .applied, !event.isAct || event.destination != nil, dispatch.hasStepped,
                !dispatch.hasChangedWindow
            {
                return "it did not change the window"
            }
        case .delivered:
            if event.destination != nil { return "it wants to go to \(name(event.destination))" }
        case .ignored:
            if !event.isAct { return "it is no gesture" }
            if (dispatch == nil) != (end.reason == "inTransition") {
                return dispatch == nil ? "before its turn only a transition ignores it" : "it had its turn"
            }
        case .rejected, .abandoned:
            if event.destination != nil, isDone, !isUndone, dispatch?.wasRefused != true {
                return "all that was planned was done"
            }
            if end.reason == "contended", let dispatch, session.index < dispatch.began {
                return "nothing has changed the session since it began"
            }
        case .admitted: return nil
        }
        return nil
    }

    func objection(
        toAbandoning reason: String?,
        _ event: OpenEvent,
        _ session: KnownSession
    ) -> String? {
        switch reason {
        case "userLeft":
            let epoch = event.parking?.epoch ?? event.admittedEpoch
            return epoch != nil && epoch == session.snapshot?.epoch ? "nobody has left" : nil
        // That a scene is discarded is recorded by another task.
        case "flowCancelled": return event.parking == nil && event.resumption == nil ? "it waited for no flow" : nil
        case "shutdown", "sceneDiscarded": return nil
        default: return "\(reason ?? "nothing") is no reason to abandon anything"
        }
    }

    private func objection(toHandling end: HistoryRecord.End, _ event: OpenEvent, _ dispatch: OpenDispatch?) -> String?
    {
        guard event.arrival.kind == "intent", let dispatch, dispatch.attempt == 1, end.outcome != .abandoned else {
            return nil
        }
        guard let handling = dispatch.handling else { return "the intent was never handed up" }
        if handling.isUnhandled != (end.reason == "unhandledIntent") {
            return handling.isUnhandled ? "nobody took the intent" : "somebody took the intent"
        }
        return handling.hasFailed && end.reason != "intentFailed" ? "whoever took the intent failed" : nil
    }
}
