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

    /// Whether somebody has ended a flow that the lock covers.
    func isBehindLock(_ arrival: HistoryRecord.Arrival, _ scene: KnownScene, _ app: AppModel) -> Bool {
        guard scene.isLocked, arrival.kind == "flow", let flow = arrival.name, let window = scene.window?.layout,
            app.shows(flow, in: window)
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
        guard scene.activation == .foregroundActive || scene.activation == .foregroundInactive, let flow = app.lockFlow,
            let window = scene.window?.layout, !app.shows(flow, in: window)
        else { return [] }
        return [Violation([scene.windowIndex], "scene \(id) is locked, and \(flow) does not cover what it shows")]
    }
}
