internal import Locking
public import SceneEntryPoints
public import SceneRouting

extension SceneHost {
    /// Puts another manifest in force, atomically: a dispatch in flight keeps the version it began with, whatever begins
    /// later sees the new one, and what is on screen and no longer exists is swept.
    ///
    /// - Parameter adapters: Adapters written in Swift, besides those of the manifest.
    /// - Throws: What is wrong with the manifest; the old one stays in force then.
    public func reload(
        _ manifest: AppManifest,
        adapters: [any EntryPointAdapter] = []
    ) async throws(ManifestProblems) {
        let loaded = try LoadedApp(manifest: manifest, adapters: adapters)
        await session.adopt(loaded.facts) { snapshot in
            activity.began(ActivityMonitor.session)
            defer { activity.ended(ActivityMonitor.session) }
            app.current = loaded
            records.append(
                .manifestLoaded(
                    version: manifest.version,
                    truths: loaded.truths(RoutingContext(snapshot, settings: settings, time: clock.wallTime))
                ),
                Record.Subject(revision: snapshot.revision, epoch: snapshot.epoch)
            )
            state.mutex.withLock { state in
                state.directory.adopt(manifest.configurations)
                for entry in state.directory.inOrder { entry.scene.sessionDidCommit() }
            }
        }
    }
}
