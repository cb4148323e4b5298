extension SceneHost {
    /// Begins to catch what passes `point` and fits, until released.
    ///
    /// - Returns: The hold's ID.
    /// - Throws: ``SceneError/unknownScene(_:)``, or ``SceneError/draining`` once the host is stopping.
    public func hold(
        _ point: HoldPoint,
        scene: String? = nil,
        event: String? = nil,
        kind: DispatchKind? = nil
    ) throws(SceneError) -> String {
        if let scene { _ = try self.scene(scene) }
        guard let hold = checkpoints.hold(point, scene: scene, event: event, kind: kind) else { throw .draining }
        return hold
    }

    /// Frees all that the hold caught and removes it.
    /// - Returns: Whether there was such a hold.
    @discardableResult
    public func release(_ hold: String) -> Bool {
        checkpoints.release(hold)
    }

    /// Calls `notify` with the hold's next catch that nobody has been told of, or `onReleased` if the hold goes first.
    ///
    /// Either runs on whatever thread brought it about and must not block.
    /// - Returns: A token for ``stopAwaiting(_:of:)``, or `nil` when there is no such hold.
    public func whenCaught(
        by hold: String,
        _ notify: @escaping @Sendable (HeldDispatch) -> Void,
        onReleased: @escaping @Sendable () -> Void = {}
    ) -> Int? {
        checkpoints.claim(hold, notify, onReleased: onReleased)
    }

    /// Gives up waiting for a catch.
    /// - Returns: Whether it was still waiting; if not, it has been told.
    @discardableResult
    public func stopAwaiting(_ token: Int, of hold: String) -> Bool {
        checkpoints.forget(claim: token, of: hold)
    }

    /// Calls `notify` once, when the scene, or with `nil` every scene, has nothing to do; at once if that is so. With
    /// `nil` the moment is recorded as `host.quiet`. It must return at once and not call the host.
    ///
    /// - Returns: A token for ``stopWaiting(_:)``.
    public func whenQuiet(_ scene: String? = nil, _ notify: @escaping @Sendable () -> Void) -> Int {
        let records = self.records
        return activity.when(.quiet(scene)) {
            if scene == nil { records.append(.hostQuiet) }
            notify()
        }
    }

    /// Moves time on, on a host with a ``VirtualClock``: from deadline to deadline, and at each waits until every scene is
    /// idle, held or asleep.
    ///
    /// - Returns: The time on the host's clock afterwards; `nil` where the clock is not virtual, and nothing happened.
    @discardableResult
    public func advance(by duration: Duration) async -> Duration? {
        guard let clock = clock as? VirtualClock else { return nil }
        return await clock.advance(by: duration) {
            await withCheckedContinuation { continuation in
                _ = activity.when(.settled) { continuation.resume() }
            }
        }
    }

    /// Gives up waiting for quiet.
    /// - Returns: Whether it was still waiting; if not, it has been told.
    @discardableResult
    public func stopWaiting(_ token: Int) -> Bool {
        activity.forget(token)
    }
}
