/// Invariant 4: revisions are contiguous, epochs monotone, and every snapshot seen carries one revision.
struct Snapshots: InvariantCheck {
    let invariant = Invariant.snapshots

    /// The snapshots with which the newest epochs began.
    private var epochs: [HistoryRecord.Snapshot] = []
    /// The revision with which the history was taken up; older ones are not known.
    private var oldest = 0
    private static let retainedEpochs = 1_024

    mutating func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        if case .manifestLoaded(_, _, let truths?) = record.body {
            judgeStale(record, truths, user: history.session.user, &findings)
        }
        guard let seen = record.snapshot else { return }
        switch record.body {
        case .hostStarted: epochs = [seen]
        case .hostSnapshot(let known):
            judgeStale(record, known.truths, user: known.user, &findings)
            if history.session.snapshot == nil { (epochs, oldest) = ([seen], seen.revision) }
            judgeReader(record, seen, history, &findings)
        case .sessionCommitted(let user, let truths, _, _):
            judgeCommit(record, seen, user: user, history.session, &findings)
            judgeStale(record, truths, user: user, &findings)
        // A reload that changes facts is recorded before its commit, which follows in the same step.
        case .manifestLoaded where seen.revision == (history.session.snapshot?.revision ?? 0) + 1: return
        case .eventAdmitted:
            judgeReader(record, seen, history, &findings)
            // Nothing can be committed meanwhile.
            guard let newest = history.session.snapshot, seen.revision < newest.revision else { return }
            findings.violated(
                [history.session.index, record.index],
                "an event was admitted by revision \(seen.revision) although \(newest.revision) was the newest"
            )
        default: judgeReader(record, seen, history, &findings)
        }
    }

    private mutating func judgeCommit(
        _ record: HistoryRecord,
        _ made: HistoryRecord.Snapshot,
        user: String?,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        if epochs.last?.epoch != made.epoch {
            epochs.append(made)
            if epochs.count > Self.retainedEpochs { epochs.removeFirst(Self.retainedEpochs / 2) }
        }
        guard let before = session.snapshot else { return }
        if made.revision != before.revision + 1 {
            findings.violated(
                [session.index, record.index],
                "revision \(made.revision) follows revision \(before.revision)"
            )
        }
        let leaves = session.user != nil && session.user != user
        if made.epoch != before.epoch + (leaves ? 1 : 0) {
            let change = leaves ? "by which \(session.user ?? "") left" : "by which nobody left"
            findings.violated(
                [session.index, record.index],
                "a commit \(change) leads from epoch \(before.epoch) to epoch \(made.epoch)"
            )
        }
    }

    /// A stale sign-in is somebody's, and closes gates that are closed.
    private func judgeStale(
        _ record: HistoryRecord,
        _ truths: HistoryRecord.Truths,
        user: String?,
        _ findings: inout Findings
    ) {
        guard let stale = truths.stale else { return }
        if user == nil {
            findings.violated([record.index], "the sign-in is stale although nobody is signed in")
        }
        for name in stale where truths.holds[name] != false {
            findings.violated([record.index], "a stale sign-in is said to close \(name), which is not closed")
        }
    }

    private func judgeReader(
        _ record: HistoryRecord,
        _ seen: HistoryRecord.Snapshot,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard let newest = history.session.snapshot else { return }
        if seen.revision > newest.revision {
            return findings.violated(
                [history.session.index, record.index],
                "revision \(seen.revision) was seen when \(newest.revision) was the newest"
            )
        }
        if seen.revision < oldest { return }
        if let oldest = epochs.first, seen.revision < oldest.revision {
            findings.doubted("a snapshot is older than the last \(Self.retainedEpochs) changes of user")
        } else if let epoch = epochs.last(where: { $0.revision <= seen.revision })?.epoch, epoch != seen.epoch {
            findings.violated(
                [record.index],
                "revision \(seen.revision) belongs to epoch \(epoch) and was seen in epoch \(seen.epoch)"
            )
        }
        judgeScene(record, seen, history, &findings)
        guard let dispatch = history.scene(of: record)?.dispatch, dispatch.isMeant(by: record) else { return }
        if !dispatch.isResume, seen.revision < dispatch.revision {
            findings.violated(
                [dispatch.began, record.index],
                "ticket \(dispatch.ticket) used revision \(seen.revision), older than \(dispatch.revision), at which it began"
            )
        }
        if case .dispatchPlanned = record.body, let resolution = dispatch.resolution, resolution.snapshot != seen {
            findings.violated(
                [resolution.index, record.index],
                "ticket \(dispatch.ticket) was resolved by revision \(resolution.snapshot.revision) but planned by \(seen.revision)"
            )
        }
    }

    /// What a scene does outside of an attempt's records is done by no older revision than what it did before. While its window is
    /// released nothing can be committed.
    private func judgeScene(
        _ record: HistoryRecord,
        _ seen: HistoryRecord.Snapshot,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard let scene = history.scene(of: record), let newest = history.session.snapshot else { return }
        let due: Int
        switch record.body {
        case .sceneDisconnected: due = newest.revision
        case .sceneSwept, .gateAbandoned(_, _, "userLeft"), .gateAbandoned(_, _, "flowCancelled"): due = scene.revision
        // It is resumed by the commit of the flow that has reported completion, whatever was committed since.
        case .gateResumed: due = scene.dispatch?.revision ?? 0
        default: return
        }
        guard seen.revision < due else { return }
        findings.violated(
            [scene.windowIndex, record.index],
            "scene \(record.scene ?? "") was judged by revision \(seen.revision), but \(due) was known there"
        )
    }
}
