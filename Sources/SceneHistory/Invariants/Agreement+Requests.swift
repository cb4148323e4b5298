internal import SceneModel
internal import SceneVocabulary

// What is asked for, what the answer may be, what is planned for it, and who takes an intent.
extension Agreement {
    func admission(_ arrival: HistoryRecord.Arrival, _ app: AppModel) -> [String] {
        if !arrival.isAct, let intent = arrival.name, !app.handsOver(intent) {
            return ["no action of a notification hands \(intent) to the app"]
        }
        guard let destination = arrival.destination else { return [] }
        if let objection = app.objection(to: destination) { return [objection] }
        guard let route = arrival.route, !app.leads(route, to: destination.id) else { return [] }
        return ["the app has no route \(route) to \(destination.id)"]
    }

    /// The answers to a request, by the session as it is.
    func answers(
        _ destination: Destination,
        _ wall: Double?,
        _ app: AppModel,
        _ session: KnownSession,
        in scene: KnownScene?
    ) -> [AppModel.Answer] {
        var known = app.known(session.state)
        known.isLocked = scene?.isLocked ?? false
        known.wall = wall
        return app.answers(destination.id) { name, owner in
            if let holds = session.holds[name] { return holds }
            return app.holds(name, app.known(known, of: owner, onTheWayTo: destination))
        }
    }

    func resolution(
        _ record: HistoryRecord,
        _ destination: Destination?,
        as variant: Destination?,
        _ verdict: RouteVerdict,
        _ reason: String?,
        _ wall: Double?,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        guard let destination else { return ["it does not say where the event wants to go"] }
        guard let dispatch = history.scene(of: record)?.dispatch, dispatch.reloads == history.session.reloads
        else { return [] }
        var objections: [String] = []
        if let arrival = history.arrival(of: record), !arrival.isAct,
            !(arrival.destination.map(destination.isOrConceals) ?? false), app.fallback != destination
        {
            objections.append("the app has no fallback \(destination)")
        }
        if let arrival = history.arrival(of: record), arrival.isAct, arrival.destination == nil, !dispatch.isResume,
            let memory = record.scene.flatMap({ scenes[$0] }), let consequences = memory.consequences,
            !(memory.before + [consequences]).contains(where: { app.lead($0, to: destination) }),
            history.format > 1 || app.fallback != destination
        {
            objections.append("nothing that \(consequences.flow) does leads to \(destination)")
        }
        guard record.snapshot == history.session.snapshot else { return objections }
        if wall == nil, app.looksAtTime, history.session.facts != nil {
            objections.append("it does not say by which time it was decided")
        } else if wall != nil, !app.looksAtTime {
            objections.append("it says by which time it was decided, at which nothing looks")
        }
        if let variant, let right = app.variant(variant.id, of: destination), right != variant {
            objections.append("\(destination) leads to \(variant), by the manifest \(right)")
        }
        let arrival = history.arrival(of: record)
        let isForOther =
            arrival?.destination == destination && arrival?.isFor(another: history.session.state.user) == true
        // After a refusal it may be the fallback, which is for anybody.
        let mayBeFallback = dispatch.wasRefused && destination == app.fallback
        let answers =
            (isForOther ? [AppModel.Answer.otherUser] : [])
            + (isForOther && !mayBeFallback
                ? [] : answers(destination, as: variant, wall, app, history.session, in: history.scene(of: record)))
        // What waited before a reload, or a coordinator, may give parameters that the destination does not take.
        let isAllowed = app.objection(to: destination) == nil ? app.allows(destination, since: past) : false
        if isAllowed != true, verdict == .refused { return objections }
        let isPossible =
            isAllowed != false
            && answers.contains { answer in
                guard answer.verdict == verdict else { return false }
                // A refusal is a sentence that begins with the condition.
                return verdict == .refused
                    ? reason?.hasPrefix("\(answer.reason ?? ""): ") ?? false : answer.reason == reason
            }
        if isPossible { return objections }
        let right = answers.map { "\($0.verdict.rawValue)\($0.reason.map { " by \($0)" } ?? "")" }
        return objections + [
            "\(destination)\(variant.map { " as \($0)" } ?? "") is \(verdict.rawValue)\(reason.map { " by \($0)" } ?? ""), by the manifest "
                + (right.isEmpty ? "unknown" : right.joined(separator: " or "))
        ]
    }

    /// Whether a destination is presented over whatever is shown, by the manifest with which the dispatch began.
    func place(
        of destination: Destination?,
        isOverCurrent: Bool,
        _ record: HistoryRecord,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        guard let destination, let dispatch = history.scene(of: record)?.dispatch,
            dispatch.reloads == history.session.reloads, app.isOverCurrent(destination.id) != isOverCurrent
        else { return [] }
        return ["\(destination) is \(isOverCurrent ? "not " : "")presented over whatever is shown"]
    }

    func plan(_ record: HistoryRecord, _ ops: [HistoryOp], _ app: AppModel, _ history: KnownHost) -> [String] {
        if format > 4, let again = presentedAgain(record, ops, app, history) {
            return ["\(again) is presented, and its flow is on screen already"]
        }
        guard let expected = expectedPlan(record, app, history), ops != expected.map(HistoryOp.known),
            let resolution = history.scene(of: record)?.dispatch?.resolution, let destination = resolution.shown
        else { return takenAway(record, ops, app, history) }
        let flow = resolution.verdict == .gated ? resolution.reason.flatMap(app.flow(ofPrecondition:)) : nil
        let root = app.root({ history.session.holds[$0] }) ?? nil
        if mayBeginOtherwise(flow, app, history.session, for: destination) { return [] }
        if mayBeginOtherwise(root, app, history.session) { return [] }
        let planned = ops.map { if case .known(let op) = $0 { op.description } else { $0.name } }
        return ["the plan for \(destination) is \(planned), by the manifest \(expected.map(\.description))"]
    }

