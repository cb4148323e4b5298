internal import SceneVocabulary

// What is shown for a destination that has variants is chosen once for a user (<doc:/SceneRuntime/WayOfAnEvent>).
extension Continuity {
    /// A choice is made by the newest session, for who is signed in, and once.
    func judgeChoice(
        of variant: Destination,
        for destination: Destination,
        _ user: String?,
        _ record: HistoryRecord,
        _ dispatch: OpenDispatch?,
        _ session: KnownSession,
        _ violated: (_ before: Int?, _ explanation: String) -> Void
    ) {
        if user != session.user {
            violated(
                session.index,
                "had \(variant.id) chosen for \(Self.name(user)), but \(Self.name(session.user)) is signed in"
            )
        }
        if record.snapshot != session.snapshot {
            violated(session.index, "had \(variant.id) chosen by another session than the newest")
        }
        // Another manifest may not have any more what was chosen.
        guard session.choices.isComplete, let kept = session.choices.choice(of: destination.id, for: user),
            isBySameManifest(kept, dispatch, session)
        else { return }
        violated(
            kept.index,
            "had \(variant.id) chosen for \(destination.id) and \(Self.name(user)), for whom \(kept.variant) was chosen"
        )
    }

    /// What is shown is what was chosen.
    func judge(
        _ variant: Destination?,
        of destination: Destination?,
        _ verdict: RouteVerdict,
        _ record: HistoryRecord,
        _ dispatch: OpenDispatch?,
        _ session: KnownSession,
        _ violated: (_ before: Int?, _ explanation: String) -> Void
    ) {
        guard let destination else { return }
        let kept = session.choices.choice(of: destination.id, for: session.user)
        guard let variant else {
            guard verdict == .proceed, let kept, isBySameManifest(kept, dispatch, session),
                record.snapshot == session.snapshot
            else { return }
            return violated(kept.index, "leads to \(destination.id), and not as \(kept.variant), which was chosen")
        }
        // The choice and the resolution are made together.
        if record.snapshot != session.snapshot {
            return violated(session.index, "leads to \(variant.id) by another session than the newest")
        }
        if let chosen = dispatch?.chosen, chosen.id == variant.id, chosen != variant {
            violated(kept?.index, "leads to \(variant), but \(chosen) was chosen")
        }
        if let kept {
            if kept.variant == variant.id { return }
            violated(
                kept.index,
                "leads to \(destination.id) as \(variant.id), but \(kept.variant) was chosen for \(Self.name(session.user))"
            )
        } else if session.choices.isComplete {
            violated(
                nil,
                "leads to \(destination.id) as \(variant.id), which was not chosen for \(Self.name(session.user))"
            )
        }
    }

    /// What was chosen for one user is shown to nobody else, also to nobody who has signed in meanwhile.
    func judgeShown(
        _ dispatch: OpenDispatch?,
        _ session: KnownSession,
        _ violated: (_ before: Int?, _ explanation: String) -> Void
    ) {
        guard let resolution = dispatch?.resolution, let variant = resolution.variant, resolution.user != session.user
        else { return }
        violated(
            resolution.index,
            "shows \(Self.name(session.user)) \(variant), which was chosen for \(Self.name(resolution.user))"
        )
    }

    /// Whether the manifest has not been replaced since something was chosen, nor since what is going on now began.
    private func isBySameManifest(
        _ kept: KnownChoices.Choice,
        _ dispatch: OpenDispatch?,
        _ session: KnownSession
    ) -> Bool {
        kept.reloads == session.reloads && dispatch?.reloads == session.reloads
    }

    private static func name(_ user: String?) -> String { user ?? "nobody" }
}
