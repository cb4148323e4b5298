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
            ?? (end.outcome == .rejected
                ? objection(toRejecting: end.reason ?? "", event, dispatch, scene, session) : nil)
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
            !event.arrival.isOwned && !event.arrival.isHeardInSwift || end.outcome != .rejected
        {
            return "it is silent, and there was nothing to do for it"
        }
        let needsReason: Set<OutcomeName> = [.ignored, .rejected, .superseded, .abandoned]
        if needsReason.contains(end.outcome) != (end.reason != nil) {
            return end.reason == nil ? "there is no reason" : "it gives a reason, \(end.reason ?? "")"
        }
        if (end.precondition != nil) != (end.outcome == .gated) { return "it names a precondition, or lacks one" }
        if let objection = objection(toHandling: end, event, dispatch) { return objection }
        if let objection = objection(toInterrupted: end, event, dispatch) { return objection }
        switch end.outcome {
        case .superseded: return "only what is parked is superseded"
        case .applied, .unchanged, .gated:
            guard let dispatch else { return "it had not begun" }
            if !event.isAct, event.destination == nil { return "it wanted to go nowhere" }
            if event.destination != nil || end.outcome == .gated, dispatch.resolution == nil {
                return "it was never resolved"
            }
            if end.outcome != .gated, let other = dispatch.shownInstead(of: event.destination) {
                return "it was refused, and \(name(other)) was shown instead"
            }
            if end.outcome != .gated, !event.isAct || event.destination != nil {
                if dispatch.plan == nil { return "nothing was planned" }
                let takesNothingAway = dispatch.resolution?.isOverCurrent ?? false
                if !dispatch.isResume, !takesNothingAway, !event.isAct, !scene.parked.isEmpty {
                    return "what was parked in the scene still is"
                }
            }
            if end.outcome == .applied, !event.isAct || event.destination != nil, dispatch.hasStepped,
                !dispatch.hasChangedWindow
            {
                return "it did not change the window"
            }
            guard end.outcome == .unchanged else { return nil }
            if dispatch.resolution == nil { return "it was never resolved" }
            if dispatch.hasMoved { return "it changed the window" }
        case .delivered:
            if event.destination != nil { return "it wants to go to \(name(event.destination))" }
            if event.arrival.kind == "gesture" { return "it is a gesture, which has an effect or none" }
            if let dispatch, dispatch.resolution != nil { return "it was resolved" }
        case .ignored:
            if !event.isAct || event.arrival.kind.map({ $0 != "gesture" }) ?? false { return "it is no gesture" }
            if let reason = end.reason, !Reasons.ignored.contains(reason) { return "nothing is ignored as \(reason)" }
            if (dispatch == nil) != (end.reason == "inTransition") {
                return dispatch == nil ? "before its turn only a transition ignores it" : "it had its turn"
            }
        case .rejected, .abandoned:
            if isDone(end, event, dispatch) { return "all that was planned was done" }
            if end.reason == "contended", let dispatch, session.index < dispatch.began {
                return "nothing has changed the session since it began"
            }
        case .admitted: return nil
        }
        return nil
    }

    /// What ends the host again and again is given up, and does nothing any more (<doc:/SceneRuntime/Keeping>).
    private func objection(
        toInterrupted end: HistoryRecord.End,
        _ event: OpenEvent,
        _ dispatch: OpenDispatch?
    ) -> String? {
        guard let dispatch else { return nil }
        if end.outcome == .abandoned, end.reason == Interruptions.reason {
            return dispatch.resolution != nil || dispatch.hasStepped || dispatch.hasCommitted
                ? "its last attempt has done something" : nil
        }
        // A resume has attempts before it that have ended.
        let isGivenUp = !dispatch.isResume && event.attempts > Interruptions.most
        return isGivenUp && end.outcome != .abandoned
            ? "\(event.attempts - 1) of its attempts were interrupted, one after the other" : nil
    }

    /// Whether an attempt has done all that its plan said, so that its target is shown: unless the plan was that of the fallback.
    private func isDone(_ end: HistoryRecord.End, _ event: OpenEvent, _ dispatch: OpenDispatch?) -> Bool {
        guard let dispatch, let plan = dispatch.plan, plan.ops.isEmpty, dispatch.resolution?.verdict == .proceed,
            !dispatch.wasRefused
        else { return false }
        // With nothing to do it is undone until it has looked at the session once more.
        if plan.done == 0, end.outcome == .abandoned || end.reason == "contended" { return false }
        guard event.isAct else { return event.destination != nil }
        // Its scene may be discarded meanwhile, and a coordinator may want to go to several places, one after the other.
        return end.outcome == .rejected && format > 1
            && !Reasons.isAny(end.reason ?? "", of: [], Reasons.ofNowhereInWords)
    }

    /// Why an attempt cannot have been rejected for this reason, as a clause.
    private func objection(
        toRejecting reason: String,
        _ event: OpenEvent,
        _ dispatch: OpenDispatch?,
        _ scene: KnownScene,
        _ session: KnownSession
    ) -> String? {
        guard let dispatch else { return nil }
        // Preconditions and conditions that look at parameters or at the time are not known by name.
        let mayBeName =
            session.holds[reason] != nil
            || !Reasons.isAny(reason, of: Reasons.rejected(in: format), Reasons.rejectedInWords)
        let (isPossible, what): (Bool, String) =
            if let refusal = dispatch.refusal, dispatch.resolution?.verdict != .gated {
                (
                    reason == refusal.refusedBy
                        || ["destinationGone", "contended"].contains(reason)
                        || mayHaveGoneOn(after: refusal, dispatch) && mayBeRejectedAllowed(reason, event, scene),
                    "it was refused because of \(refusal.reason ?? "nothing")"
                )
            } else if !event.isAct, event.destination == nil {
                event.arrival.isHeardInSwift
                    ? (Reasons.isAny(reason, of: Reasons.ofCode, Reasons.ofFlowsInWords), "code in Swift heard of it")
                    : event.arrival.isOwned
                        ? (Reasons.isAny(reason, of: Reasons.ofActions, Reasons.ofActionsInWords), "it is an action")
                        : (mayLeadNowhere(reason, event), "it leads nowhere")
            } else {
                switch dispatch.resolution?.verdict {
                case nil: (mayBeRejectedUnresolved(reason, mayBeName, event, dispatch), "it was never resolved")
                case .gated: (mayBeRejectedGated(reason, mayBeName, event, dispatch, scene), "a gate stopped it")
                default:
                    (
                        mayBeRejectedAllowed(reason, event, scene)
                            || reason == "flowShown" && dispatch.resolution?.isOverCurrent == true,
                        "it might proceed"
                    )
                }
            }
        return isPossible ? nil : "\(what), which is not rejected as \(reason)"
    }

    private func mayLeadNowhere(_ reason: String, _ event: OpenEvent) -> Bool {
        // Some adapter takes each URL that is opened.
        if reason == "noAdapter", event.arrival.kind == "url" { return false }
        return Reasons.isAny(reason, of: Reasons.ofNowhere, Reasons.ofNowhereInWords)
    }

    /// Whether a later round may have answered otherwise than with a refusal, rather than that the app's fallback came after it.
    private func mayHaveGoneOn(after refusal: OpenDispatch.Resolution, _ dispatch: OpenDispatch) -> Bool {
        dispatch.resolution?.verdict == .proceed && dispatch.resolution?.destination == refusal.destination
    }

    private func mayBeRejectedUnresolved(
        _ reason: String,
        _ mayBeName: Bool,
        _ event: OpenEvent,
        _ dispatch: OpenDispatch
    ) -> Bool {
        if !event.isAct || dispatch.isResume { return false }
        if Reasons.isAny(reason, of: Reasons.ofSteps, Reasons.ofStepsInWords) { return true }
        if event.arrival.kind == "gesture", !dispatch.hasMoved { return false }
        if reason == "unhandledIntent" { return event.arrival.kind.map { $0 == "intent" } ?? true }
        let words = Reasons.ofFlows.union(Reasons.ofMoves(in: format))
        return mayBeName || Reasons.isAny(reason, of: words, Reasons.ofFlowsInWords)
    }

    private func mayBeRejectedGated(
        _ reason: String,
        _ mayBeName: Bool,
        _ event: OpenEvent,
        _ dispatch: OpenDispatch,
        _ scene: KnownScene
    ) -> Bool {
        switch reason {
        case "gateUnsatisfied": dispatch.isResume
        // Its flow's first screen may be gone.
        case "noSuchFlow", "destinationGone": true
        default:
            mayBeName || reason == "queueFull" && event.isAct || mayBeRejectedAllowed(reason, event, scene)
        }
    }

    private func mayBeRejectedAllowed(_ reason: String, _ event: OpenEvent, _ scene: KnownScene) -> Bool {
        switch reason {
        case "contended": true
        // The app's policy stops only what comes from outside, and only while something is parked.
        case "gateBusy", "queueFull": !event.isAct && (!scene.parked.isEmpty || scene.phase == .discarded)
        default:
            Reasons.isAny(reason, of: Reasons.ofSteps, Reasons.ofStepsInWords)
                || event.isAct && (format == 1 || Reasons.isAny(reason, of: [], Reasons.ofNowhereInWords))
        }
    }

    func objection(
        toAbandoning reason: String?,
        _ event: OpenEvent,
        _ session: KnownSession
    ) -> String? {
        switch reason {
        case "userLeft":
            if event.isQueued { return "it had not had its turn" }
            if event.parking == nil, event.lastResumption == nil, !event.arrival.isOwned,
                !event.arrival.isHeardInSwift
            {
                return "it belongs to nobody"
            }
            let epoch = event.parking?.epoch ?? (event.lastResumption == nil ? event.epoch : nil) ?? event.admittedEpoch
            return epoch != nil && epoch == session.snapshot?.epoch ? "nobody has left" : nil
        // That a scene is discarded is recorded by another task.
        case "flowCancelled": return event.parking == nil && event.resumption == nil ? "it waited for no flow" : nil
        case Interruptions.reason:
            return event.attempts > Interruptions.most && !event.isQueued
                ? nil : "no more than \(max(event.attempts - 1, 0)) of its attempts were interrupted"
        case "shutdown", "sceneDiscarded": return nil
        default: return "\(reason ?? "nothing") is no reason to abandon anything"
        }
    }

    private func objection(toHandling end: HistoryRecord.End, _ event: OpenEvent, _ dispatch: OpenDispatch?) -> String?
    {
        guard event.arrival.kind == "intent", let dispatch, !dispatch.isResume, end.outcome != .abandoned else {
            return nil
        }
        guard let handling = dispatch.handling else { return "the intent was never handed up" }
        if handling.isUnhandled != (end.reason == "unhandledIntent") {
            return handling.isUnhandled ? "nobody took the intent" : "somebody took the intent"
        }
        return handling.hasFailed && end.reason != "intentFailed" ? "whoever took the intent failed" : nil
    }
}
