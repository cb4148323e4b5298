internal import SceneRouting

extension SceneHost {
    /// Waits until the scene is quiet (<doc:MailboxOrder#Quiet>).
    /// - Parameter scene: The scene's ID. With `nil` all scenes have to be quiet, and the moment is recorded as `host.quiet`.
    public func quiesce(scene: String? = nil) async {
        await withCheckedContinuation { continuation in
            _ = whenQuiet(scene) { continuation.resume() }
        }
        activity.goOn()
    }

    /// Whether the host is stopping or has stopped, and admits nothing new.
    public var isDraining: Bool { directory.withLock { $0.isDraining } }

    /// Stops the host (<doc:Stopping>): admits nothing new, releases holds, completes transitions at once, dispatches what is
    /// queued, and after the timeout abandons the rest. Returns when every scene has ended.
    ///
    /// - Parameters:
    ///   - timeout: The timeout; `nil` takes ``HostSettings/drainTimeout``. With zero everything that has not begun is
    ///     abandoned.
    ///   - timeouts: The clock for the timeout; `nil` takes the host's. A host whose clock stands still needs another.
    public func drain(within timeout: Duration? = nil, timeouts: (any RuntimeClock)? = nil) async {
        let entries = directory.withLock { directory in
            directory.isDraining = true
            return directory.inOrder
        }
        let timeout = timeout ?? settings.drainTimeout
        let close = { [appReceiver] in
            appReceiver.close()
            for entry in entries {
                entry.scene.giveUp(entry.scene.mailbox.close(), reason: "shutdown", refusing: .draining)
            }
        }
        // With no time to finish it, what is queued behind a hold must not begin.
        if timeout <= .zero {
            stopKeeping()
            close()
        }
        checkpoints.open()
        timer.hurry()
        // Of a host that forgets nothing may change any more; what another keeps goes on after the restart.
        if !records.keeps { await session.stop() }
        if timeout > .zero {
            await waitUntilQuiet(for: timeout, timeouts ?? clock)
            // What is abandoned from here on is not: it is dispatched after the restart.
            stopKeeping()
            await session.stop()
            close()
        }
        for entry in entries {
            await withCheckedContinuation { continuation in
                entry.scene.whenEnded { continuation.resume() }
            }
        }
        await withCheckedContinuation { continuation in appReceiver.whenEnded { continuation.resume() } }
        let isFirst = directory.withLock { directory in
            defer { directory.hasStopped = true }
            return !directory.hasStopped
        }
        if isFirst { records.append(.hostStopped) }
    }

    /// Keeps and records nothing of what happens from now on. Does nothing in a host that forgets.
    package func stopKeeping() {
        // Not in the middle of a step.
        store.withNewest { _ in records.stopKeeping() }
    }

    private func waitUntilQuiet(for timeout: Duration, _ clock: any RuntimeClock) async {
        let deadline = clock.now + timeout
        let activity = self.activity
        let over = CompletionSignal()
        // Ends at the deadline at the latest, and is cancelled if the host is quiet before.
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
