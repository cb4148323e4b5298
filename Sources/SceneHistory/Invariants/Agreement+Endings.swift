internal import SceneModel
internal import SceneVocabulary

// How attempts end, and what limits say.
extension Agreement {
    func ending(
        _ end: HistoryRecord.End,
        _ record: HistoryRecord,
        _ dispatch: OpenDispatch,
        _ scene: KnownScene,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        guard let arrival = history.arrival(of: record), let memory = record.scene.flatMap({ scenes[$0] }) else {
            return []
        }
        return withoutWindows(end, dispatch, memory, app)
            + ending(end, arrival, record, dispatch, scene, memory, app, history)
    }

    private func ending(
        _ end: HistoryRecord.End,
        _ arrival: HistoryRecord.Arrival,
        _ record: HistoryRecord,
        _ dispatch: OpenDispatch,
        _ scene: KnownScene,
        _ memory: Memory,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        if let objection = unfinished(end, arrival, dispatch, memory, app, history.session) { return [objection] }
        if end.outcome != .rejected, end.outcome != .abandoned, isBehindLock(arrival, scene, app) {
            return ["the lock covers \(arrival.name ?? "it")"]
        }
        switch (end.outcome, end.reason) {
        case (.ignored, let reason?): return ignored(reason, arrival, dispatch, scene, app)
        case _ where arrival.isHeardInSwift: return []
        case (let outcome, let reason) where !arrival.isAct && arrival.isOwned:
            if outcome == .delivered {
                return meantForOther(arrival, dispatch, memory, history.session)
                    + withoutCommit(dispatch, memory, app, history.session)
            }
            // What attempts have committed stays, also when it is given up because the host ended in each of them.
            if memory.hasCommitted, reason != Interruptions.reason { return ["it has committed what it wanted"] }
            return reason.map { refused($0, arrival, dispatch, app, history.session) } ?? []
        case (.delivered, _) where arrival.kind == "intent":
            return memory.isDecidedInSwift ? [] : withoutCommit(dispatch, memory, app, history.session)
        case (.delivered, _):
            guard arrival.kind == "flow", let flow = arrival.name, !memory.isDecidedInSwift, !dispatch.hasStepped,
                let window = scene.window?.layout, !app.isShown(flow, in: window)
            else { return [] }
            return ["\(flow) has ended, but it was not shown"]
        case (.rejected, let reason?):
            return rejected(reason, arrival, dispatch, scene, memory, app, history.session)
                + full(reason, record, scene, app, history)
                + withoutFallback(arrival, dispatch, scene, app, history)
        default: return []
        }
    }

    /// Why what somebody did cannot have ended so, as a clause: a gesture from which nothing more follows has been made, and an
    /// intent that only changes the session has changed it or not.
    private func unfinished(
        _ end: HistoryRecord.End,
        _ arrival: HistoryRecord.Arrival,
        _ dispatch: OpenDispatch,
        _ memory: Memory,
        _ app: AppModel,
        _ session: KnownSession
    ) -> String? {
        guard arrival.isAct, !dispatch.isResume, end.outcome != .abandoned else { return nil }
        switch arrival.kind {
        case "gesture":
            guard dispatch.hasMoved, !memory.hasEndedFlow, end.outcome != .applied else { return nil }
            return "the gesture was made, and nothing more follows from it"
        case "intent":
            guard let consequences = memory.consequences, consequences.isOfSessionOnly, !dispatch.hasStepped,
                memory.before.isEmpty, end.outcome != .delivered
            else { return nil }
            let isRefused = end.outcome == .rejected && !memory.hasCommitted
            return isRefused && Reasons.isAny(end.reason ?? "", of: Reasons.ofActions, Reasons.ofActionsInWords)
                ? nil : "the intent changes nothing but the session"
        default: return nil
        }
    }

    /// What an action of a notification hands to the app is carried out, unless it changes nothing.
    private func withoutCommit(
        _ dispatch: OpenDispatch,
        _ memory: Memory,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        let state = session.state
        guard !memory.hasCommitted, session.index < dispatch.began,
            let consequences = memory.consequences?.decided(by: state), consequences.commits
        else { return [] }
        let missing = app.objections(to: state, state, by: consequences, isSteady: true)
        return missing.isEmpty ? [] : ["what the app makes of the intent was not carried out"]
    }

