internal import Basics
internal import SceneNavigation
package import SceneRouting

// How a host goes on where one had ended (<doc:Keeping>).
extension SceneHost {
    /// A host that goes on where one had ended: every scene is as it was between two items of its mailbox, and what had not ended begins
    /// again. Nothing moves until ``goOn()``.
    ///
    /// - Parameters:
    ///   - kept: What was kept of it.
    ///   - loaded: The app by which it went on last, or another, if that cannot be had any more.
    ///   - former: The manifests that were in force before, the newest last.
    ///   - settings: Its bounds; with the seed and the key of what was kept.
    ///   - clock: The source of time, which is not before that of the newest record.
    ///   - keeper: Keeps what comes; `nil` for a host that forgets it.
    ///   - earlier: Reads the records of before.
    package convenience init(
        goingOn kept: KeptHost,
        app loaded: LoadedApp,
        former: [(digest: String, manifest: AppManifest)] = [],
        settings: HostSettings,
        clock: any RuntimeClock = SystemClock(),
        executors: HostExecutors = .pooled(),
        report: @escaping @Sendable (ResolutionReport) -> Void = { _ in },
        code: AppCode = AppCode(),
        keeper: (any StateKeeper)?,
        earlier: (any KeptRecords)?
    ) {
        let ledger = EventLedger(EventLedger.Limits(settings))
        let open = OpenEvents(kept, ledger)
        self.init(
            app: loaded,
            former: former,
            settings: settings,
            clock: clock,
            executors: executors,
            report: report,
            code: code,
            interrupt: nil,
            session: kept.session.snapshot,
            choices: VariantChoices(kept.choices),
            records: RecordLog(
                host: kept.id,
                clock: clock,
                capacity: settings.retainedRecords,
                bytes: settings.retainedRecordBytes,
                snapshotAfter: settings.snapshotInterval,
                keeper: keeper,
                after: kept.lastRecord.index,
                earlier: earlier
            ),
            ledger: ledger,
            lastTicket: kept.lastTickets[nil] ?? 0,
            waiting: open.waiting(in: nil)
        )
        store.withNewest { newest in
            directory.withLock { directory in
                directory.goOn(after: kept.openedScenes, madeID: kept.lastMadeScene)
                for scene in kept.scenes { directory.restore(entry(of: scene, kept, open, at: newest)) }
                records.append(
                    .hostRestarted(
                        Record.Restart(
                            host: hostSnapshot(of: directory.order, at: newest),
                            again: open.begun(in: nil) + directory.order.flatMap { open.begun(in: $0) }
                        )
                    ),
                    Record.Subject(revision: newest.revision, epoch: newest.epoch)
                )
                appReceiver.recordRestart()
            }
        }
    }

    /// A scene as it was.
    private func entry(
        of scene: KeptScene,
        _ kept: KeptHost,
        _ open: OpenEvents,
        at newest: SessionSnapshot
    ) -> SceneDirectory.Entry {
        let start = KeptStart(
            scene: scene,
            isSameApp: app.current.digest == kept.manifest.digest,
            lastTicket: kept.lastTickets[scene.id] ?? 0,
            waiting: open.waiting(in: scene.id),
            parked: open.parked(in: scene)
        )
        let window = Scene(
            context: context(of: scene.id, number: scene.number - 1),
            configuration: scene.configuration,
            start: .kept(start),
            by: .system,
            activity: activity,
            executor: executors.scene(scene.number - 1),
            newest: newest
        )
        let configuration =
            app.current.manifest.configurations.first { $0.name == scene.configuration }
            ?? SceneConfiguration(name: scene.configuration)
        return SceneDirectory.Entry(
            scene: window,
            number: scene.number,
            configuration: configuration,
            willBeConnected: scene.isConnected || !start.waiting.isEmpty,
            purpose: kept.purposes[scene.id]
        )
    }

    /// Goes on: does what was due meanwhile in the session, then has each scene judged, which comes before everything else but what was in
    /// progress. Returns when that is done; before, nobody may see a window. For what was in progress nobody waits: it may take long, and its
    /// window is judged when it has ended, as after any commit.
    ///
    /// - Parameter kept: What this host was made from.
    package func goOn(_ kept: KeptHost) async {
        let entries = directory.withLock { $0.inOrder }
        var judgedFirst: [Scene] = []
        for entry in entries {
            let newest = store.snapshot
            await entry.scene.recordRestart(at: newest)
            // What waits, the sweep, and the task until it has begun.
            activity.began(entry.scene.id, count: entry.scene.mailbox.waitingCount + 2)
            if entry.scene.mailbox.postFirstSweep() { judgedFirst.append(entry.scene) }
        }
        let waiting = appReceiver.mailbox.waitingCount
        for id in directory.withLock({ $0.order }) where kept.closing.contains(id) { try? discard(scene: id) { _ in } }
        await session.resume(kept.session.deadlines)
        for entry in entries { start(entry.scene) }
        appReceiver.goOn(waiting)
        for scene in judgedFirst where !isVirtual { await scene.whenJudged() }
    }
}

/// The events that had not ended before a restart.
private struct OpenEvents {
    private let events: [EventKey: AdmittedEvent]
    /// The attempt of each event that is parked, and that it is parked since.
    private let parkedSince: [EventKey: Int]
    /// By their scenes, `nil` for the app itself, in the order of their tickets.
    private let waiting: [String?: [AdmittedEvent]]

    init(_ kept: KeptHost, _ ledger: EventLedger) {
        let progress = ledger.restore(kept.events, lastMade: kept.lastMadeEvent)
        var events: [EventKey: AdmittedEvent] = [:]
        for event in kept.events { events[event.key] = progress[event.key].map { AdmittedEvent(event, $0) } }
        let parked = kept.scenes.flatMap(\.parked).filter { events[$0.event] != nil }
        let since = Dictionary(parked.map { ($0.event, $0.attempt) }) { $1 }
        var waiting: [String?: [AdmittedEvent]] = [:]
        for event in events.values where since[event.key] == nil {
            waiting[event.progress.receipt.scene, default: []].append(event)
        }
        self.events = events
        parkedSince = since
        self.waiting = waiting.mapValues { $0.sorted { $0.ticket < $1.ticket } }
    }

    func waiting(in scene: String?) -> [AdmittedEvent] { waiting[scene] ?? [] }

    /// What a scene has parked that has not ended.
    func parked(in scene: KeptScene) -> [ParkedIntent] {
        scene.parked.compactMap { parked in events[parked.event].map { ParkedIntent(parked, $0) } }
    }

    /// The events of a scene whose attempt had begun and not ended.
    func begun(in scene: String?) -> [Record.Restart.Again] {
        let resumed = parkedSince.compactMap { key, attempt -> AdmittedEvent? in
            guard let event = events[key], event.progress.receipt.scene == scene, event.lastAttempt > attempt else {
                return nil
            }
            return event
        }
        return (waiting(in: scene).filter { $0.lastAttempt > 0 } + resumed).sorted { $0.ticket < $1.ticket }.map {
            Record.Restart.Again(scene: scene, ticket: $0.ticket, attempt: $0.lastAttempt)
        }
    }
}
