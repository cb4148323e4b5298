internal import SceneRouting

extension SceneHost {
    /// Waits until nothing is going on in the scene, or with `nil` in any: mailboxes empty, no transition, nothing
    /// held. What is parked is quiet. With `nil` the moment is recorded as `host.quiet`.
    public func quiesce(scene: String? = nil) async {
        await withCheckedContinuation { continuation in
            _ = whenQuiet(scene) { continuation.resume() }
        }
    }

    /// Whether the host is stopping or has stopped, and takes nothing new.
    public var isDraining: Bool { directory.withLock { $0.isDraining } }

    /// Stops the host: admits nothing new, releases holds, completes transitions at once, dispatches what is queued,
    /// and after ``HostSettings/drainTimeout`` abandons the rest. Returns when every scene has ended.
    ///
    /// - Parameters:
    ///   - timeout: Instead of ``HostSettings/drainTimeout``; with zero all that has not begun is abandoned.
    ///   - timeouts: The clock that the timeout goes by, where the host's own stands still.
    public func drain(within timeout: Duration? = nil, timeouts: (any RuntimeClock)? = nil) async {
        let entries = directory.withLock { directory in
            directory.isDraining = true
            return directory.inOrder
        }
        let timeout = timeout ?? settings.drainTimeout
        let close = {
            for entry in entries {
                entry.scene.giveUp(entry.scene.mailbox.close(), reason: "shutdown", refusing: .draining)
            }
        }
        // Without any time to finish it, what is queued behind a hold must not begin.
        if timeout <= .zero { close() }
        checkpoints.open()
        timer.hurry()
        await session.stop()
        if timeout > .zero {
            await waitUntilQuiet(for: timeout, timeouts ?? clock)
            close()
        }
        for entry in entries {
            await withCheckedContinuation { continuation in
                entry.scene.whenEnded { continuation.resume() }
            }
        }
        let isFirst = directory.withLock { directory in
            defer { directory.hasStopped = true }
            return !directory.hasStopped
        }
        if isFirst { records.append(.hostStopped) }
    }

    private func waitUntilQuiet(for timeout: Duration, _ clock: any RuntimeClock) async {
        let deadline = clock.now + timeout
        let activity = self.activity
        let over = CompletionSignal()
        // Ends at the deadline at the latest; cancelled by whoever is first.
        let timeout = Task {
            _ = try? await clock.sleep(until: deadline)
            over.reach()
        }
        activity.when(.quiet(nil)) {
            timeout.cancel()
            over.reach()
        }
        await withCheckedContinuation { continuation in over.wait { continuation.resume() } }
    }
}
