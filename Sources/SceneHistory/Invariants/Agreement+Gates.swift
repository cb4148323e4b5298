internal import SceneModel
internal import SceneVocabulary

// What waits at a gate that another manifest has taken away.
extension Agreement {
    /// What has waited longest at each gate that the manifest in force does not have any more. What was parked by that manifest
    /// waits at a gate that it has, or behind something that does.
    ///
    /// - Parameter certainly: Whether to leave out those of which that is not known, because what waits there may have parameters that
    ///   its destination does not take any more.
    func gatesFreed(
        in scene: KnownScene,
        _ app: AppModel,
        _ session: KnownSession,
        certainly: Bool = true
    ) -> [Parking] {
        scene.parked.firsts.filter { parking in
            parking.reloads != session.reloads
                && !places(of: parking, app).contains { place in
                    let isAllowed = app.allows(place, since: past)
                    return (certainly ? isAllowed != false : isAllowed == true)
                        && app.isGate(
                            parking.precondition,
                            for: parking.gate.parameters,
                            opensBy: parking.flow,
                            onTheWayTo: place
                        )
                }
        }
    }

    /// Where something goes that waits: its destination, and what was chosen for that, as long as the manifest has it.
    private func places(of parking: Parking, _ app: AppModel) -> [Destination] {
        guard let variant = parking.variant, app.mayShow(variant.id, for: parking.destination.id) else {
            return [parking.destination]
        }
        return [parking.destination, variant]
    }

    /// A resume for which the precondition does not hold needs a gate that is gone, or one that the end of the host has interrupted.
    func resumed(
        _ record: HistoryRecord,
        _ scene: KnownScene?,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        guard let scene, let event = record.ticket.flatMap({ scene.open[$0] }), let parking = event.parking,
            !event.wasResumed,
            isOpen(parking.gate, in: scene, app, session) == false, !scene.freed.contains(parking.gate)
        else { return [] }
        // Of a precondition without parameters the records themselves say whether it holds, but for the lock.
        let isLock = parking.precondition == app.lockFlow
        if parking.reloads == session.reloads, parking.gate.parameters.isEmpty, !isLock { return [] }
        let freed = scene.freed.union(gatesFreed(in: scene, app, session, certainly: false).map(\.gate))
        let isLeftBehind = scene.isLeftBehind(parking.gate) {
            isOpen($0, in: scene, app, session) != false || freed.contains($0)
        }
        if isLeftBehind || freed.contains(parking.gate) { return [] }
        return ["it was resumed although \(parking.gate.name) does not hold and still stops what waits there"]
    }

    /// Whether nothing has to wait at a gate any more; `nil` if that is not known.
    func isOpen(_ gate: Parking.Gate, in scene: KnownScene, _ app: AppModel, _ session: KnownSession) -> Truth {
        if let holds = session.holds[gate.precondition] { return holds }
        var known = app.known(session.state)
        known.parameters = gate.parameters
        known.isLocked = scene.isLocked
        return app.holds(gate.precondition, known)
    }

    /// Why something cannot wait at this gate, which stopped it.
    func waiting(at gate: Parking.Gate, for destination: Destination, _ app: AppModel) -> [String] {
        guard
            let right = app.gateParameters(gate.precondition, onTheWayTo: destination),
            !right.contains(where: gate.parameters.hasSameValues)
        else { return [] }
        return ["it waits for \(gate.name), which is not what \(destination) needs"]
    }

    /// Once the host is quiet, nothing waits in a connected scene at a gate that is gone.
    func debts(of id: String, _ scene: KnownScene, _ app: AppModel, _ session: KnownSession) -> [Violation] {
        guard scene.phase == .connected, !scene.parked.isEmpty else { return [] }
        let gone = gatesFreed(in: scene, app, session).map { parking in
            Violation(
                [parking.index, session.index],
                "something in scene \(id) waits for \(parking.gate.name), which by the manifest does not stop it on its "
                    + "way to \(parking.destination)"
            )
        }
        // The records do not say what holds for parameters.
        let open = scene.parked.firsts.filter { parking in
            guard !parking.gate.parameters.isEmpty || parking.precondition == app.lockFlow else { return false }
            return isOpen(parking.gate, in: scene, app, session) == true
                || scene.isLeftBehind(parking.gate) { isOpen($0, in: scene, app, session) == true }
        }
        return gone
            + open.map { parking in
                Violation(
                    [parking.index, session.index],
                    "something in scene \(id) waits for \(parking.gate.name), which holds or for which no flow is shown"
                )
            }
    }
}
