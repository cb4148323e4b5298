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
            // What an action of a notification wants is done in its epoch, or not at all.
            guard end.outcome == .delivered, let dispatch = scene.dispatch,
                let arrival = scene.open[dispatch.ticket]?.arrival, !arrival.isAct
            else { return }
            judge(record, in: record.snapshot?.epoch, scene, "was done", &findings)
        case .navigationStep(_, let cause, let window):
            if record.ticket != nil {
                judge(record, in: record.snapshot?.epoch, scene, "changed the window", &findings)
            }
            judgeShown(
                record,
                window,
                scene,
                by: history.session,
                isSweep: cause == .sweep,
                &findings
            )
        default: return
        }
    }

    /// Judges since which epoch each destination is shown, and whether it belongs to a user who has left.
    /// - Parameters:
    ///   - session: The session, with the commit that began the epoch.
    ///   - isRestored: Whether it is the window that the scene had before.
    ///   - isSweep: Whether the window is being swept.
    private func judgeShown(
        _ record: HistoryRecord,
        _ window: HistoryWindow,
        _ scene: KnownScene?,
        by session: KnownSession,
        isRestored: Bool = false,
        isSweep: Bool = false,
        _ findings: inout Findings
    ) {
        guard let epoch = record.snapshot?.epoch else { return }
        let isNewEpoch = scene?.windowEpoch.map { $0 < epoch } ?? false
        // What was personal before may have been anybody's when the user left.
        let isKnown = scene.map { $0.windowIndex >= session.publicIndex } ?? false
        window.compare(with: isRestored ? scene?.released : scene?.window) { destination, shown, earlier in
            guard let since = shown.since else {
                return findings.doubted("record \(record.index) does not say since when \(destination) is shown")
            }
            let due = earlier?.since ?? epoch
            // Before a window comes back, a screen may have gone with its user and been shown anew.
            if since != due, !isRestored || since != epoch {
                findings.violated([record.index], "\(destination) is shown since epoch \(due), not \(since)")
            }
            // A sweep takes away one thing after the other. What has become personal since is its next user's.
            let wasPersonal = isNewEpoch ? isKnown && earlier?.isPersonal == true : earlier?.isLeft == true
            if wasPersonal, shown.isPersonal, since < epoch, !isSweep {
                findings.violated(
                    [scene?.windowIndex, record.index].compactMap(\.self),
                    "\(destination) was shown to a user of epoch \(since), and still is in epoch \(epoch)"
                )
            }
        }
    }

    /// Judges what the dispatch that is going on did in `epoch`. A resume is a matter of the gate.
    private func judge(
        _ record: HistoryRecord,
        in epoch: Int?,
        _ scene: KnownScene,
        _ deed: String,
        _ findings: inout Findings
    ) {
        guard let epoch, let dispatch = scene.dispatch, dispatch.attempt == 1,
            let event = scene.open[dispatch.ticket], event.event == record.event,
            let own = event.epoch, own != epoch
        else { return }
        findings.violated(
            [event.admitted, record.index],
            "event \(event.event) belongs to epoch \(own), but it \(deed) in epoch \(epoch)"
        )
    }
}
