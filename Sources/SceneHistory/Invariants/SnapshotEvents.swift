internal import SceneVocabulary

/// The events of a snapshot are those that are open.
enum SnapshotEvents {
    /// Where a snapshot says otherwise, each as a clause with the record that says what it is.
    static func contradictions(
        _ lastTicket: Int,
        _ waiting: [HistorySceneSnapshot.Event],
        _ parked: [HistorySceneSnapshot.Parked],
        in scene: KnownScene
    ) -> [(index: Int, what: String)] {
        var found: [(index: Int, what: String)] = []
        func violated(_ index: Int, _ what: String) { found.append((index, what)) }
        if lastTicket != scene.lastTicket {
            violated(
                scene.lastTicketIndex,
                "says that ticket \(lastTicket) was the last, but it was \(scene.lastTicket)"
            )
        }
        let said = Set(waiting.map(\.ticket) + parked.map(\.event.ticket))
        if said.count < waiting.count + parked.count {
            violated(scene.lastTicketIndex, "has a ticket twice")
        }
        if waiting.map(\.ticket) != waiting.map(\.ticket).sorted() {
            violated(scene.lastTicketIndex, "has events in another order than admitted")
        }
        guard scene.open.count <= said.count else {
            violated(scene.lastTicketIndex, "has \(said.count) events, but \(scene.open.count) are open")
            return found
        }
        for (ticket, event) in scene.open.sorted(by: { $0.key < $1.key }) where !said.contains(ticket) {
            violated(event.admitted, "does not have event \(event.event), which is open")
        }
        for event in waiting {
            guard let open = scene.open[event.ticket], open.isQueued else {
                violated(
                    scene.lastTicketIndex,
                    "has event \(event.event) waiting, which \(state(of: event, in: scene))"
                )
                continue
            }
            if !isSame(event, open) || open.arrival.act != event.arrival.act
                || open.arrival.destination != event.arrival.destination
            {
                violated(open.admitted, "says otherwise what event \(open.event) is")
            }
        }
        var last = 0
        for intent in parked {
            guard let open = scene.open[intent.event.ticket], let parking = open.parking else {
                violated(
                    scene.lastTicketIndex,
                    "has event \(intent.event.event) parked, which \(state(of: intent.event, in: scene))"
                )
                continue
            }
            if !isSame(intent.event, open) || parking.attempt != intent.attempt || parking.flow != intent.flow
                || !parking.gate.isOn(intent.precondition, for: intent.parameters)
                || parking.destination != intent.destination || parking.variant != intent.variant
                || parking.user != intent.user || parking.epoch != intent.parkedIn
            {
                violated(parking.index, "says otherwise how event \(open.event) was parked")
            }
            if parking.index < last { violated(parking.index, "has event \(open.event) parked in another order") }
            last = parking.index
        }
        return found
    }

    private static func state(of event: HistorySceneSnapshot.Event, in scene: KnownScene) -> String {
        scene.open[event.ticket] == nil && event.ticket <= scene.lastTicket ? "has ended" : "is not"
    }

    private static func isSame(_ event: HistorySceneSnapshot.Event, _ open: OpenEvent) -> Bool {
        let isAct = open.arrival.isAct
        return event.event == open.event && event.connection == open.connection
            && event.admittedIn == open.admittedEpoch
            && event.arrival.isAct == isAct && event.arrival.kind == (open.arrival.isOwned ? open.arrival.kind : nil)
            && event.arrival.name == open.arrival.name && event.arrival.isSilent == open.arrival.isSilent
            && event.arrival.addressee == open.arrival.addressee
    }
}
