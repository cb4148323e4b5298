internal import SceneVocabulary

/// What is left of a scene when its host goes on after its end (<doc:/SceneRuntime/Records>): it is as it was between two items of its
/// mailbox, and what had begun begins again.
extension KnownScene {
    /// Notes a record before it changes the scene: with some of them an item of the mailbox begins, so that the one before is done.
    func noteItem(_ record: HistoryRecord) {
        let hadComeForward = hasComeForward
        if case .eventAdmitted = record.body { return }
        hasComeForward = false
        switch record.body {
        case .dispatchBegan(let isResume):
            // What brings its window back, or to the foreground, has begun before its dispatch.
            let isOfItem = opening == .windowForEvent || opening == .window && isResume || hadComeForward
            if !isOfItem { moments = [] }
            remember()
            opening = .nothing
        case .dispatchEnded where dispatch?.isMeant(by: record) ?? false:
            // What has ended stays done.
            moments = []
            opening = .nothing
        case .sceneConnected:
            moments = []
            remember()
            opening = record.event == nil ? .window : .windowForEvent
        case .sceneDisconnected:
            moments = []
            remember()
            opening = .nothing
        case .sceneDiscarded: moments = []
        case .sceneActivation(let from, let to) where dispatch == nil:
            let isOpening = opening == .window || opening == .windowForEvent
            if !isOpening {
                moments = []
                opening = .nothing
            }
            remember()
            hasComeForward = to == .foregroundInactive && from != .foregroundActive
        case .windowUnlocked(.lifted):
            // Whatever the item was that is undone: nothing is behind a lock any more.
            for index in moments.indices { moments[index].isLocked = false }
        case .windowUnlocked:
            if dispatch == nil { remember() }
        // What locks a window, and what covers it, goes with what comes before.
        case .navigationStep(_, let cause, _) where record.ticket == nil && swept.isEmpty && cause != .lock:
            if opening != .sweep { moments = [] }
            remember()
            opening = .sweep
        case .sceneSwept: if opening == .sweep { opening = .nothing }
        default: return
        }
    }

    /// Notes that the scene is between two items.
    private func remember() {
        guard phase != .discarded, window != nil || released != nil else { return }
        if moments.count == Self.mostMoments { moments.removeFirst() }
        moments.append(SceneMoment(self))
    }

    /// One item passes few moments at which it may be done as well.
    private static let mostMoments = 8

    /// The host goes on after its end.
    func restart() {
        guard !isAwaited else { return }
        isAwaited = true
        // In the middle of an attempt or a sweep it is none of these.
        if dispatch == nil, swept.isEmpty { remember() }
        isCutOff = dispatch != nil
        dispatch = nil
        for ticket in open.keys { open[ticket]?.restart() }
        let inOrder = open.sorted { $0.key < $1.key }
        queue = TicketQueue()
        for (ticket, event) in inOrder where event.isQueued { queue.append(ticket) }
        parked = ParkedIntents()
        for parking in inOrder.compactMap(\.value.parking).sorted(by: { $0.index < $1.index }) { parked.add(parking) }
        standing.restart(open.values)
        swept = [:]
        lost = [:]
        freed = []
        lastResumed = nil
        isRestored = false
        opening = .nothing
    }

    /// The history is taken up with a restart.
    ///
    /// - Parameter attempts: By their tickets, the numbers of the attempts that were going on when the host ended.
    func takeUp(after attempts: [Int: Int]) {
        for ticket in open.keys { open[ticket]?.takeUp(after: attempts[ticket]) }
    }

    /// The moment of which a snapshot after a restart tells, or that is most like it, and where the snapshot says something else.
    func moment(
        of snapshot: HistorySceneSnapshot,
        _ record: HistoryRecord,
        _ session: KnownSession
    ) -> (moment: SceneMoment, contradictions: [(index: Int, what: String)])? {
        var best: (moment: SceneMoment, contradictions: [(index: Int, what: String)])?
        for moment in moments.reversed() {
            let found = moment.contradictions(to: snapshot, or: isCutOff ? activation : nil, record, session)
            if let best, best.contradictions.count <= found.count { continue }
            best = (moment, found)
            if found.isEmpty { break }
        }
        return best
    }

    /// Goes on with what a snapshot after a restart says.
    ///
    /// - Returns: `false` if it does not show the window of any moment that is possible, so that nothing known is about it.
    func goOn(with snapshot: HistorySceneSnapshot, _ record: HistoryRecord, _ session: KnownSession) -> Bool {
        guard let moment = moment(of: snapshot, record, session)?.moment, moment.isShown(by: snapshot) else {
            return false
        }
        take(moment)
        activation = snapshot.activation
        isLocked = snapshot.isLocked
        configuration = snapshot.configuration
        isAwaited = false
        isCutOff = false
        moments = []
        lastTicket = snapshot.lastTicket
        keep(snapshot.waiting, snapshot.parked, record)
        // What had been resumed waits once more, though its flow has left for that.
        if let window { served = served.filter { window.shows(flow: $0.key) } }
        for parking in parked.firsts where window.map({ parking.flow.map($0.shows(flow:)) == false }) ?? false {
            flowLess[parking.gate] = true
        }
        return true
    }

    /// Takes over the events that wait in a scene of which nothing else is known any more.
    func keepWaiting(of other: KnownScene) {
        for (ticket, event) in other.open where event.isQueued && open[ticket]?.isQueued == true {
            open[ticket] = event
        }
        standing = other.standing
    }

    /// Goes on without a snapshot, which is missing.
    func goOn() {
        isAwaited = false
        isCutOff = false
        moments = []
    }

    /// Goes on with what a snapshot of the app itself after a restart says.
    func goOn(with snapshot: HistoryAppSnapshot, _ record: HistoryRecord) {
        isAwaited = false
        isCutOff = false
        lastTicket = snapshot.lastTicket
        keep(snapshot.waiting, [], record)
    }

    /// Believes a snapshot that has other events than are known.
    private func keep(
        _ waiting: [HistorySceneSnapshot.Event],
        _ parked: [HistorySceneSnapshot.Parked],
        _ record: HistoryRecord
    ) {
        let said = Set(waiting.map(\.ticket) + parked.map(\.event.ticket))
        for (ticket, event) in open where !said.contains(ticket) {
            if let parking = event.parking { self.parked.remove(parking) }
            open[ticket] = nil
        }
        for event in waiting where open[event.ticket]?.isQueued != true {
            if let parking = open[event.ticket]?.parking { self.parked.remove(parking) }
            open[event.ticket] = OpenEvent(event, record)
            queue.append(event.ticket)
        }
        for intent in parked where open[intent.event.ticket]?.parking == nil {
            let event = OpenEvent(intent, record)
            open[intent.event.ticket] = event
            if let parking = event.parking { self.parked.add(parking) }
        }
    }

    private func take(_ moment: SceneMoment) {
        phase = moment.phase
        window = moment.window
        released = moment.released
        releasedIn = moment.releasedIn
        windowEpoch = moment.windowEpoch
        windowIndex = moment.windowIndex
        windowReloads = moment.windowReloads
        roots = moment.roots
        rootReloads = moment.rootReloads
        gateFlows = moment.gateFlows
        served = moment.served
        startedFlows = moment.startedFlows
        flowLess = moment.flowLess
    }
}
