internal import SceneModel
internal import SceneVocabulary

// Which windows are locked, what covers them, and what unlocks them (<doc:/SceneRuntime/Scenes>).
extension Agreement {
    /// Why nothing is locked now.
    func locked(_ app: AppModel, _ session: KnownSession) -> [String] {
        guard app.lockFlow != nil else { return ["the app has no lock"] }
        return app.locks(session.state) == false ? ["the lock asks for nothing now"] : []
    }

    /// Why the window cannot have been unlocked so.
    func unlocked(
        _ reason: UnlockReason,
        _ record: HistoryRecord,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        switch reason {
        case .lifted: return app.locks(session.state) == true ? ["the lock still asks for its flow"] : []
        case .completed:
            guard let memory = record.scene.flatMap({ scenes[$0] }), !memory.isDecidedInSwift else { return [] }
            let isPossible = memory.followed.contains { $0.flow == app.lockFlow && $0.mayComplete }
            return isPossible ? [] : ["nothing that was done completes \(app.lockFlow ?? "the flow of a lock")"]
        }
    }

    /// Whether the window has to be locked at once after this record, and is not yet.
    func isLockDue(after record: HistoryRecord, _ app: AppModel, _ history: KnownHost) -> Bool {
        switch record.body {
        case .sceneConnected, .sceneActivation(_, to: .background):
            app.locks(history.session.state) == true && history.scene(of: record)?.isLocked != true
        default: false
        }
    }

    /// What should have come before this record.
    func overdue(_ record: HistoryRecord, _ app: AppModel, _ history: KnownHost) -> [String] {
        guard let id = record.scene, app.lockFlow != nil || history.scene(of: record)?.isLocked ?? false else {
            return []
        }
        if case .windowLocked = record.body { return [] }
        if scenes[id]?.lockDue != nil, isInWindow(record.body) {
            return ["scene \(id) is not locked, by the manifest it is"]
        }
        guard history.scene(of: record)?.isLocked ?? false, app.locks(history.session.state) == false else { return [] }
        switch record.body {
        // What is recorded without the session's lock may come between a commit and what follows from it.
        case .navigationStep, .gateParked, .gateSuperseded, .gateResumed, .sceneConnected, .sceneSnapshot:
            return ["scene \(id) is still locked, by the manifest it is not"]
        case .gateAbandoned(_, _, let reason) where reason == "userLeft" || reason == "flowCancelled":
            return ["scene \(id) is still locked, by the manifest it is not"]
        default: return []
        }
    }

    /// What is wrong with a record because a locked window that somebody can see is not covered: what covers it again comes with the
    /// step that has uncovered it, and nothing is decided for such a window.
    func uncovered(_ record: HistoryRecord, _ app: AppModel, _ history: KnownHost) -> [String] {
        guard let flow = app.lockFlow else { return [] }
        // The step and what follows from it keep commits out.
        switch record.body {
        case .sessionCommitted, .manifestLoaded, .hostQuiet:
            return scenes.filter { $0.value.uncovered != nil }.keys.sorted().map { objection(to: $0, without: flow) }
        default: break
        }
        guard let id = record.scene, let scene = history.scene(of: record) else { return [] }
        let isWrong =
            switch record.body {
            case .navigationStep(_, .lock, _), .navigationStep(_, .sweep, _): false
            case .variantChosen, .dispatchResolved, .dispatchPlanned, .intentBubbled, .gateParked:
                scene.dispatch?.reloads == history.session.reloads && isUncovered(scene, scene.window?.layout, app)
            case .coordinatorDetached, .gateSuperseded, .sceneSwept, .violation: false
            // The next op of the plan may be what covers it.
            case .navigationStep(_, _, let window):
                scenes[id]?.uncovered != nil && isUncovered(scene, window.layout, app)
            case .dispatchEnded: scenes[id]?.uncovered != nil && scene.dispatch?.isMeant(by: record) == true
            default: scenes[id]?.uncovered != nil && isInWindow(record.body)
            }
        return isWrong ? [objection(to: id, without: flow)] : []
    }

    private func objection(to scene: String, without flow: String) -> String {
        "scene \(scene) is locked, and \(flow) does not cover what it shows"
    }

