extension SceneHost {
    /// Holds, until released, every dispatch, resume or sweep that reaches `point`.
    ///
    /// - Parameters:
    ///   - point: The point.
    ///   - scene: Holds only in this scene.
    ///   - event: Holds only the event with this ID.
    ///   - kind: Holds only dispatches, only resumes or only sweeps.
    ///   - name: The hold's ID; `nil` for one that the host makes.
    ///   - owner: Whose hold it is, for ``holds(of:)``.
    /// - Returns: The hold's ID; `nil` if a hold that is not released yet has this name.
    /// - Throws: ``SceneError/unknownScene(_:)``, or ``SceneError/draining`` once the host is stopping.
    public func hold(
        _ point: HoldPoint,
        scene: String? = nil,
        event: String? = nil,
        kind: DispatchKind? = nil,
        name: String?,
        owner: Int? = nil
    ) throws(SceneError) -> String? {
        if let scene { _ = try self.scene(scene) }
        return try checkpoints.hold(point, scene: scene, event: event, kind: kind, name: name, owner: owner)
    }

    /// Holds, under a name that the host makes.
    /// - Returns: The hold's ID.
    /// - Throws: ``SceneError/unknownScene(_:)``, or ``SceneError/draining`` once the host is stopping.
    public func hold(
        _ point: HoldPoint,
        scene: String? = nil,
        event: String? = nil,
        kind: DispatchKind? = nil
    ) throws(SceneError) -> String {
        // A name that is made is free.
        try hold(point, scene: scene, event: event, kind: kind, name: nil) ?? ""
    }

    /// The owner of each hold that has one.
    package var holdOwners: [Int] { checkpoints.owners }

    /// The holds of this owner, the oldest first.
    public func holds(of owner: Int) -> [String] { checkpoints.holds(of: owner) }

    /// Releases everything that the hold has caught, and removes the hold.
    /// - Returns: Whether there was such a hold.
    @discardableResult
    public func release(_ hold: String) -> Bool {
        checkpoints.release(hold)
    }

    /// Calls `notify` with the next thing that the hold catches, each catch once, or `onReleased` if the hold is released
    /// first.
    ///
    /// Either runs on any thread and must not block.
    /// - Returns: A token for ``stopAwaiting(_:of:)``, or `nil` if there is no such hold.
    public func whenCaught(
        by hold: String,
        _ notify: @escaping @Sendable (HeldDispatch) -> Void,
        onReleased: @escaping @Sendable () -> Void = {}
    ) -> Int? {
        checkpoints.claim(hold, notify, onReleased: onReleased)
    }

    /// Stops waiting for a catch.
    /// - Returns: Whether it was still waiting; if not, it has been called back.
    @discardableResult
    public func stopAwaiting(_ token: Int, of hold: String) -> Bool {
        checkpoints.forget(claim: token, of: hold)
    }

    /// Calls `notify` once, when the scene is quiet (<doc:MailboxOrder#Quiet>); immediately if it already is. `notify` must
    /// return at once.
    ///
    /// - Parameters:
    ///   - scene: The scene's ID. With `nil` all scenes have to be quiet, and the moment is recorded as
    ///     `host.quiet`, once for all who wait for it.
    ///   - notify: What to do then.
    /// - Returns: A token for ``stopWaiting(_:)``.
    public func whenQuiet(_ scene: String? = nil, _ notify: @escaping @Sendable () -> Void) -> Int {
        let records = self.records
        let mark: @Sendable () -> Void = { records.append(.hostQuiet) }
        return activity.when(.quiet(scene), mark: scene == nil ? mark : nil, notify)
    }

    /// Advances a ``VirtualClock``, deadline by deadline. At each it waits until every scene is quiet, held or asleep.
    ///
    /// - Returns: The time on the host's clock afterwards; `nil` if the clock is not virtual, and nothing happened.
    @discardableResult
    public func advance(by duration: Duration) async -> Duration? {
        guard let clock = clock as? VirtualClock else { return nil }
        return await clock.advance(by: duration) { await settle() }
    }

    /// Advances a ``VirtualClock`` to a time on it, as ``advance(by:)`` does.
    ///
    /// - Returns: Whether it is that time now; `false` if the clock was past it already, `nil` if it is not virtual. Nothing
    ///   happened then.
    public func advance(to time: Duration) async -> Bool? {
        guard let clock = clock as? VirtualClock else { return nil }
        return await clock.advance(to: time) { await settle() }
    }

    /// When it is this date, in seconds since 1970-01-01T00:00:00Z, on a ``VirtualClock``; `nil` if the clock is not virtual.
    public func time(of date: Double) -> Duration? { (clock as? VirtualClock)?.time(of: date) }

    private func settle() async {
        await withCheckedContinuation { continuation in
            _ = activity.when(.settled) { continuation.resume() }
        }
        activity.goOn()
    }

    /// The time on a ``VirtualClock`` at which the next thing happens that waits for time; `nil` if nothing does, or the clock is not
    /// virtual.
    package var nextDeadline: Duration? { (clock as? VirtualClock)?.nextDeadline }

    /// Completes the transition in progress in a scene at once: its screens have told that they have arrived.
    package func completeTransition(scene: String) { timer.hurry(scene: scene) }

    /// Stops waiting for quiet.
    /// - Returns: Whether it was still waiting; if not, it has been called back.
    @discardableResult
    public func stopWaiting(_ token: Int) -> Bool {
        activity.forget(token)
    }
}
