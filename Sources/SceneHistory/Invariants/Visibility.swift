internal import SceneVocabulary

/// Invariant 5: every step showed only what was allowed at its revision, and no older epoch shows through.
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
            judgeEffect(record, op, cause, window, scene, &findings)
            judgeDispatch(record, op, cause, scene.dispatch, &findings)
        default: judgeDispatch(record, history.scene(of: record)?.dispatch, &findings)
        }
    }

    private func judgeShown(
        _ record: HistoryRecord,
        _ window: HistoryWindow,
        since earlier: WindowState?,
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
        // The needs are told by the newest manifest, and a dispatch goes by that of its begin.
        if let dispatch = history.scene(of: record)?.dispatch, dispatch.isMeant(by: record),
            dispatch.reloads != session.reloads
        {
            return
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
        _ cause: NavigationCause,
        _ window: HistoryWindow,
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        if case .other = op { return }
        guard let before = scene.window?.layout else { return }
        if before == window.layout, cause == .dispatch || cause == .sweep {
            findings.violated(
                [scene.windowIndex, record.index],
                "\(op.name) changed nothing and was done all the same"
            )
        }
        guard op.applied(to: before) != window.layout else { return }
        findings.violated(
            [scene.windowIndex, record.index],
            "\(op.name) does not make the window of record \(record.index) out of that of record \(scene.windowIndex)"
        )
    }
}
