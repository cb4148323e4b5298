/// Invariant 13: what one user did in a window commits and shows nothing for the next, and nothing of hers stays on screen.
struct Ownership: InvariantCheck {
    let invariant = Invariant.ownership

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        if case .sceneConnected(_, let restored, let given, let window) = record.body {
            judgeShown(
                record,
                window,
                history.scene(of: record),
                by: history.session,
                isRestored: restored && !given,
                &findings
            )
        }
        guard let scene = history.scene(of: record) else { return }
        switch record.body {
        case .eventAdmitted(let arrival):
            guard arrival.isOwned, record.snapshot == nil else { return }
            findings.doubted("record \(record.index) does not say in which epoch it was admitted")
        case .sessionCommitted:
            // The commit may begin an epoch; the one before it counts.
            judge(record, in: history.session.snapshot?.epoch, scene, "committed", &findings)
        case .windowRequested:
            judge(record, in: record.snapshot?.epoch, scene, "asked for a window", &findings)
        case .dispatchEnded(let end):
            judgeEnd(record, end, scene, &findings)
            // What an action of a notification wants is done in its epoch, or not at all.
            guard end.outcome == .delivered, let dispatch = scene.dispatch,
                let arrival = scene.open[dispatch.ticket]?.arrival, !arrival.isAct
            else { return }
            judge(record, in: record.snapshot?.epoch, scene, "was done", &findings)
        case .navigationStep(let op, let cause, let window):
            if record.ticket != nil {
                judge(record, in: record.snapshot?.epoch, scene, "changed the window", &findings)
            }
            judgeShown(
                record,
                window,
                scene,
                by: history.session,
                op,
                isSweep: cause == .sweep,
                &findings
            )
        default: return
        }
    }

    /// Judges since which epoch each destination is shown, and whether it belongs to a user who has left.
    /// - Parameters:
    ///   - session: The session, with the commit that began the epoch.
    ///   - op: The op that made the window; `nil` if it was brought back.
    ///   - isRestored: Whether it is the window that the scene had before.
    ///   - isSweep: Whether the window is being swept.
    private func judgeShown(
        _ record: HistoryRecord,
        _ window: HistoryWindow,
        _ scene: KnownScene?,
        by session: KnownSession,
        _ op: HistoryOp? = nil,
        isRestored: Bool = false,
        isSweep: Bool = false,
        _ findings: inout Findings
    ) {
        guard let epoch = record.snapshot?.epoch else { return }
        let isNewEpoch = scene?.windowEpoch.map { $0 < epoch } ?? false
        // What was personal before may have been anybody's when the user left.
        let isKnown = scene.map { $0.windowIndex >= session.publicIndex } ?? false
        // Of what comes back the record says what it was judged by.
        let isJudgedHere = isRestored && scene?.releasedIn.map { $0 < epoch } ?? false
        var place = -1
        window.compare(with: isRestored ? scene?.released : scene?.window) { destination, shown, earlier in
            place += 1
            guard let since = shown.since else {
                return findings.doubted("record \(record.index) does not say since when \(destination) is shown")
            }
            let due = earlier?.since ?? epoch
            // Before a window comes back, a screen may have gone with its user and been shown anew; so it does with another root.
            let mayBeNew = isRestored || isNewEpoch && isSweep && op?.isRoot == true
            if since != due, !mayBeNew || since != epoch {
                findings.violated([record.index], "\(destination) is shown since epoch \(due), not \(since)")
            }
            guard let earlier, shown.isPersonal, since < epoch, !isSweep else { return }
            // A sweep takes away one thing after the other. What has become personal since is its next user's, but while nothing
            // changes, what is personal now was so when the user left, unless her flow has gone on since for the next.
            let isTimeless = session.isTimeless(shown.needs)
            let mayHaveGoneOn =
                window.isOfPresentedFlow(place) && !(isNewEpoch && !goesOn(op, in: window.modal(at: place)))
            let wasPersonal =
                (isNewEpoch ? isKnown && isTimeless && earlier.isPersonal : earlier.isLeft == true) || isJudgedHere
                || isTimeless && session.isSteadySinceEpochBegan && !mayHaveGoneOn
            if wasPersonal {
                findings.violated(
                    [scene?.windowIndex, record.index].compactMap(\.self),
                    "\(destination) was shown to a user of epoch \(since), and still is in epoch \(epoch)"
                )
            }
        }
    }

    /// Whether an op may make a flow go on in the presentation at this index: it moves, or starts another.
    private func goesOn(_ op: HistoryOp?, in modal: Int?) -> Bool {
        switch op {
        case .known(.setModalStack(let index, _)): index == modal
        case .known(.present(let started)): started.flow != nil && modal != nil
        default: false
        }
    }

    /// Once the host is quiet, every window has been swept since the user left.
    func debts(in history: KnownHost, at rest: Rest) -> [Violation] {
        let session = history.session
        guard rest == .quiet, let epoch = session.snapshot?.epoch, epoch > 0 else { return [] }
        return history.resting.flatMap { id, scene -> [Violation] in
            guard scene.phase == .connected, let window = scene.window, let windowEpoch = scene.windowEpoch else {
                return []
            }
            let isNewEpoch = windowEpoch < epoch
            return zip(window.layout.destinations, window.shown).enumerated().compactMap { place, screen in
                let (destination, shown) = screen
                // What the session forbids is for another invariant.
                guard shown.isPersonal, let since = shown.since, since < epoch,
                    session.firstForbidding(shown.needs) == nil
                else { return nil }
                let isTimeless = session.isTimeless(shown.needs)
                let isLeft =
                    isNewEpoch
                    ? isTimeless && scene.windowIndex >= session.lastDoubt
                    : shown.isLeft == true
                        || isTimeless && session.isSteadySinceEpochBegan && !window.isOfPresentedFlow(place)
                guard isLeft else { return nil }
                return Violation(
                    [scene.windowIndex, session.index],
                    "scene \(id) still shows \(destination) in epoch \(epoch), which was shown to a user of epoch \(since)"
                )
            }
        }
    }

    /// An act whose user has left before its turn is abandoned.
    private func judgeEnd(
        _ record: HistoryRecord,
        _ end: HistoryRecord.End,
        _ scene: KnownScene,
        _ findings: inout Findings
    ) {
        guard let dispatch = scene.dispatch, dispatch.isMeant(by: record), dispatch.isLeft, end.outcome != .abandoned
        else { return }
        findings.violated(
            [scene.open[dispatch.ticket]?.admitted, dispatch.began, record.index].compactMap(\.self),
            "event \(record.event ?? "") ended \(end.outcome), but the user to whom it belongs had left before its turn"
        )
    }

    /// Judges what the dispatch that is going on did in `epoch`. A resume is a matter of the gate.
    private func judge(
        _ record: HistoryRecord,
        in epoch: Int?,
        _ scene: KnownScene,
        _ deed: String,
        _ findings: inout Findings
    ) {
        guard let epoch, let dispatch = scene.dispatch, !dispatch.isResume,
            let event = scene.open[dispatch.ticket], event.event == record.event,
            let own = event.epoch, own != epoch
        else { return }
        findings.violated(
            [event.admitted, record.index],
            "event \(event.event) belongs to epoch \(own), but it \(deed) in epoch \(epoch)"
        )
    }
}
