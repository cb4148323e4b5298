internal import SceneModel
internal import SceneVocabulary

// What is chosen for a destination that has variants.
extension Agreement {
    /// The answers to a request by the session as it is, once this is to be shown for the destination; `nil` for the destination
    /// itself, which proceeds only if it has no variants.
    func answers(
        _ destination: Destination,
        as variant: Destination?,
        _ wall: Double?,
        _ app: AppModel,
        _ session: KnownSession,
        in scene: KnownScene?
    ) -> [AppModel.Answer] {
        let own = answers(destination, wall, app, session, in: scene)
        guard let variant else {
            return app.hasVariants(destination.id) ? own.filter { $0.verdict != .proceed } : own
        }
        guard app.mayShow(variant.id, for: destination.id), own.contains(where: { $0.verdict == .proceed }) else {
            return []
        }
        return variant.id == destination.id
            ? own.filter { $0.verdict == .proceed } : answers(variant, wall, app, session, in: scene)
    }

    /// Something is chosen once the destination itself may be shown: the first variant whose condition holds.
    func choice(
        of variant: Destination,
        for destination: Destination,
        _ user: String?,
        _ wall: Double?,
        _ record: HistoryRecord,
        _ app: AppModel,
        _ history: KnownHost
    ) -> [String] {
        let session = history.session
        guard let dispatch = history.scene(of: record)?.dispatch, dispatch.reloads == session.reloads else { return [] }
        guard app.mayShow(variant.id, for: destination.id) else {
            return ["\(variant.id) was chosen for \(destination.id), which has no such variant"]
        }
        var objections: [String] = []
        if let right = app.variant(variant.id, of: destination), right != variant {
            objections.append("\(variant) was chosen for \(destination), by the manifest \(right)")
        }
        if let kept = session.choices.choice(of: destination.id, for: user), kept.reloads != session.reloads,
            session.choices.isComplete, app.mayShow(kept.variant, for: destination.id)
        {
            objections.append(
                "\(variant.id) was chosen for \(destination.id), although \(kept.variant) had been before"
            )
        }
        guard record.snapshot == session.snapshot else { return objections }
        if wall == nil, app.looksAtTime, session.facts != nil {
            objections.append("it does not say by which time it was decided")
        } else if wall != nil, !app.looksAtTime {
            objections.append("it says by which time it was decided, at which nothing looks")
        }
        if !answers(destination, wall, app, session, in: history.scene(of: record)).contains(where: {
            $0.verdict == .proceed
        }) {
            objections.append("\(variant.id) was chosen for \(destination), which may not be shown itself")
        }
        var known = app.known(session.state)
        known.wall = wall
        let right = app.choices(for: destination.id, known)
        if !right.contains(variant.id) {
            objections.append(
                "\(variant.id) was chosen for \(destination.id), by the manifest \(right.joined(separator: " or "))"
            )
        }
        return objections
    }
}
