internal import SceneVocabulary

/// A snapshot says what the records before it say.
extension Continuity {
    func judge(_ snapshot: HistorySnapshot, _ record: HistoryRecord, _ history: KnownHost, _ findings: inout Findings) {
        let session = history.session
        // The history is taken up with it.
        guard session.snapshot != nil else { return }
        func compare<Value: Equatable>(_ what: String, _ said: Value, _ known: Value) {
            guard said != known else { return }
            findings.violated([session.index, record.index], "a snapshot of the session says otherwise \(what)")
        }
        compare("who is signed in", snapshot.user, session.user)
        compare("what holds", snapshot.truths.holds, session.holds)
        let (said, known) = (snapshot.facts ?? [:], session.facts ?? [:])
        for name in Set(said.keys).union(known.keys).sorted() { compare("what \(name) is", said[name], known[name]) }
        compare("which version the app has", snapshot.appVersion, session.appVersion)
        compare("which format its records have", snapshot.format, history.format)
        compare("what a stale sign-in closes", snapshot.truths.stale, session.stale)
        let named = Set(snapshot.scenes)
        // Only a snapshot that is at least as long may cost as much as there are scenes.
        let count = history.scenes.count - (history.scenes[HistoryRecord.app] == nil ? 0 : 1)
        guard count <= named.count else {
            return findings.violated(
                [record.index],
                "a snapshot of the host has \(named.count) scenes, but there are \(count)"
            )
        }
        for (id, scene) in history.windows.sorted(by: { $0.key < $1.key }) where !named.contains(id) {
            findings.violated([scene.windowIndex, record.index], "a snapshot of the host does not have scene \(id)")
        }
    }

    /// What a snapshot of a scene says that cannot be, whatever was before.
    func contradictions(
        in snapshot: HistorySceneSnapshot,
        _ record: HistoryRecord,
        _ session: KnownSession
    ) -> [String] {
        guard let epoch = record.snapshot?.epoch else { return [] }
        var found: [String] = []
        if snapshot.judgedIn > epoch {
            found.append("was judged in epoch \(snapshot.judgedIn), which is still to come")
        }
        for event in snapshot.waiting + snapshot.parked.map(\.event) {
            if event.admittedIn > epoch {
                found.append("has event \(event.event) of epoch \(event.admittedIn), which is still to come")
            }
            if event.ticket > snapshot.lastTicket {
                found.append("has ticket \(event.ticket), but \(snapshot.lastTicket) was the last")
            }
        }
        for intent in snapshot.parked {
            if intent.parkedIn > epoch || intent.parkedIn < intent.event.admittedIn {
                found.append("has event \(intent.event.event) parked in epoch \(intent.parkedIn)")
            }
            if let user = intent.user, intent.parkedIn == epoch, user != session.user {
                found.append("has event \(intent.event.event) of \(user), who is not signed in")
            }
        }
        for flow in snapshot.gateFlows where !snapshot.window.shows(flow: flow) {
            found.append("has \(flow) shown for a gate, which it does not show")
        }
        for (flow, starter) in snapshot.startedFlows.sorted(by: { $0.key < $1.key })
        // By another manifest the root of a released window may be another flow's.
        where !snapshot.window.shows(flow: flow) || snapshot.isConnected && !snapshot.window.isOwner(starter) {
            found.append("has \(flow) started by \(starter), and does not show both")
        }
        return found
    }

    func judge(
        _ snapshot: HistorySceneSnapshot,
        _ record: HistoryRecord,
        _ scene: KnownScene,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        let id = record.scene ?? ""
        func violated(_ before: Int, _ what: String) {
            findings.violated([before, record.index], "a snapshot of scene \(id) \(what)")
        }
        if let dispatch = scene.dispatch {
            violated(dispatch.began, "was made while ticket \(dispatch.ticket) was dispatched")
        }
        judgeSilence(record, scene, &findings)
        let phase: KnownScene.Phase = snapshot.isConnected ? .connected : .disconnected
        if phase != scene.phase { violated(scene.windowIndex, "says that it is \(phase), but it is \(scene.phase)") }
        if snapshot.configuration != scene.configuration {
            violated(scene.windowIndex, "says \(snapshot.configuration), but it is \(scene.configuration ?? "nothing")")
        }
        // A scene that is released goes back to the beginning without a record of it.
        let activation = phase == .connected ? scene.activation : .unattached
        if snapshot.activation != activation {
            violated(scene.windowIndex, "says \(snapshot.activation), but it is \(activation)")
        }
        if snapshot.isLocked != scene.isLocked {
            violated(scene.windowIndex, "says that it is \(snapshot.isLocked ? "" : "not ")locked")
        }
        if let seen = record.snapshot, seen != session.snapshot {
            violated(session.index, "is of revision \(seen.revision), which is not the newest")
        }
        if let epoch = record.snapshot?.epoch, let known = scene.windowEpoch,
            snapshot.judgedIn > epoch || snapshot.judgedIn < known || phase == .connected && snapshot.judgedIn != epoch
        {
            violated(scene.windowIndex, "says that it was judged in epoch \(snapshot.judgedIn)")
        }
        if Set(snapshot.gateFlows) != scene.gateFlows.filter(snapshot.window.shows(flow:)) {
            violated(scene.windowIndex, "says otherwise what is shown for a gate")
        }
        // Older daemons do not say which flows have started others.
        if !snapshot.startedFlows.isEmpty, snapshot.startedFlows != scene.startedFlows {
            violated(scene.windowIndex, "says otherwise which flows have started others")
        }
        judge(snapshot.window, of: scene, session, violated)
        let found = SnapshotEvents.contradictions(snapshot.lastTicket, snapshot.waiting, snapshot.parked, in: scene)
        for (index, what) in found { violated(index, what) }
    }

    /// Compares a snapshot of the app itself with what is known.
    func judge(_ snapshot: HistoryAppSnapshot, _ record: HistoryRecord, _ app: KnownScene, _ findings: inout Findings) {
        func violated(_ before: Int, _ what: String) {
            findings.violated([before, record.index], "a snapshot of the app itself \(what)")
        }
        if let dispatch = app.dispatch {
            violated(dispatch.began, "was made while ticket \(dispatch.ticket) was dispatched")
        }
        let found = SnapshotEvents.contradictions(snapshot.lastTicket, snapshot.waiting, [], in: app)
        for (index, what) in found { violated(index, what) }
    }

    private func judge(
        _ window: HistoryWindow,
        of scene: KnownScene,
        _ session: KnownSession,
        _ violated: (_ before: Int, _ what: String) -> Void
    ) {
        guard let known = scene.window ?? scene.released else { return }
        let found = known.contradictions(to: window, since: scene.windowIndex, reloads: scene.windowReloads, session)
        for what in found { violated(scene.windowIndex, what) }
    }
}
