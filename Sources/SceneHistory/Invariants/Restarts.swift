internal import StrictJSON

/// Whether a host that goes on after its end has lost nothing and does nothing twice. A part of ``Continuity``.
///
/// Whatever was kept is kept with its record, so the records before the end say with what the host must go on: the session as it is, each
/// scene as it was between two items of its mailbox, each event that had not ended.
struct Restarts {
    func judge(_ record: HistoryRecord, _ history: KnownHost, _ findings: inout Findings) {
        switch record.body {
        case .hostRestarted(let restart):
            // The history is taken up with it.
            if history.session.snapshot == nil { return }
            judge(restart.host, record, history, &findings)
            judge(restart.again, record, history, &findings)
            return
        case .hostQuiet:
            for id in history.awaited.sorted() {
                violated(record, history, "there was no snapshot of \(name(id)) after the host went on", &findings)
            }
            return
        default: break
        }
        guard let id = record.scene else { return }
        if history.isOwed(id) {
            switch record.body {
            case .sceneSnapshot(let snapshot): judge(snapshot, record, history, &findings)
            case .appSnapshot(let snapshot): judge(snapshot, record, history, &findings)
            default:
                violated(record, history, "\(name(id)) goes on before a snapshot says with what", &findings)
            }
            return
        }
        guard history.restarted != nil, let scene = history.scene(of: record) else { return }
        switch record.body {
        case .dispatchBegan: judgeBegin(record, scene, &findings)
        case .sessionCommitted: judgeCommit(record, scene, history.session, &findings)
        default: return
        }
    }

    private func name(_ id: String) -> String { id == HistoryRecord.app ? "the app itself" : "scene \(id)" }

    private func violated(
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ explanation: String,
        _ findings: inout Findings
    ) {
        findings.violated([history.restarted, record.index].compactMap(\.self), explanation)
    }

    // MARK: - The session

    /// The session is as the last commit, or reload, has left it. Another daemon may see the app in another version.
    private func judge(
        _ said: HistorySnapshot,
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        let session = history.session
        func compare<Value: Equatable>(_ what: String, _ said: Value, _ known: Value) {
            guard said != known else { return }
            findings.violated([session.index, record.index], "the host went on with another session: \(what)")
        }
        if let known = session.snapshot, let seen = record.snapshot {
            compare("revision \(seen.revision) after \(known.revision)", seen.revision, known.revision)
            compare("epoch \(seen.epoch) after \(known.epoch)", seen.epoch, known.epoch)
        }
        compare("who is signed in", said.user, session.user)
        compare("whether the sign-in is stale", said.truths.stale == nil, session.stale == nil)
        let (facts, known) = (said.facts ?? [:], session.facts ?? [:])
        for name in Set(facts.keys).union(known.keys).sorted() { compare("what \(name) is", facts[name], known[name]) }
        if said.appVersion == session.appVersion {
            compare("what holds", said.truths.holds, session.holds)
            compare("what a stale sign-in closes", said.truths.stale, session.stale)
        }
        if said.format < history.format {
            violated(record, history, "the host went on with records of the older format \(said.format)", &findings)
        }
        judgeScenes(said.scenes, record, history, &findings)
    }

    private func judgeScenes(
        _ scenes: [String],
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        let named = Set(scenes)
        if named.count < scenes.count { findings.violated([record.index], "the host went on with a scene twice") }
        for (id, scene) in history.windows.sorted(by: { $0.key < $1.key })
        where named.contains(id) == (scene.phase == .discarded) {
            findings.violated(
                [scene.windowIndex, scene.discardedIndex, record.index].filter { $0 > 0 },
                scene.phase == .discarded
                    ? "the host went on with scene \(id), which was discarded"
                    : "the host went on without scene \(id)"
            )
        }
        for id in scenes where history.scenes[id] == nil && !history.isAwaited(id) && !history.isRequested(id) {
            findings.violated([record.index], "the host went on with scene \(id), which had not been there")
        }
    }

    // MARK: - What begins again

    /// What had begun and not ended begins again. What waits at its gate by now may be named once more.
    private func judge(
        _ again: [HistoryRestart.Again],
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        var named: [String: Set<Int>] = [:]
        for event in again {
            if !named[event.scene, default: []].insert(event.ticket).inserted {
                findings.violated([record.index], "ticket \(event.ticket) of \(name(event.scene)) begins again twice")
            }
            if history.isAwaited(event.scene) { continue }
            guard let open = history.scenes[event.scene]?.open[event.ticket] else {
                findings.violated(
                    [record.index],
                    "ticket \(event.ticket) of \(name(event.scene)) begins again, but it was not open"
                )
                continue
            }
            if !open.isUnfinished || open.attempts != event.attempt {
                findings.violated(
                    [open.admitted, record.index],
                    "event \(open.event) begins again after attempt \(event.attempt), but "
                        + (open.isUnfinished ? "attempt \(open.attempts) was going on" : "no attempt was going on")
                )
            }
        }
        for (id, scene) in history.scenes.sorted(by: { $0.key < $1.key }) where scene.phase != .discarded {
            for (ticket, event) in scene.open.sorted(by: { $0.key < $1.key })
            where event.isDueAgain && named[id]?.contains(ticket) != true {
                findings.violated(
                    [event.admitted, record.index],
                    "attempt \(event.attempts) of event \(event.event) was going on, and it does not begin again"
                )
            }
        }
    }

