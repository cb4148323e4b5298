/// Invariant 5: every step showed only what was allowed at its revision (S2), and no older epoch shows through (S6).
///
/// What a step newly puts into the window is judged, not what stood there before a commit: that is the sweep's. A
/// condition that looks at parameters or the time stands in no commit's `holds` and is not judged.
struct Visibility: InvariantCheck {
    let invariant = Invariant.visibility

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        switch record.body {
        case .sceneConnected(_, let window): judgeShown(record, window, since: nil, history, &findings)
        case .navigationStep(let op, let cause, let window):
            judgeShown(record, window, since: history.scene(of: record)?.window?.layout, history, &findings)
            guard let scene = history.scene(of: record) else { return }
            judgeEffect(record, op, window, scene, &findings)
            if cause == .dispatch { judgeResolution(record, op, scene, &findings) }
        case .dispatchPlanned:
            guard let dispatch = history.scene(of: record)?.dispatch, dispatch.isMeant(by: record),
                dispatch.resolution == nil
            else { return }
            findings.violated([record.index], "ticket \(dispatch.ticket) was planned before it was resolved")
        case .dispatchEnded(let outcome, _):
            guard let dispatch = history.scene(of: record)?.dispatch, dispatch.isMeant(by: record) else { return }
            judgeOutcome(record, outcome, dispatch, &findings)
        default: return
        }
    }

    private func judgeShown(
        _ record: HistoryRecord,
        _ window: HistoryWindow,
        since earlier: HistoryWindow.Layout?,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        let session = history.session
        if let newest = session.snapshot, let seen = record.snapshot, seen != newest {
            findings.violated(
                [session.index, record.index],
                "a window changed by revision \(seen.revision) when \(newest.revision) was the newest"
            )
        }
        for (destination, shown) in window.added(since: earlier) {
            guard let failing = session.firstFailing(of: shown.needs) else { continue }
            findings.violated(
                [session.index, record.index],
                "\(destination) was shown in scene \(record.scene ?? "") where \(failing) does not hold"
            )
        }
    }

    /// A step shows what its op makes of the window, and nothing else.
    private func judgeEffect(
        _ record: HistoryRecord,
        _ op: HistoryOp,
        _ window: HistoryWindow,
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        if case .other = op { return }
        guard let before = scene.window?.layout, op.applied(to: before) != window.layout else { return }
        findings.violated(
            [scene.windowIndex, record.index],
            "\(op.name) does not make the window of record \(record.index) out of that of record \(scene.windowIndex)"
        )
    }

    private func judgeResolution(
        _ record: HistoryRecord,
        _ op: HistoryOp,
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        guard let dispatch = scene.dispatch, dispatch.isMeant(by: record) else { return }
        guard let resolution = dispatch.resolution, resolution.verdict == .proceed else {
            return findings.violated(
                [dispatch.resolution?.index, record.index].compactMap(\.self),
                "ticket \(dispatch.ticket) changed the window though nothing let it proceed"
            )
        }
        if let seen = record.snapshot, seen.epoch != resolution.snapshot.epoch {
            findings.violated(
                [resolution.index, record.index],
                "what was resolved in epoch \(resolution.snapshot.epoch) became visible in epoch \(seen.epoch)"
            )
        }
        if dispatch.plan?.ops.first != op {
            findings.violated(
                [dispatch.plan?.index, record.index].compactMap(\.self),
                "\(op.name) was not what ticket \(dispatch.ticket) had planned next"
            )
        }
    }

    /// What an outcome says about the window is what the steps did.
    private func judgeOutcome(
        _ record: HistoryRecord,
        _ outcome: HistoryOutcome,
        _ dispatch: OpenDispatch,
        _ findings: inout Findings
    ) {
        guard let plan = dispatch.plan, dispatch.resolution?.verdict == .proceed else { return }
        if outcome == .applied, let missing = plan.ops.first {
            findings.violated(
                [plan.index, record.index],
                "ticket \(dispatch.ticket) is said to be applied, but \(missing.name) of its plan was not done"
            )
        }
        if outcome == .unchanged, dispatch.hasStepped || !plan.ops.isEmpty {
            findings.violated(
                [plan.index, record.index],
                "ticket \(dispatch.ticket) is said to have changed nothing, but its plan was not empty"
            )
        }
    }
}
