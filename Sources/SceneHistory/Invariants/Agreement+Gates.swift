internal import SceneModel
internal import SceneVocabulary

// What waits at a gate that another manifest has taken away.
extension Agreement {
    /// What has waited longest at each gate that the manifest in force does not have any more. What was parked by that manifest
    /// waits at a gate that it has, or behind something that does.
    func gatesFreed(in scene: KnownScene, _ app: AppModel, _ session: KnownSession) -> [Parking] {
        scene.parked.firsts.filter { parking in
            parking.reloads != session.reloads
                && !app.isGate(parking.precondition, opensBy: parking.flow, onTheWayTo: parking.destination.id)
        }
    }

    /// A resume for which the precondition does not hold needs a gate that is gone, and its turn.
    func resumed(
        _ record: HistoryRecord,
        _ scene: KnownScene?,
        _ app: AppModel,
        _ session: KnownSession
    ) -> [String] {
        guard let scene, let parking = record.ticket.flatMap({ scene.open[$0]?.parking }),
            session.holds[parking.precondition] == false, parking.reloads != session.reloads,
            !scene.freed.contains(parking.gate),
            !gatesFreed(in: scene, app, session).contains(where: { $0.index == parking.index })
        else { return [] }
        return ["it was resumed although \(parking.precondition) does not hold and still stops what waits there"]
    }

    /// Once the host is quiet, nothing waits in a connected scene at a gate that is gone.
    func debts(of id: String, _ scene: KnownScene, _ app: AppModel, _ session: KnownSession) -> [Violation] {
        guard scene.phase == .connected, !scene.parked.isEmpty else { return [] }
        return gatesFreed(in: scene, app, session).map { parking in
            Violation(
                [parking.index, session.index],
                "something in scene \(id) waits for \(parking.precondition), which by the manifest does not stop it on its "
                    + "way to \(parking.destination)"
            )
        }
    }
}
