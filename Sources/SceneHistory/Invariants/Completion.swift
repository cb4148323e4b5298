/// Invariant 12: once quiet, mailboxes are empty and nothing waits for ever.
struct Completion: InvariantCheck {
    let invariant = Invariant.completion

    func debts(in history: KnownHost, at rest: Rest) -> [Violation] {
        history.orderedScenes.flatMap { id, scene in
            scene.open.sorted { $0.key < $1.key }.compactMap { ticket, event -> Violation? in
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
                    !window.layout.modals.contains(where: { $0.flow == flow })
                else { return nil }
                return Violation(
                    [parking.index, scene.windowIndex],
                    "event \(event.event) waits for \(parking.precondition), and scene \(id) does not show \(flow)"
                )
            }
        }
    }
}