    /// What this plan presents although its flow is on screen already; `nil` if nothing.
    private func presentedAgain(
        _ record: HistoryRecord,
        _ ops: [HistoryOp],
        _ app: AppModel,
        _ history: KnownHost
    ) -> Destination? {
        // Another root takes away whatever is presented.
        if ops.first?.isRoot == true { return nil }
        guard let scene = history.scene(of: record), let dispatch = scene.dispatch, let window = scene.window?.layout,
            dispatch.reloads == history.session.reloads, let resolution = dispatch.resolution,
            resolution.verdict == .proceed, let shown = resolution.shown,
            app.isFlowShownOtherwise(of: shown.id, in: window, onlyCovered: format < 6)
        else { return nil }
        return shown
    }

    /// The plan for what was resolved last; `nil` if it is not known, or there is none.
    func expectedPlan(_ record: HistoryRecord, _ app: AppModel, _ history: KnownHost) -> [NavOp]? {
        let session = history.session
        guard let scene = history.scene(of: record), let dispatch = scene.dispatch, let window = scene.window,
            let resolution = dispatch.resolution, resolution.snapshot == session.snapshot,
            dispatch.reloads == session.reloads, let arrival = history.arrival(of: record),
            let root = app.root({ session.holds[$0] }), let destination = resolution.shown
        else { return nil }
        var expected: [NavOp] = []
        var layout = window.layout
        if let change = app.rootChange(layout, root: root, by: session.state),
            let changed = HistoryOp.known(change).applied(to: layout)
        {
            expected.append(change)
            layout = changed
        }
        switch resolution.verdict {
        case .proceed:
            guard let plan = app.plan(layout, to: destination, isExternal: !arrival.isAct) else { return nil }
            return expected + plan
        case .gated:
            // Which of several gates of one precondition stops it is not said.
            guard let precondition = resolution.reason, let flow = app.flow(ofPrecondition: precondition),
                let gates = app.gateParameters(precondition, onTheWayTo: destination), gates.count < 2
            else { return nil }
            let gate = Parking.Gate(precondition: precondition, parameters: gates.first ?? [:], flow: flow)
            let waiting = Destination(
                id: destination.id,
                parameters: destination.parameters.merging(gate.parameters) { $1 }
            )
            let replaces =
                !arrival.isAct && !dispatch.isResume && !app.isOverCurrent(destination.id)
                && precondition != app.lockFlow
            let isOther = scene.gateFlows.contains(flow) && !scene.isServed(gate)
            return expected
                + app.plan(
                    layout,
                    toShow: flow,
                    replacing: replaces ? scene.gateFlows.filter { $0 != flow || isOther } : [],
                    keeping: Set(scene.startedFlows.keys),
                    by: session.state,
                    for: waiting
                )
        case .refused: return nil
        }
    }

    func bubbled(
        _ bubbling: HistoryRecord.Bubbling,
        _ arrival: HistoryRecord.Arrival?,
        _ window: WindowState?,
        _ app: AppModel
    ) -> [String] {
        guard let window, !bubbling.chain.isEmpty else { return [] }
        guard let bubble = app.bubble(from: arrival?.reporter, in: window) else {
            return ["\(bubbling.chain) were asked, but the window does not show \(arrival?.reporter ?? "anything")"]
        }
        let (screen, responders) = (bubble.screen, bubble.responders)
        // The screen and its container are asked before any coordinator.
        let all = bubble.displayed + responders
        var objections: [String] = []
        if !all.starts(with: bubbling.chain) {
            objections.append("\(bubbling.chain) were asked, by the manifest \(all)")
        } else if bubbling.chain.last != bubbling.handler ?? (bubbling.error == nil ? all.last : bubbling.chain.last) {
            objections.append("\(bubbling.chain) were asked, but \(bubbling.handler ?? "nobody") took \(bubbling.name)")
        }
        if bubbling.error != nil { return objections }
        let able = responders.filter { flow in
            !isInSwift(flow)
                && app.consequences(ofIntent: bubbling.name, nil, takenBy: flow, from: screen.id, by: nil) != nil
        }
        if let handler = bubbling.handler {
            if responders.contains(handler), !able.contains(handler), !isInSwift(handler) {
                objections.append("\(handler) does not take \(bubbling.name) from \(screen)")
            }
        } else if app.hasOneShape(intent: bubbling.name), let first = able.first {
            objections.append("nobody took \(bubbling.name), by the manifest \(first) does")
        }
        return objections
    }

    /// What a flow of the manifest answers to an intent.
    func answered(
        _ record: HistoryRecord,
        _ dispatch: OpenDispatch,
        _ scene: KnownScene,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        guard case .intentBubbled(let bubbling) = record.body, bubbling.error == nil else { return [] }
        let event = scene.open[dispatch.ticket]
        let arrival = event?.arrival
        if event?.asked(before: dispatch.attempt) != nil { return [] }
        guard let window = scene.window?.layout, let handler = bubbling.handler, !isInSwift(handler),
            let screen = app.bubble(from: arrival?.reporter, in: window)?.screen,
            let consequences = app.consequences(
                ofIntent: bubbling.name,
                arrival?.act,
                takenBy: handler,
                from: screen.id,
                by: record.snapshot == session.snapshot ? session.state : nil
            )
        else { return bubbling.answer != nil && bubbling.handler == nil ? ["nobody took it, and it is answered"] : [] }
        return app.objection(toAnswer: bubbling.answer, of: consequences).map { [$0] } ?? []
    }
}
