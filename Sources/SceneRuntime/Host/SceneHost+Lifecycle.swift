internal import SceneNavigation
internal import SceneRouting

extension SceneHost {
    /// Changes a scene's activation state, after everything that it had admitted before.
    ///
    /// - Parameters:
    ///   - activation: The state that it gets.
    ///   - scene: The scene's ID.
    ///   - then: Called once, with the scene as it is then or with ``SceneError/illegalActivation(scene:from:to:)``.
    ///     It runs on any thread and must not block.
    /// - Throws: ``SceneError/unknownScene(_:)``, or ``SceneError/draining``.
    public func setActivation(
        _ activation: Activation,
        of scene: String,
        then: @escaping @Sendable (Result<SceneStatus, SceneError>) -> Void
    ) throws(SceneError) {
        try post(.activate(activation), to: scene, then) { _ in nil }
    }

    /// Releases a scene's window, after everything that the scene had admitted before. Its parked intents and their flows
    /// survive. An event, or connecting the scene again, brings the window back.
    ///
    /// - Parameters:
    ///   - scene: The scene's ID.
    ///   - then: As in ``setActivation(_:of:then:)``. A scene that is already disconnected is refused.
    /// - Throws: ``SceneError``.
    public func disconnect(
        scene: String,
        then: @escaping @Sendable (Result<SceneStatus, SceneError>) -> Void
    ) throws(SceneError) {
        try post(.disconnect, to: scene, then) { entry in
            guard entry.willBeConnected else {
                return .illegalActivation(scene: scene, from: "disconnected", to: "disconnected")
            }
            return nil
        }
    }

    /// Discards a scene at once: everything that it had admitted is abandoned, whether waiting, running or parked. Another
    /// scene can have its ID when `then` is called.
    ///
    /// - Parameters:
    ///   - id: The scene's ID.
    ///   - then: Called once, with the scene as it was last, when nothing is going on in it any more. It runs on any
    ///     thread and must not block.
    /// - Throws: ``SceneError/unknownScene(_:)``, or ``SceneError/draining``.
    public func discard(
        scene id: String,
        then: @escaping @Sendable (SceneStatus) -> Void
    ) throws(SceneError) {
        // Take the session's lock, so that no op begins afterwards.
        let entry = try store.withNewest { _ throws(SceneError) in
            try directory.withLock { directory throws(SceneError) in
                guard !directory.isDraining else { throw .draining }
                guard let entry = directory.remove(id) else { throw .unknownScene(id) }
                entry.scene.life.discard()
                return entry
            }
        }
        finishDiscarding(entry, then: then)
    }

    /// Abandons what a scene has admitted that has been removed from the directory, and is discarded.
    ///
    /// - Parameter then: As in ``discard(scene:then:)``.
    func finishDiscarding(_ entry: SceneDirectory.Entry, then: @escaping @Sendable (SceneStatus) -> Void) {
        let id = entry.scene.id
        activity.began(id)
        let refusal = isDraining ? SceneError.draining : .unknownScene(id)
        let waiting = entry.scene.mailbox.close()
        entry.scene.giveUp(waiting, reason: "sceneDiscarded", refusing: refusal)
        checkpoints.free(scene: id)
        timer.hurry(scene: id)
        entry.scene.whenEnded {
            self.directory.withLock { $0.free(id) }
            then(self.status(of: entry))
            self.activity.ended(id)
        }
    }

    /// Does what ``setActivation(_:of:then:)`` does, and waits for it.
    @discardableResult
    public func setActivation(_ activation: Activation, of scene: String) async throws(SceneError) -> SceneStatus {
        try await wait { then throws(SceneError) in try setActivation(activation, of: scene, then: then) }
    }

    /// Does what ``disconnect(scene:then:)`` does, and waits for it.
    @discardableResult
    public func disconnect(scene: String) async throws(SceneError) -> SceneStatus {
        try await wait { then throws(SceneError) in try disconnect(scene: scene, then: then) }
    }

    /// Does what ``connect(scene:configuration:restoring:of:inBackground:)`` does, and waits until the window is there.
    @discardableResult
    public func reconnect(scene: String, configuration: String? = nil) async throws(SceneError) -> SceneStatus {
        try await wait { then throws(SceneError) in
            try connect(scene: scene, configuration: configuration, then: then)
        }
    }

    /// Does what ``discard(scene:then:)`` does, and waits for it.
    @discardableResult
    public func discard(scene: String) async throws(SceneError) -> SceneStatus {
        try await wait { then throws(SceneError) in try discard(scene: scene) { then(.success($0)) } }
    }

    /// Queues the reconnection of a disconnected scene.
    /// - Returns: The scene, or `nil` if none has this ID.
    func reconnect(
        _ id: String,
        configuration name: String?,
        _ saved: SavedWindow?,
        by opener: SceneLifecycle.Opener,
        _ then: @escaping @Sendable (Result<SceneStatus, SceneError>) -> Void,
        in directory: inout SceneDirectory
    ) throws(SceneError) -> SceneDirectory.Entry? {
        guard let entry = directory.entries[id] else { return nil }
        guard !directory.isDraining else { throw .draining }
        guard !entry.willBeConnected else { throw .sceneExists(id) }
        if let name {
            guard let configuration = app.current.manifest.configurations.first(where: { $0.name == name }) else {
                throw .unknownConfiguration(name)
            }
            directory.setConfiguration(configuration, of: id)
        }
        let configuration = directory.entries[id]?.configuration.name ?? entry.configuration.name
        try queue(.connect(configuration: configuration, saved, by: opener), entry, then)
        directory.setWillBeConnected(true, id)
        return entry
    }

    private func post(
        _ kind: LifecycleChange.Kind,
        to id: String,
        _ then: @escaping @Sendable (Result<SceneStatus, SceneError>) -> Void,
        refusal: (SceneDirectory.Entry) -> SceneError?
    ) throws(SceneError) {
        try directory.withLock { directory throws(SceneError) in
            guard !directory.isDraining else { throw .draining }
            guard let entry = directory.entries[id] else { throw .unknownScene(id) }
            if let error = refusal(entry) { throw error }
            try queue(kind, entry, then)
            if case .disconnect = kind { directory.setWillBeConnected(false, id) }
        }
    }

    func queue(
        _ kind: LifecycleChange.Kind,
        _ entry: SceneDirectory.Entry,
        _ then: @escaping @Sendable (Result<SceneStatus, SceneError>) -> Void
    ) throws(SceneError) {
        let change = LifecycleChange(kind: kind) { error in
            then(error.map(Result.failure) ?? .success(self.status(of: entry)))
        }
        activity.began(entry.scene.id)
        do throws(SceneError) {
            try entry.scene.mailbox.post(change, of: entry.scene.id)
        } catch {
            activity.ended(entry.scene.id)
            throw error
        }
    }

    private func wait(
        _ start: (@escaping @Sendable (Result<SceneStatus, SceneError>) -> Void) throws(SceneError) -> Void
    ) async throws(SceneError) -> SceneStatus {
        let result: Result<SceneStatus, SceneError> = await withCheckedContinuation { continuation in
            do throws(SceneError) {
                try start { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}