    /// What an action of a notification wants for one user is done for nobody else.
    private func meantForOther(
        _ arrival: HistoryRecord.Arrival,
        _ dispatch: OpenDispatch,
        _ memory: Memory,
        _ session: KnownSession
    ) -> [String] {
        guard let addressee = arrival.addressee, !memory.hasCommitted, session.index < dispatch.began,
            addressee != session.state.user
        else { return [] }
        return ["it is for \(addressee), and \(session.state.user ?? "nobody") is signed in"]
    }

    /// Why an action of a notification cannot have been refused so.
    private func refused(
        _ reason: String,
        _ arrival: HistoryRecord.Arrival,
        _ dispatch: OpenDispatch,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        switch reason {
        case "unhandledIntent":
            guard let name = arrival.name, app.consequences(ofHandingOver: name, arrival.act) != nil else { return [] }
            return ["the app has the intent \(name)"]
        case "otherUser":
            guard let addressee = arrival.addressee else { return ["it is for anybody"] }
            let isSteady = session.index < dispatch.began
            return isSteady && addressee == session.state.user ? ["it is for \(addressee), who is signed in"] : []
        default: return []
        }
    }

    private func ignored(
        _ reason: String,
        _ arrival: HistoryRecord.Arrival,
        _ dispatch: OpenDispatch,
        _ scene: KnownScene,
        _ app: AppModel
    ) -> [String] {
        guard let name = arrival.name, let gesture = Gesture.Name(rawValue: name), !dispatch.hasStepped,
            let window = scene.window?.layout
        else { return [] }
        let right = app.reasonsToIgnore(gesture, arrival.act, in: window)
        if right.contains(reason) { return [] }
        let expected = right.isEmpty ? "it does something" : right.sorted().joined(separator: " or ")
        return ["\(name) is ignored here as \(reason), by the manifest \(expected)"]
    }

    private func rejected(
        _ reason: String,
        _ arrival: HistoryRecord.Arrival,
        _ dispatch: OpenDispatch,
        _ scene: KnownScene,
        _ memory: Memory,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        let isForOther = dispatch.resolution?.reason?.hasPrefix("otherUser:")
        if let isForOther, isForOther != (reason == "otherUser"), reason != "contended",
            !dispatch.resolvedFallback(app.fallback)
        {
            return ["its resolution says \(dispatch.resolution?.reason ?? "")"]
        }
        let words = Reasons.rejected(in: format)
        if !Reasons.isAny(reason, of: words, Reasons.rejectedInWords), !app.declares(need: reason) {
            return ["the app has no precondition or condition \(reason)"]
        }
        // Only a move is refused for what its screen needs, or because it cannot be made.
        let isOfMove =
            Reasons.ofMoves(in: format).contains(reason) && dispatch.handling?.hasFailed != true
            || app.declares(need: reason) && !words.contains(reason)
        if isOfMove, arrival.isAct, !dispatch.isResume, dispatch.resolution == nil, !memory.isDecidedInSwift,
            !memory.hasEndedFlow,
            let consequences = memory.consequences, !(memory.before + [consequences]).contains(where: \.moves)
        {
            return ["\(consequences.flow) makes no move that could be rejected as \(reason)"]
        }
        if let refusal = dispatch.refusal, dispatch.resolution?.verdict == .refused, reason != "contended" {
            let name = refusal.refusedBy ?? ""
            let right = app.declares(need: name) || name == "otherUser" ? name : "destinationGone"
            if reason != right { return ["its resolution says \(refusal.reason ?? ""), which is rejected as \(right)"] }
        }
        switch reason {
        case "noSuchFlow", "unhandledIntent":
            // A flow may leave because of the commit that its own move follows.
            let mayMove = memory.isDecidedInSwift || memory.consequences?.moves ?? false
            if memory.hasCommitted, reason != "noSuchFlow" || !mayMove {
                return ["what ends as \(reason) commits nothing, but it did"]
            }
            guard reason == "noSuchFlow", arrival.kind == "flow", let flow = arrival.name,
                isCertainlyInForce(flow, dispatch, scene, app, session)
            else { return [] }
            return ["there is \(flow), which may be shown"]
        case "flowShown":
            guard let resolution = dispatch.resolution, resolution.verdict == .proceed, let shown = resolution.shown,
                dispatch.reloads == session.reloads, let window = scene.window?.layout,
                // The root that is in force counts, although the sweep that shows it may be still to come.
                let root = app.root({ session.holds[$0] }),
                !app.isFlowShownOtherwise(of: shown.id, in: window, under: root, onlyCovered: format < 6)
            else { return [] }
            return ["the flow of \(shown) is not on screen otherwise"]
        case "locked":
            return isBehindLock(arrival, scene, app) ? [] : ["the lock does not cover \(arrival.name ?? "it")"]
        case "userMissing":
            guard let consequences = memory.consequences, app.namesUser(consequences) else { return [] }
            return ["\(consequences.flow) names a user"]
        case "gateBusy": return app.whileGated == "reject" ? [] : ["the app's policy is \(app.whileGated), not reject"]
        default: return []
        }
    }

