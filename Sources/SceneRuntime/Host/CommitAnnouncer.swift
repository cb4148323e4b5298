internal import SceneRouting

/// The way from a commit to the windows: records the commit, then queues a sweep in every scene.
///
/// The session calls it with its lock held, for every commit in order, before anybody can read the new snapshot.
struct CommitAnnouncer: Sendable {
    let app: CurrentApp
    let log: RecordLog
    let activity: ActivityMonitor
    let routing: @Sendable (SessionSnapshot) -> RoutingContext
    /// Weak, because scenes hold the session: if the session held them in turn, they would outlive their host.
    weak let directory: SharedDirectory?

    /// Announces a commit to the session as it was `before`.
    /// - Parameter deadlines: When what the commit leaves of a sign-in becomes stale and ends.
    func announce(
        _ snapshot: SessionSnapshot,
        after before: SessionSnapshot,
        _ deadlines: SessionDeadlines,
        _ origin: CommitOrigin
    ) {
        // Count as activity before the commit is recorded, so that the host is not quiet between it and its sweeps.
        activity.began(ActivityMonitor.session)
        defer { activity.ended(ActivityMonitor.session) }
        log.append(
            .sessionCommitted(
                user: snapshot.user,
                origin: origin,
                truths: app.current.truths(routing(snapshot)),
                facts: snapshot.facts(changedSince: before)
            ),
            Record.Subject(
                scene: origin.scene,
                event: origin.event,
                connection: origin.connection,
                revision: snapshot.revision,
                epoch: snapshot.epoch
            ),
            keeping: [.session(KeptSession(snapshot: snapshot, deadlines: deadlines))] + origin.effects(snapshot)
        )
        if app.current.manifest.lock != nil { lift(at: snapshot) }
        directory?.withLock { directory in
            for entry in directory.inOrder { entry.scene.sessionDidCommit() }
        }
    }

    /// Unlocks the windows that the lock does not ask about any more.
    private func lift(at snapshot: SessionSnapshot) {
        let locks = app.current.engine.locks(context: routing(snapshot))
        if locks { return }
        for entry in directory?.withLock(\.inOrder) ?? [] {
            entry.scene.life.unlock(.lifted, Record.Subject(scene: entry.scene.id).at(snapshot))
        }
    }

    /// Puts another version of the app in force at a snapshot, and announces that.
    /// - Parameter announceCommit: Announces the commit by which the facts became those of the new version. What follows from either,
    ///   such as a lock that is lifted, comes after both.
    func adopt(_ loaded: LoadedApp, at snapshot: SessionSnapshot, announceCommit: () -> Void) {
        activity.began(ActivityMonitor.session)
        defer { activity.ended(ActivityMonitor.session) }
        app.current = loaded
        log.append(
            .manifestLoaded(
                version: loaded.manifest.version,
                manifest: loaded.digest,
                truths: loaded.truths(routing(snapshot))
            ),
            Record.Subject(revision: snapshot.revision, epoch: snapshot.epoch),
            keeping: [.manifest(loaded.kept)]
        )
        announceCommit()
        lift(at: snapshot)
        directory?.withLock { directory in
            directory.adopt(loaded.manifest.configurations)
            for entry in directory.inOrder { entry.scene.sessionDidCommit() }
        }
    }
}

extension SessionSnapshot {
    /// The facts that are not as they were, each with its value, if it has one.
    fileprivate func facts(changedSince before: SessionSnapshot) -> [String: FactValue?] {
        var changed = facts.filter { before.facts[$0.key] != $0.value }.mapValues(Optional.some)
        for name in before.facts.keys where facts[name] == nil { changed.updateValue(nil, forKey: name) }
        return changed
    }
}

extension LoadedApp {
    /// Which preconditions hold, and which conditions that look at no parameter, as records carry it.
    func truths(_ context: RoutingContext) -> Record.Truths {
        let truths = engine.truths(context: context)
        var stale: [String]?
        if context.isStale {
            let shown = engine.truths(context: context.forWhatIsShown)
            stale = zip(truths, shown).compactMap { $0.holds == $1.holds ? nil : $0.name }
        }
        return Record.Truths(all: truths.map { Record.Truth(name: $0.name, holds: $0.holds) }, stale: stale)
    }
}