    /// What is wrong with the window with which a scene goes on: it had to be locked, or is, and somebody can see what it shows.
    func exposed(_ snapshot: HistorySceneSnapshot, _ id: String, _ before: KnownScene?, _ app: AppModel) -> [String] {
        if scenes[id]?.lockDue != nil, !snapshot.isLocked, snapshot.activation == before?.activation {
            return ["scene \(id) is not locked, by the manifest it is"]
        }
        let isSeen = snapshot.activation == .foregroundActive || snapshot.activation == .foregroundInactive
        guard let flow = app.lockFlow, snapshot.isLocked, isSeen, !app.shows(flow, in: snapshot.window.layout) else {
            return []
        }
        return [objection(to: id, without: flow)]
    }

    /// Whether somebody sees what the lock has to cover.
    private func isUncovered(_ scene: KnownScene, _ window: WindowState?, _ app: AppModel) -> Bool {
        guard scene.isLocked, scene.activation == .foregroundActive || scene.activation == .foregroundInactive,
            let flow = app.lockFlow, let window
        else { return false }
        return !app.shows(flow, in: window)
    }

    /// The index of the step that has taken the lock's flow off a locked window, if it is not there again after this record.
    func uncovering(_ record: HistoryRecord, _ app: AppModel, _ history: KnownHost) -> Int? {
        let before = record.scene.flatMap { scenes[$0]?.uncovered }
        switch record.body {
        case .navigationStep(_, _, let window):
            guard let flow = app.lockFlow, let scene = history.scene(of: record),
                isUncovered(scene, window.layout, app)
            else { return nil }
            return scene.window.map { app.shows(flow, in: $0.layout) } == true ? record.index : before
        case .windowUnlocked, .sceneActivation, .sceneDisconnected: return nil
        default: return before
        }
    }

    /// Whether it happens in the window, and not only in the mailbox.
    func isInWindow(_ body: HistoryRecord.Body) -> Bool {
        switch body {
        case .eventAdmitted, .sceneDiscarded, .dispatchEnded, .gateAbandoned, .sessionCommitted, .coordinatorAttached:
            false
        default: true
        }
    }

    /// The op with which the lock's flow covers what a window shows.
    func covering(
        _ op: NavOp,
        _ window: WindowState,
        _ scene: KnownScene,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        guard let flow = app.lockFlow else { return ["the app has no lock"] }
        if mayBeginOtherwise(flow, app, session) { return [] }
        let expected = app.plan(
            window,
            toShow: flow,
            replacing: [],
            keeping: Set(scene.startedFlows.keys),
            by: session.state,
            for: nil
        )
        return expected.first == op
            ? [] : ["the lock covers the window by \(op), by the manifest by \(expected.map(\.description))"]
    }

    /// What waits at the lock is abandoned only if somebody in the window takes the lock's flow away.
    func lostAtLock(_ record: HistoryRecord, _ scene: KnownScene, _ app: AppModel) -> [String] {
        guard format > 3, scene.isLocked, let flow = app.lockFlow,
            record.ticket.flatMap({ scene.open[$0]?.parking })?.flow == flow,
            scene.dispatch.flatMap({ scene.open[$0.ticket]?.arrival })?.isAct != true
        else { return [] }
        return ["it waits for \(flow) in a locked window, and nobody has cancelled that"]
    }

    /// Whether somebody has ended a flow that the lock covers.
    func isBehindLock(_ arrival: HistoryRecord.Arrival, _ scene: KnownScene, _ app: AppModel) -> Bool {
        guard scene.isLocked, arrival.kind == "flow", let flow = arrival.name, let window = scene.window?.layout,
            app.owners(in: window).contains(where: { $0.flow == flow })
        else { return false }
        return app.bubble(from: nil, in: window)?.responders.contains(flow) == false
    }

    /// Once the host is quiet, a locked window that somebody can see is covered, and no window is locked for nothing.
    func lockDebts(of id: String, _ scene: KnownScene, _ app: AppModel, _ session: KnownSession) -> [Violation] {
        if let due = scenes[id]?.lockDue {
            return [Violation([due], "scene \(id) is not locked, by the manifest it is")]
        }
        guard scene.isLocked else { return [] }
        if app.locks(session.state) == false {
            return [Violation([session.index], "scene \(id) is still locked, by the manifest it is not")]
        }
        guard isUncovered(scene, scene.window?.layout, app), let flow = app.lockFlow else { return [] }
        return [Violation([scene.windowIndex], objection(to: id, without: flow))]
    }
}