    /// An event whose attempt was going on begins the next one, as a dispatch unless it was parked before.
    private func judgeBegin(_ record: HistoryRecord, _ scene: KnownScene, _ findings: inout Findings) {
        guard let ticket = record.ticket, let event = scene.open[ticket], event.isCutOff,
            record.attempt != event.attempts + 1
        else { return }
        findings.violated(
            [event.admitted, record.index],
            "event \(event.event) began attempt \(record.attempt ?? 0) after attempt \(event.attempts)"
        )
    }

    /// What an attempt has committed that was going on when the host ended stays, and no later attempt commits it again.
    private func judgeCommit(
        _ record: HistoryRecord,
        _ scene: KnownScene,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        guard case .sessionCommitted(let user, let truths, _, let changed) = record.body, let dispatch = scene.dispatch,
            let event = scene.open[dispatch.ticket], event.event == record.event,
            event.commits.contains(where: { $0.attempt < dispatch.attempt })
        else { return }
        let facts = changed ?? [:]
        let changesNothing = facts.isEmpty && user == session.user && (truths.stale == nil) == (session.stale == nil)
        let isFirst = !event.commits.contains { $0.attempt == dispatch.attempt }
        let before = event.commits.first { before in
            guard before.attempt < dispatch.attempt, before.user == user else { return false }
            if changesNothing { return isFirst && event.commitsOnce(in: scene) }
            if facts.isEmpty, user == session.user { return before.isOfStaleness }
            return facts.allSatisfy { before.facts[$0.key] == $0.value }
        }
        guard let before else { return }
        findings.violated(
            [before.index, record.index],
            "attempt \(dispatch.attempt) of event \(event.event) commits again what attempt \(before.attempt) has committed"
        )
    }

    // MARK: - The scenes

    private func judge(
        _ snapshot: HistorySceneSnapshot,
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard let scene = history.scene(of: record) else { return }
        if let seen = record.snapshot, seen != history.session.snapshot {
            findings.violated(
                [history.session.index, record.index],
                "a snapshot is of revision \(seen.revision), which is not the newest"
            )
        }
        if let (_, contradictions) = scene.moment(of: snapshot, record, history.session) {
            for (index, what) in contradictions { violated(index, what, record, history, &findings) }
        } else {
            violated(scene.windowIndex, "is of a window that was never shown", record, history, &findings)
        }
        judgeEvents(snapshot.lastTicket, snapshot.waiting, snapshot.parked, scene, record, history, &findings)
    }

    private func judge(
        _ snapshot: HistoryAppSnapshot,
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        guard let app = history.scene(of: record) else { return }
        judgeEvents(snapshot.lastTicket, snapshot.waiting, [], app, record, history, &findings)
    }

    private func violated(
        _ before: Int,
        _ what: String,
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        violated(
            Violation(
                [before, record.index],
                "after the host went on the snapshot of \(name(record.scene ?? "")) \(what)"
            ),
            history,
            &findings
        )
    }

    private func violated(_ violation: Violation, _ history: KnownHost, _ findings: inout Findings) {
        findings.violated(history.restarted.map(violation.shown) ?? violation)
    }

    /// Every event that had not ended is there, waiting or parked as it was, and no other.
    private func judgeEvents(
        _ lastTicket: Int,
        _ waiting: [HistorySceneSnapshot.Event],
        _ parked: [HistorySceneSnapshot.Parked],
        _ scene: KnownScene,
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        for (index, what) in SnapshotEvents.contradictions(lastTicket, waiting, parked, in: scene) {
            violated(index, what, record, history, &findings)
        }
    }
}

extension OpenEvent {
    /// Whether an attempt has begun that has not ended, now or when the host ended before.
    fileprivate var isUnfinished: Bool {
        if isCutOff { return true }
        if case .running = stage { return true }
        return isParkedInAttempt
    }

    /// Whether it has to be among what begins again: it is, but for what waits at its gate since an earlier end.
    fileprivate var isDueAgain: Bool { isUnfinished && !(isCutOff && !isQueued) }

    /// Whether it can commit only once: nothing follows from its end.
    fileprivate func commitsOnce(in scene: KnownScene) -> Bool {
        switch arrival.kind {
        case "push": true
        case "flow": arrival.name.map { scene.startedFlows[$0] == nil } ?? false
        default: false
        }
    }
}
