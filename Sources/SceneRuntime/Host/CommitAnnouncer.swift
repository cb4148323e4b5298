internal import SceneRouting

/// The way from a commit to the windows: it is recorded, then every window is asked for a sweep.
///
/// Called by the session with its lock held, for every commit in order, before anybody can read the new snapshot.
struct CommitAnnouncer: Sendable {
    let app: CurrentApp
    let log: RecordLog
    let activity: ActivityMonitor
    let routing: @Sendable (SessionSnapshot) -> RoutingContext
    /// Weakly: scenes hold the session, and held by it in turn they would outlive their host.
    weak let directory: SharedDirectory?

    /// Announces what has been committed.
    func announce(_ snapshot: SessionSnapshot, _ origin: CommitOrigin) {
        // Busy from before the commit is recorded, so that no quiet falls between it and the sweeps it causes.
        activity.began(ActivityMonitor.session)
        defer { activity.ended(ActivityMonitor.session) }
        log.append(
            .sessionCommitted(user: snapshot.user, origin: origin, truths: app.current.truths(routing(snapshot))),
            Record.Subject(
                scene: origin.scene,
                event: origin.event,
                connection: origin.connection,
                revision: snapshot.revision,
                epoch: snapshot.epoch
            )
        )
        directory?.withLock { directory in
            for entry in directory.inOrder { entry.scene.sessionDidCommit() }
        }
    }

    /// Puts another version of the app in force for a snapshot, and announces that.
    func adopt(_ loaded: LoadedApp, at snapshot: SessionSnapshot) {
        activity.began(ActivityMonitor.session)
        defer { activity.ended(ActivityMonitor.session) }
        app.current = loaded
        log.append(
            .manifestLoaded(version: loaded.manifest.version, truths: loaded.truths(routing(snapshot))),
            Record.Subject(revision: snapshot.revision, epoch: snapshot.epoch)
        )
        directory?.withLock { directory in
            directory.adopt(loaded.manifest.configurations)
            for entry in directory.inOrder { entry.scene.sessionDidCommit() }
        }
    }
}

extension LoadedApp {
    /// What records say of a session: the truth of every precondition and condition that has no parameter.
    func truths(_ context: RoutingContext) -> [Record.Truth] {
        engine.truths(context: context).map { Record.Truth(name: $0.name, holds: $0.holds) }
    }
}
