internal import SceneVocabulary

/// Invariant 5: every step shows only what is allowed at its revision and in its epoch.
///
/// Only what a step adds to the window is judged; what was shown before a commit is for the sweep. Conditions that depend on
/// parameters or the time are not in a commit's `holds` and are not judged.
struct Visibility: InvariantCheck {
    let invariant = Invariant.visibility

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        switch record.body {
        case .sceneConnected(_, let restored, let given, let window):
            judgeShown(record, window, since: nil, history, &findings)
            if restored, !given { judgeReturn(record, window, history, &findings) }
        case .navigationStep(let op, let cause, let window):
            if case .other(let name) = op { doubt(name, record, &findings) }
            judgeShown(record, window, since: history.scene(of: record)?.window, history, &findings)
            guard let scene = history.scene(of: record) else { return }
            judgeEffect(record, op, cause, window, scene, &findings)
            judgeLock(record, cause, scene, &findings)
            judgeDispatch(record, op, cause, scene.dispatch, &findings)
        default:
            if case .dispatchPlanned(let ops) = record.body {
                for case .other(let name) in ops { doubt(name, record, &findings) }
            }
            if case .dispatchResolved(let destination?, .proceed, _, _, _, _) = record.body,
                history.scene(of: record)?.isLocked ?? false
            {
                findings.violated(
                    [record.index],
                    "\(destination) was let proceed in scene \(record.scene ?? ""), which is locked"
                )
            }
            judgeDispatch(record, history.scene(of: record)?.dispatch, by: history.session, &findings)
        }
    }

    /// While a window is locked nothing is shown that was asked for, and only then does the lock cover what is.
    private func judgeLock(
        _ record: HistoryRecord,
        _ cause: NavigationCause,
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        let id = record.scene ?? ""
        if cause == .dispatch, scene.isLocked {
            findings.violated([record.index], "scene \(id) showed what was asked for although it is locked")
        }
        guard cause == .lock else { return }
        if !scene.isLocked { findings.violated([record.index], "scene \(id) was covered, but it is not locked") }
        // Where nobody sees it, it is covered only for what waits there.
        let waits = scene.parked.flows.contains { scene.window?.shows(flow: $0) == false }
        if !waits, scene.activation == .background || scene.activation == .unattached {
            findings.violated([record.index], "scene \(id) was covered while it was \(scene.activation)")
        }
    }

    /// Nobody knows what an op does that a newer version has.
    private func doubt(_ op: String, _ record: HistoryRecord, _ findings: inout Findings) {
        findings.doubted("record \(record.index) has the op \(op), which is not known")
    }

    private func judgeShown(
        _ record: HistoryRecord,
        _ window: HistoryWindow,
        since earlier: HistoryWindow?,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        let session = history.session
        if let newest = session.snapshot, let seen = record.snapshot, seen != newest {
            findings.violated(
                [session.index, record.index],
                "a window changed by revision \(seen.revision) although \(newest.revision) was the newest"
            )
        }
        // The record has the needs by the newest manifest, but a dispatch uses the manifest with which it began.
        if let dispatch = history.scene(of: record)?.dispatch, dispatch.isMeant(by: record),
            dispatch.reloads != session.reloads
        {
            return
        }
        if let earlier { judgeTarget(record, window, earlier, history, &findings) }
        for (destination, shown) in window.added(since: earlier) {
            // A window that comes back keeps what it showed when a sign-in became stale.
            let failing =
                earlier == nil ? session.firstForbidding(shown.needs) : session.firstFailing(of: shown.needs)
            guard let failing else { continue }
            findings.violated(
                [session.index, record.index],
                "\(destination) was shown in scene \(record.scene ?? "") although \(failing) does not hold"
            )
        }
    }

    /// Judges whether a window that comes back is as it was, but for what was cut off. Another root, or other tabs, begin afresh.
    private func judgeReturn(
        _ record: HistoryRecord,
        _ window: HistoryWindow,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard let scene = history.scene(of: record), let released = scene.released,
            scene.windowReloads == history.session.reloads,
            window.layout.tabs.map(\.id) == released.layout.tabs.map(\.id),
            let first = window.layout.tabs.first?.id, first != WindowState.rootTab
        else { return }
        let (now, before) = (window.layout, released.layout)
        var differs: [String] = []
        for (one, other) in zip(now.tabs, before.tabs) where !other.stack.starts(with: one.stack) {
            differs.append("\(one.stack) on the tab \(one.id) instead of \(other.stack)")
        }
        for (index, modal) in now.modals.enumerated() {
            guard before.modals.indices.contains(index), before.modals[index].flow == modal.flow,
                before.modals[index].style == modal.style, before.modals[index].stack.starts(with: modal.stack)
            else {
                differs.append("\(modal.stack) presented, which was not")
                continue
            }
        }
        // When a user has left, a root flow may have taken the place of the tabs and given it back.
        let isSameEpoch = scene.windowEpoch == record.snapshot?.epoch
        if now.selectedTab != before.selectedTab, isSameEpoch || now.selectedTab != first {
            differs.append("the tab \(now.selectedTab) in front instead of \(before.selectedTab)")
        }
        for difference in differs {
            findings.violated(
                [scene.windowIndex, record.index],
                "scene \(record.scene ?? "") came back with \(difference)"
            )
        }
    }

    /// Judges whether what a dispatch leads to may still be shown, also by a step that only brings it to the front.
    private func judgeTarget(
        _ record: HistoryRecord,
        _ window: HistoryWindow,
        _ earlier: HistoryWindow,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard case .navigationStep(_, .dispatch, _) = record.body,
            let dispatch = history.scene(of: record)?.dispatch, dispatch.isMeant(by: record),
            let target = dispatch.resolution?.shown
        else { return }
        window.compare(with: earlier) { destination, shown, before in
            guard destination == target, before != nil, let failing = history.session.firstFailing(of: shown.needs)
            else { return }
            findings.violated(
                [history.session.index, record.index],
                "ticket \(dispatch.ticket) went on to \(destination) although \(failing) does not hold any more"
            )
        }
    }

    /// Judges whether a step's window is exactly what its op makes of the previous one.
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
        // When a user has left, the root in force begins afresh, also if it looks the same.
        let beginsAfresh = op.isRoot && cause == .sweep && scene.windowEpoch != record.snapshot?.epoch
        if before == window.layout, cause != .flow, !beginsAfresh {
            findings.violated(
                [scene.windowIndex, record.index],
                "\(op.name) was done but changed nothing"
            )
        }
        guard op.applied(to: before) != window.layout else { return }
        findings.violated(
            [scene.windowIndex, record.index],
            "\(op.name) does not turn the window of record \(scene.windowIndex) into that of record \(record.index)"
        )
    }
}
