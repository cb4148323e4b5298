/// Invariant 12: once the host is quiet, mailboxes are empty and nothing waits for ever.
struct Completion: InvariantCheck {
    let invariant = Invariant.completion

    func judge(_ record: HistoryRecord, after history: KnownHost, _ findings: inout Findings) {
        guard case .gateParked(let precondition, _, _, let flow?) = record.body,
            let scene = history.scene(of: record), let window = scene.window,
            !window.shows(flow: flow),
            // A dispatch keeps the manifest with which it began; what is shown is read by the newest.
            scene.dispatch?.reloads == history.session.reloads
        else { return }
        findings.violated(
            [scene.windowIndex, record.index],
            "event \(record.event ?? "") was parked on \(precondition), but \(flow) is not shown"
        )
    }

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] {
        history.resting.flatMap { id, scene in
            unfinished(id, scene)
                + scene.open.sorted { $0.key < $1.key }.compactMap { ticket, event -> Violation? in
                    if let progress = event.progress {
                        return Violation(
                            [progress.index],
                            "event \(event.event) (ticket \(ticket) of scene \(id)) \(progress.phrase)"
                        )
                    }
                    guard let parking = event.parking else { return nil }
                    if rest == .stopped {
                        return Violation(
                            [parking.index],
                            "event \(event.event) is parked in scene \(id) of a host that stopped"
                        )
                    }
                    guard let flow = parking.flow, let window = scene.window,
                        !window.shows(flow: flow)
                    else { return nil }
                    return Violation(
                        [parking.index, scene.windowIndex],
                        "event \(event.event) waits for \(parking.precondition), but scene \(id) does not show \(flow)"
                    )
                }
        }
    }

    /// A dispatch that goes on although its event has an outcome or is parked.
    private func unfinished(_ id: String, _ scene: KnownScene) -> [Violation] {
        guard let dispatch = scene.dispatch, scene.open[dispatch.ticket]?.progress == nil else { return [] }
        return [Violation([dispatch.began], "the dispatch of ticket \(dispatch.ticket) of scene \(id) never ended")]
    }
}
