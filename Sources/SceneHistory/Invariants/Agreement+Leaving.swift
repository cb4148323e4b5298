internal import SceneModel
internal import StrictJSON

// What is there for nobody, and goes when a user leaves.
extension Agreement {
    /// The facts that anybody sees since the epoch began, after a commit that begins one or does not change them; `nil` if that is
    /// not known, or they have changed.
    func publicFacts(after record: HistoryRecord, _ app: AppModel, _ session: KnownSession) -> [String: JSONValue]? {
        guard case .sessionCommitted(_, _, _, let changed) = record.body else { return publicFacts }
        let facts = changed.flatMap(session.facts(after:)).flatMap(app.factsOfNobody(after:))
        return record.snapshot?.epoch != session.snapshot?.epoch || facts == publicFacts ? facts : nil
    }

    /// Once the host is quiet, a window of which no record has told since a user left shows nothing of hers.
    func leftBehind(in id: String, _ scene: KnownScene, _ app: AppModel, _ session: KnownSession) -> [Violation] {
        guard let publicFacts, let epoch = session.snapshot?.epoch, scene.phase == .connected,
            let window = scene.window,
            let before = scene.windowEpoch, before < epoch
        else { return [] }
        let nobody = SessionState(user: nil, isStale: false, facts: publicFacts, appVersion: session.appVersion)
        var facts = app.known(nobody)
        return window.layout.destinations.compactMap { destination in
            facts.parameters = destination.parameters
            let needs = app.needs(of: destination.id)
            // What the session forbids is for another invariant.
            guard needs.contains(where: { app.holds($0, facts) == false }),
                app.mayStay(destination, since: past, { session.forbids($0, destination, app) }) != false
            else { return nil }
            return Violation(
                [scene.windowIndex, session.index],
                "scene \(id) still shows \(destination) in epoch \(epoch), which by the manifest goes when the user leaves"
            )
        }
    }
}
