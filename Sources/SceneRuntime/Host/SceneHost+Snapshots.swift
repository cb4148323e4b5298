internal import SceneRouting

extension SceneHost {
    /// How many scenes a host may have that makes snapshots: one record names them all.
    private static let mostScenesInSnapshot = 10_000

    /// Records what the host and its session are, and queues a snapshot in every scene (<doc:Records#Snapshots>). The next one is
    /// due after so many records that snapshots stay a small part of them.
    func recordSnapshot() {
        // No commit can come between, and no scene can be opened or discarded.
        store.withNewest { newest in
            directory.withLock { directory in
                guard !directory.hasStopped else { return }
                let ids = directory.recorded
                records.scheduleSnapshot(after: max(settings.snapshotInterval, HostSettings.snapshotShare * ids.count))
                guard ids.count <= Self.mostScenesInSnapshot else { return }
                records.append(
                    .hostSnapshot(hostSnapshot(of: ids, at: newest)),
                    Record.Subject(revision: newest.revision, epoch: newest.epoch)
                )
                appReceiver.postSnapshot()
                for entry in directory.inOrder { entry.scene.postSnapshot() }
            }
        }
    }

    /// What the host and its session are.
    func hostSnapshot(of scenes: [String], at newest: SessionSnapshot) -> Record.HostSnapshot {
        let loaded = app.current
        return Record.HostSnapshot(
            app: loaded.manifest.name,
            manifestVersion: loaded.manifest.version,
            manifest: loaded.digest,
            hasCode: code.decides,
            appVersion: settings.appVersion,
            user: newest.user,
            truths: loaded.truths(routing(newest)),
            facts: newest.facts,
            scenes: scenes
        )
    }
}
