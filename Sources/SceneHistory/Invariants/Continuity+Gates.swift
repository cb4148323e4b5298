internal import SceneVocabulary

/// Gates and sweeps: what has to be over when something else begins.
extension Continuity {
    func judgeGate(
        _ record: HistoryRecord,
        _ event: OpenEvent,
        _ scene: KnownScene,
        _ session: KnownSession,
        _ violated: (_ before: Int?, _ explanation: String) -> Void
    ) {
        guard let parking = event.parking, let flow = parking.flow else { return }
        let isShown = scene.window?.shows(flow: flow)
        switch record.body {
        case .gateAbandoned(_, _, "flowCancelled") where isShown == true:
            // Somebody is cancelling it.
            let canceller = scene.dispatch.flatMap { scene.open[$0.ticket] }
            if canceller?.isAct != true { violated(scene.windowIndex, "was abandoned, but \(flow) is still shown") }
            if let canceller { judgeHandling(canceller, scene.dispatch, violated) }
        case .gateResumed(_, _, nil)
        where isShown == false && parking.reloads == session.reloads && scene.flowLess[parking.gate] != true:
            violated(scene.windowIndex, "was resumed, but \(flow) was no longer shown")
        case .gateResumed:
            if let first = scene.parked.first(on: parking.gate), first < parking.index {
                violated(first, "was resumed before what had been parked earlier on \(parking.gate.name)")
            }
            if let last = scene.lastResumed, last > parking.index {
                violated(last, "was resumed after what had been parked later")
            }
        default: return
        }
    }

    /// What has to be over when something else begins in a scene.
    func judgeRest(
        _ record: HistoryRecord,
        _ scene: KnownScene,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        switch record.body {
        case .gateParked, .gateSuperseded, .gateResumed(_, _, nil):
            // They happen in one section with a look at the session.
            guard let newest = session.snapshot, let seen = record.snapshot, seen != newest else { return }
            findings.violated(
                [session.index, record.index],
                "a gate was judged by revision \(seen.revision) although \(newest.revision) was the newest"
            )
        case .dispatchBegan, .sceneDisconnected:
            judgeSilence(record, scene, &findings)
            guard let window = scene.window else { return }
            for parking in scene.parked.firsts {
                guard let flow = parking.flow, !window.shows(flow: flow), scene.flowLess[parking.gate] != true else {
                    continue
                }
                findings.violated(
                    [scene.windowIndex, record.index],
                    "something is parked that waits for \(flow), which is no longer shown"
                )
            }
        // A window that is brought back says what was removed before anything else happens in it.
        case .navigationStep where !scene.lost.isEmpty: judgeSilence(record, scene, &findings)
        case .dispatchResolved:
            guard let epoch = record.snapshot?.epoch else { return }
            if let before = scene.parked.firstOfUser(before: epoch) {
                findings.violated([before, record.index], "something is still parked whose user has left")
            }
        default: return
        }
    }

    /// A sweep says what it removed.
    func judgeSilence(_ record: HistoryRecord, _ scene: KnownScene, _ findings: inout Findings) {
        let removed = scene.swept.keys.map { "a sweep removed \($0) and never said so" }
        let lost = scene.lost.keys.map { "\($0) was not brought back, and no sweep says so" }
        for explanation in (removed + lost).sorted() {
            findings.violated([scene.windowIndex, record.index], explanation)
        }
    }

    /// What a sweep says that it removed is what its steps removed. One that brings a window back has no steps.
    func judgeSweep(
        _ record: HistoryRecord,
        _ removed: [HistoryRecord.Removal],
        _ scene: KnownScene,
        _ session: KnownSession,
        _ findings: inout Findings
    ) {
        if removed.isEmpty { findings.violated([record.index], "a sweep removed nothing") }
        if scene.swept.isEmpty, scene.isRestored {
            // More may have been removed and shown again, before anybody saw it.
            var lost = scene.lost
            for removal in removed { lost[removal.destination]? -= 1 }
            for (destination, count) in lost where count > 0 {
                findings.violated(
                    [scene.windowIndex, record.index],
                    "\(destination) was not brought back, and the sweep does not say so"
                )
            }
            return
        }
        var left = scene.swept
        for removal in removed {
            guard let before = left[removal.destination], before.count > 0 else {
                findings.violated(
                    [scene.windowIndex, record.index],
                    "\(removal.destination) is said to have been removed, but no step of the sweep removed it"
                )
                continue
            }
            left[removal.destination]?.count -= 1
            let isMisplaced = removal.isSentence && session.reloads > 0
            if !Self.reasons.contains(removal.reason), !isMisplaced, let needs = before.needs,
                !needs.contains(removal.reason)
            {
                findings.violated(
                    [scene.windowIndex, record.index],
                    "\(removal.destination) was removed because of \(removal.reason), which it does not need"
                )
            }
        }
        for (destination, silent) in left where silent.count > 0 {
            findings.violated(
                [scene.windowIndex, record.index],
                "a sweep removed \(destination) and does not say so"
            )
        }
    }

    /// Why a sweep removes something that needs nothing.
    private static let reasons: Set<String> = ["destinationGone", "flowEnded"]
}
