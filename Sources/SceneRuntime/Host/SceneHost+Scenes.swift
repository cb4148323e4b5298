public import SceneNavigation
internal import SceneRouting

extension SceneHost {
    /// Opens a window.
    ///
    /// A disconnected scene is connected again, after everything that it had admitted before: its window is restored, checked
    /// against the session before anything shows. ``connect(scene:configuration:restoring:of:inBackground:then:)`` calls back when it is.
    /// - Parameters:
    ///   - id: The scene's ID, 1 to 64 ASCII letters, digits, `-`, `_` or `.`; `nil` makes one.
    ///   - configuration: A configuration of the manifest; `nil` takes the first, or the one that a disconnected scene had.
    ///   - saved: A window to restore, such as one of an earlier run. What the app no longer knows is left out
    ///     (``/SceneNavigation/WindowRestoration``), and then what the session does not allow. `nil` shows the app's start,
    ///     or what a disconnected scene showed.
    ///   - owner: Whose the saved window was (``SceneStatus/owner``); `nil` gives it to who is signed in when it is shown.
    ///   - inBackground: Whether nobody looks at it, as when the system connects a scene: it goes to the background instead of
    ///     the front.
    /// - Returns: The scene as it is now.
    /// - Throws: ``SceneError``.
    @discardableResult
    public func connect(
        scene id: String? = nil,
        configuration: String? = nil,
        restoring saved: WindowState? = nil,
        of owner: WindowOwner? = nil,
        inBackground: Bool = false
    ) throws(SceneError) -> SceneStatus {
        try connect(
            scene: id,
            configuration: configuration,
            restoring: saved,
            of: owner,
            inBackground: inBackground
        ) { _ in }
    }

    /// Does what ``connect(scene:configuration:restoring:of:inBackground:)`` does, and calls `then` once, when the window is there or the
    /// scene is gone.
    ///
    /// - Parameters:
    ///   - id: The scene's ID; `nil` makes one.
    ///   - configuration: The scene configuration; `nil` takes the manifest's first.
    ///   - saved: What the window showed before, to restore.
    ///   - owner: Whose that was.
    ///   - inBackground: Whether nobody looks at it, so that it goes to the background.
    ///   - then: It runs on any thread and must not block.
    @discardableResult
    public func connect(
        scene id: String?,
        configuration: String?,
        restoring saved: WindowState? = nil,
        of owner: WindowOwner? = nil,
        inBackground: Bool = false,
        then: @escaping @Sendable (Result<SceneStatus, SceneError>) -> Void
    ) throws(SceneError) -> SceneStatus {
        if let id, !Self.isSceneID(id) { throw .invalidSceneID(id) }
        let saved = saved.map { SavedWindow(state: $0, owner: owner) }
        let opener = inBackground ? SceneLifecycle.Opener.system : .person
        // The session's lock is taken first, so that no commit falls between the first window and the first sweep.
        let (entry, isNew) = try store.withNewest { newest throws(SceneError) in
            try directory.withLock { directory throws(SceneError) -> (SceneDirectory.Entry, isNew: Bool) in
                let reconnected = try id.flatMap { id throws(SceneError) in
                    try reconnect(id, configuration: configuration, saved, by: opener, then, in: &directory)
                }
                if let reconnected { return (reconnected, false) }
                let entry = try open(
                    id,
                    configuration: configuration,
                    restoring: saved,
                    by: opener,
                    at: newest,
                    in: &directory
                )
                return (entry, true)
            }
        }
        let status = status(of: entry)
        if isNew { then(.success(status)) }
        return status
    }

    /// The state of a scene now.
    /// - Throws: ``SceneError/unknownScene(_:)``.
    public func scene(_ id: String) throws(SceneError) -> SceneStatus {
        guard let entry = directory.withLock({ $0.entries[id] }) else { throw .unknownScene(id) }
        return status(of: entry)
    }

    /// The states of all scenes, in the order opened.
    public var scenes: [SceneStatus] {
        directory.withLock { $0.inOrder }.map(status)
    }

    /// The states of the scenes opened after the one with this ``SceneStatus/number``, in the order opened, at most `limit`.
    public func scenes(after number: Int, limit: Int) -> [SceneStatus] {
        directory.withLock { $0.opened(after: number, limit: limit) }.map(status)
    }