    /// Whether a flow that reports its end is shown and may be, and nothing has changed meanwhile.
    private func isCertainlyInForce(
        _ flow: String,
        _ dispatch: OpenDispatch,
        _ scene: KnownScene,
        _ app: AppModel,
        _ session: KnownSession
    ) -> Bool {
        guard session.index < dispatch.began, !isInSwift(flow), let window = scene.window,
            scene.windowEpoch == session.snapshot?.epoch, window.isOfNobodyWhoLeft,
            app.isShown(flow, in: window.layout), flow != app.lockFlow || scene.isLocked,
            !app.isRoot(flow, of: window.layout) || app.root({ session.holds[$0] }) == .some(flow)
        else { return false }
        // A flow that is there for a gate alone is pointless once nothing that waits there needs it.
        let waiting = scene.parked.gates(waitingFor: flow)
        let freed = Set(gatesFreed(in: scene, app, session).map(\.gate))
        let needed = waiting.subtracting(freed).filter(scene.isServed)
        let isNeeded =
            !scene.gateFlows.contains(flow) && (format > 4 || waiting.isEmpty)
            || waiting.isEmpty && flow == app.lockFlow
            || needed.contains { isOpen($0, in: scene, app, session) == false }
        guard isNeeded else { return false }
        return zip(window.layout.destinations, window.shown).allSatisfy { destination, shown in
            shown.coordinator != flow
                || app.allows(destination, since: past) == true
                    && app.answers(destination.id) { name, _ in session.forbids(name, destination, app).map { !$0 } }
                        .allSatisfy { $0.verdict == .proceed }
        }
    }

    /// What is refused for want of room would not have had any.
    private func full(
        _ reason: String,
        _ record: HistoryRecord,
        _ scene: KnownScene,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        guard reason == "stackFull", scene.dispatch?.plan == nil, let plan = expectedPlan(record, app, history),
            let window = scene.window?.layout, hasRoom(for: plan, in: window, app)
        else { return [] }
        return ["there is room in the window for \(plan.map(\.description))"]
    }

    /// Whether there is certainly room.
    private func hasRoom(for ops: [NavOp], in window: WindowState, _ app: AppModel) -> Bool {
        var window = window
        for op in ops {
            guard let next = HistoryOp.known(op).applied(to: window) else { return false }
            window = next
            let text = window.destinations.flatMap(\.parameters).reduce(0) {
                $0 + $1.key.utf8.count + $1.value.utf8.count
            }
            guard window.depth <= app.maximumStackDepth, text < Self.smallText else { return false }
        }
        return true
    }

    /// Windows with fewer bytes of text are never too large.
    private static let smallText = 16_384

