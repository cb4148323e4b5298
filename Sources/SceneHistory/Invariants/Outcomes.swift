/// Invariant 3: once the host is quiet, every admitted event has exactly one terminal outcome or is parked.
struct Outcomes: InvariantCheck {
    let invariant = Invariant.outcomes

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        switch record.body {
        case .dispatchEnded(let end): judgeEnd(record, end, history, &findings)
        case .gateSuperseded, .gateAbandoned, .gateParked: judgeGate(record, history, &findings)
        case .dispatchBegan, .dispatchResolved, .dispatchPlanned, .navigationStep, .gateResumed, .intentBubbled,
            .windowRequested, .variantChosen:
            _ = openEvent(record, history, &findings)
        default: return
        }
    }

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] {
        history.resting.flatMap { id, scene in
            scene.open.sorted { $0.key < $1.key }.compactMap { ticket, event in
                event.progress.map {
                    Violation(
                        [event.admitted, $0.index],
                        "event \(event.event) (ticket \(ticket) of scene \(id)) \($0.phrase)"
                    )
                }
            }
        }
    }

    private func judgeEnd(
        _ record: HistoryRecord,
        _ end: HistoryRecord.End,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        // Discarding is immediate and may have given the running event its outcome already.
        if end.outcome == .gated, history.scene(of: record)?.phase == .discarded { return }
        guard let event = openEvent(record, history, &findings) else { return }
        switch (end.outcome, event.parking) {
        case (.gated, nil):
            findings.violated([record.index], "event \(event.event) ended gated but was not parked")
        case (.gated, let parking?):
            guard let precondition = end.precondition, precondition != parking.precondition else { return }
            findings.violated(
                [parking.index, record.index],
                "event \(event.event) was parked on \(parking.precondition) but ended gated by \(precondition)"
            )
        case (_, nil): return
        case (_, let parking?):
            findings.violated(
                [parking.index, record.index],
                "event \(event.event) was parked but ended \(end.outcome) at once"
            )
        }
    }

    private func judgeGate(_ record: HistoryRecord, _ history: KnownHost, _ findings: inout Findings) {
        guard let event = openEvent(record, history, &findings) else { return }
        if let parking = event.parking, !isSame(parking, record) {
            findings.violated(
                [parking.index, record.index],
                "event \(event.event) was parked on \(parking.precondition) but left another gate or attempt"
            )
        }
        switch record.body {
        case .gateSuperseded where event.parking == nil:
            findings.violated([record.index], "event \(event.event) was superseded but was not parked")
        case .gateAbandoned where event.parking == nil && event.resumption == nil:
            findings.violated([record.index], "event \(event.event) was abandoned at a gate but was not parked")
        case .gateParked:
            guard let parking = event.parking else { return }
            findings.violated([parking.index, record.index], "event \(event.event) was parked twice")
        default: return
        }
    }

    /// Whether a record that ends a parking names the same gate and attempt as the one that began it.
    private func isSame(_ parking: Parking, _ record: HistoryRecord) -> Bool {
        switch record.body {
        case .gateSuperseded(let precondition, _, _), .gateAbandoned(let precondition, _, _):
            precondition == parking.precondition && record.attempt == parking.attempt
        default: true
        }
    }

    /// The event that a record is about. A record about an event that has ended is a violation.
    private func openEvent(
        _ record: HistoryRecord,
        _ history: KnownHost,
        _ findings: inout Findings
    ) -> OpenEvent? {
        guard let scene = history.scene(of: record), let ticket = record.ticket, let name = record.event else {
            return nil
        }
        guard let event = scene.open[ticket] else {
            let what = ticket <= scene.lastTicket ? "has ended already" : "was never admitted"
            findings.violated([record.index], "a record about event \(name) (ticket \(ticket)), which \(what)")
            return nil
        }
        if event.event != name {
            findings.violated(
                [event.admitted, record.index],
                "ticket \(ticket) belongs to event \(event.event), but a record gives it to \(name)"
            )
        }
        return event
    }
}