    /// Opens a scene. Called with the session's and the directory's locks held.
    func open(
        _ id: String?,
        configuration name: String?,
        restoring saved: SavedWindow? = nil,
        by opener: SceneLifecycle.Opener,
        at newest: SessionSnapshot,
        in directory: inout SceneDirectory
    ) throws(SceneError) -> SceneDirectory.Entry {
        let configuration = try checkOpening(id, configuration: name, in: directory)
        let id = id ?? directory.makeID()
        let number = directory.connected
        // Until its task has begun: between the records of a new window nothing is quiet.
        activity.began(id)
        let context = context(of: id, number: number)
        let scene = Scene(
            context: context,
            configuration: configuration.name,
            start: saved.map(Scene.Start.restored) ?? .clean(app.current.cleanWindow(routing(newest))),
            by: opener,
            activity: activity,
            executor: executors.scene(number),
            newest: newest
        )
        start(scene)
        let entry = SceneDirectory.Entry(scene: scene, number: number + 1, configuration: configuration)
        directory.insert(entry)
        return entry
    }

    /// Starts a scene that has been counted as activity.
    func start(_ scene: Scene) {
        // The task ends once the mailbox is closed. Draining and discarding close it and wait for that.
        Task(name: scene.taskName) { [activity] in
            activity.ended(scene.id)
            await scene.run()
        }
    }

    /// What the parts of a scene need.
    /// - Parameter number: How many scenes were opened before.
    func context(of id: String, number: Int) -> SceneContext {
        SceneContext(
            scene: id,
            number: number + 1,
            settings: settings,
            clock: clock,
            app: app,
            store: store,
            session: session,
            code: code,
            handle: handle(of: id),
            log: records,
            ledger: ledger,
            checkpoints: checkpoints,
            interrupted: interrupted,
            timer: timer,
            report: report,
            life: SceneLifecycle(scene: id, log: records, order: activations),
            recordHostSnapshot: { [weak self] in self?.recordSnapshot() },
            windows: windowDesk,
            pause: executors.pause(of: number)
        )
    }

    /// The configuration in which a new scene opens.
    /// - Throws: Why it cannot be opened.
    func checkOpening(
        _ id: String?,
        configuration name: String?,
        in directory: SceneDirectory
    ) throws(SceneError) -> SceneConfiguration {
        let manifest = app.current.manifest
        guard !directory.isDraining else { throw .draining }
        if let id, directory.isTaken(id) { throw .sceneExists(id) }
        guard
            let configuration = name.map({ name in manifest.configurations.first { $0.name == name } })
                ?? manifest.configurations.first
        else { throw .unknownConfiguration(name ?? "") }
        guard directory.entries.count < manifest.policies.maximumScenes else {
            throw .tooManyScenes(limit: manifest.policies.maximumScenes)
        }
        return configuration
    }

    func status(of entry: SceneDirectory.Entry) -> SceneStatus {
        let published = entry.scene.published.current
        let life = entry.scene.life.current
        return SceneStatus(
            id: entry.scene.id,
            number: entry.number,
            configuration: entry.configuration.name,
            activation: life.activation,
            isLocked: life.isLocked,
            isConnected: life.phase == .connected,
            admitted: entry.scene.mailbox.lastTicket,
            settled: published.settled,
            window: published.window,
            owner: published.owner,
            isTransitioning: published.isTransitioning,
            coordinatorTree: published.coordinators,
            coordinatorsAttached: published.counts.attached,
            coordinatorsDetached: published.counts.detached,
            screensMade: published.screens.made,
            screensReleased: published.screens.released,
            leaks: published.leaked,
            parked: published.parked,
            revision: published.revision
        )
    }

    /// What a scene's screens may know about it; `nil` for an app without screens.
    private func handle(of id: String) -> SceneHandle? {
        guard code.hasDisplay else { return nil }
        return SceneHandle(id: id) { [weak self] intent, reporter in
            guard let self else { throw AdmissionError.draining }
            let progress = try self.admit(Submission(.intent(intent, from: reporter), scene: id)).progress
            return {
                await withCheckedContinuation { continuation in
                    progress.notify(at: .settled) { continuation.resume(returning: $0) }
                }
            }
        }
    }

    /// Whether a scene can have this ID.
    package static func isSceneID(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