    /// The app's fallback is shown when nothing stands in its way.
    private func withoutFallback(
        _ arrival: HistoryRecord.Arrival,
        _ dispatch: OpenDispatch,
        _ scene: KnownScene,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        let session = history.session
        // Since format 2 what is refused from inside leaves the window as it is.
        guard let fallback = app.fallback, !hasCode, !arrival.isSilent, history.format == 1 || !arrival.isAct,
            scene.parked.isEmpty,
            let window = scene.window,
            scene.windowEpoch == session.snapshot?.epoch, window.isOfNobodyWhoLeft
        else { return [] }
        if let resolution = dispatch.resolution {
            guard resolution.verdict == .refused, resolution.snapshot == session.snapshot,
                resolution.destination != fallback
            else { return [] }
        } else {
            // An adapter did not take it.
            guard !arrival.isAct, session.index < dispatch.began else { return [] }
        }
        guard answers(fallback, nil, app, session, in: scene).allSatisfy({ $0.verdict == .proceed }),
            let root = app.root({ session.holds[$0] })
        else { return [] }
        var layout = window.layout
        if let change = app.rootChange(layout, root: root, by: session.state) {
            guard let changed = HistoryOp.known(change).applied(to: layout) else { return [] }
            layout = changed
        }
        guard let plan = app.plan(layout, to: fallback, isExternal: !arrival.isAct),
            hasRoom(for: plan, in: layout, app), history.format == 1 || endedFlows(plan, layout, app).isEmpty
        else { return [] }
        return ["it was refused, and the fallback \(fallback) was not shown"]
    }

    /// The fallback takes no flow away.
    func takenAway(_ record: HistoryRecord, _ ops: [HistoryOp], _ app: AppModel, _ history: KnownHost) -> [String] {
        let session = history.session
        guard history.format > 1, !hasCode, let scene = history.scene(of: record), let window = scene.window,
            scene.windowEpoch == session.snapshot?.epoch, let fallback = app.fallback,
            scene.dispatch?.resolution?.destination == fallback,
            let arrival = history.arrival(of: record), !arrival.isAct, arrival.destination != fallback
        else { return [] }
        // The change of root that the sweep has not made yet is not the fallback's.
        var layout = window.layout
        var plan = ops.compactMap { if case .known(let op) = $0 { op } else { nil } }
        if case .setRoot? = plan.first, let changed = HistoryOp.known(plan.removeFirst()).applied(to: layout) {
            layout = changed
        }
        let ended = endedFlows(plan, layout, app)
        return ended.isEmpty ? [] : ["the fallback \(fallback) takes away \(ended.joined(separator: ", "))"]
    }

    private func endedFlows(_ ops: [NavOp], _ layout: WindowState, _ app: AppModel) -> [String] {
        var after = layout
        for op in ops {
            guard let next = HistoryOp.known(op).applied(to: after) else { return [] }
            after = next
        }
        return app.flowsEnded(from: layout, to: after)
    }

    // MARK: - Limits

    /// There are more scenes than the app allows. A scene that is discarded makes room at once and is recorded as discarded once what
    /// runs in it has ended, so this is judged at the end; at each quiet it would cost too much.
    func crowd(_ history: KnownHost) -> [Violation] {
        let there = history.windows.map(\.value).filter { $0.phase != .discarded }
        guard there.count > mostScenes else { return [] }
        return [
            Violation(
                there.map(\.windowIndex).sorted().suffix(1),
                "the app allows \(mostScenes) scenes, and \(there.count) are there"
            )
        ]
    }

    /// A step makes no stack deeper than the app allows. What was there before may stay.
    func tooDeep(_ window: WindowState, after before: WindowState?) -> [String] {
        guard window.depth > deepest, window.depth > before?.depth ?? 0 else { return [] }
        return ["the app allows \(deepest) screens on each other, and the window has \(window.depth)"]
    }
}

extension WindowState {
    /// How deep its deepest stack is, or the chain of its presentations.
    fileprivate var depth: Int {
        max(tabs.map(\.stack.count).max() ?? 0, modals.map(\.stack.count).max() ?? 0, modals.count)
    }
}

extension OpenDispatch {
    /// Whether what was resolved last, after a refusal, is the app's fallback.
    fileprivate func resolvedFallback(_ fallback: Destination?) -> Bool {
        wasRefused && resolution?.verdict != .refused && resolution?.destination == fallback
    }
}
