internal import SceneNavigation
internal import SceneRouting
internal import Synchronization

extension SceneHost {
    /// Opens a window.
    ///
    /// - Parameters:
    ///   - id: The scene's ID, 1 to 64 letters, digits, `-`, `_` or `.`; `nil` makes one.
    ///   - configuration: A configuration of the manifest; `nil` takes the first.
    @discardableResult
    public func connect(scene id: String? = nil, configuration: String? = nil) throws(SceneError) -> SceneStatus {
        if let id, !Self.isSceneID(id) { throw .invalidSceneID(id) }
        // The session's lock is taken first, so that no commit falls between the first window and the first sweep.
        let result: Result<SceneDirectory.Entry, SceneError> = store.withNewest { newest in
            state.mutex.withLock { state in
                Result { () throws(SceneError) in try open(id, configuration: configuration, at: newest, in: &state) }
            }
        }
        return status(of: try result.get())
    }

    /// A window's state now.
    public func scene(_ id: String) throws(SceneError) -> SceneStatus {
        guard let entry = state.mutex.withLock({ $0.directory.entries[id] }) else { throw .unknownScene(id) }
        return status(of: entry)
    }

    /// Every window's state, in the order opened.
    public var scenes: [SceneStatus] {
        let entries = state.mutex.withLock { state in state.directory.order.compactMap { state.directory.entries[$0] } }
        return entries.map(status)
    }

    /// Opens a scene; called with the session's and the directory's locks held.
    func open(
        _ id: String?,
        configuration name: String?,
        at newest: SessionSnapshot,
        in state: inout State
    ) throws(SceneError) -> SceneDirectory.Entry {
        let manifest = app.current.manifest
        guard !state.isDraining else { throw .draining }
        if let id, state.directory.entries[id] != nil { throw .sceneExists(id) }
        guard
            let configuration = name.map({ name in manifest.configurations.first { $0.name == name } })
                ?? manifest.configurations.first
        else { throw .unknownConfiguration(name ?? "") }
        guard state.directory.entries.count < manifest.policies.maximumScenes else {
            throw .tooManyScenes(limit: manifest.policies.maximumScenes)
        }
        let id = id ?? state.directory.makeID()
        let window = app.current.cleanWindow(routingContext(newest))
        let host = self
        let context = SceneContext(
            scene: id,
            settings: settings,
            clock: clock,
            app: app,
            store: store,
            session: session,
            coordinators: coordinators,
            log: records,
            ledger: ledger,
            checkpoints: checkpoints,
            timer: timer,
            report: report,
            activate: { [weak host] in host?.activate(id) }
        )
        let scene = Scene(
            context: context,
            configuration: configuration.name,
            window: window,
            activity: activity,
            executor: executors.scene(state.directory.connected),
            newest: newest
        )
        state.directory.insert(
            SceneDirectory.Entry(scene: scene, configuration: configuration, activation: .unattached)
        )
        activate(id, in: &state)
        // Ends when the mailbox is closed; draining awaits it.
        state.directory.setConsumer(Task { await scene.run() }, of: id)
        return state.directory.entries[id]
            ?? SceneDirectory.Entry(
                scene: scene,
                configuration: configuration,
                activation: .unattached
            )
    }

    func activate(_ scene: String) {
        state.mutex.withLock { activate(scene, in: &$0) }
    }

    private func activate(_ scene: String, in state: inout State) {
        state.directory.activate(scene) { from, to in
            records.append(.sceneActivation(from: from, to: to), Record.Subject(scene: scene))
        }
    }

    private func status(of entry: SceneDirectory.Entry) -> SceneStatus {
        let published = entry.scene.published.current
        return SceneStatus(
            id: entry.scene.id,
            configuration: entry.configuration.name,
            activation: entry.activation,
            isConnected: true,
            admitted: entry.scene.mailbox.lastTicket,
            settled: published.settled,
            window: published.window,
            isTransitioning: published.isTransitioning,
            coordinatorTree: published.coordinators,
            coordinatorsAttached: published.counts.attached,
            coordinatorsDetached: published.counts.detached,
            parked: published.parked,
            revision: published.revision
        )
    }

    private static func isSceneID(_ id: String) -> Bool {
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
