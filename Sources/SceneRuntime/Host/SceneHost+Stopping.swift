internal import SceneRouting
internal import Locking

extension SceneHost {
    /// Waits until nothing is going on in the scene, or with `nil` in any: mailboxes empty, no transition, nothing
    /// held. What is parked is quiet. With `nil` the moment is recorded as `host.quiet`.
    public func quiesce(scene: String? = nil) async {
        await withCheckedContinuation { continuation in
            _ = whenQuiet(scene) { continuation.resume() }
        }
    }

    /// Whether the host is stopping or has stopped, and takes nothing new.
    public var isDraining: Bool { state.mutex.withLock { $0.isDraining } }

    /// Stops the host: admits nothing new, releases holds, completes transitions at once, dispatches what is queued,
    /// and after ``HostSettings/drainTimeout`` abandons the rest. Returns when every scene has ended.
    ///
    /// - Parameters:
    ///   - timeout: Instead of ``HostSettings/drainTimeout``; with zero all that has not begun is abandoned.
    ///   - timeouts: The clock that the timeout goes by, where the host's own stands still.
    public func drain(within timeout: Duration? = nil, timeouts: (any RuntimeClock)? = nil) async {
        let entries = state.mutex.withLock { state in
            state.isDraining = true
            return state.directory.order.compactMap { state.directory.entries[$0] }
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
        let isFirst = state.mutex.withLock { state in
            defer { state.hasStopped = true }
            return !state.hasStopped
        }
        if isFirst { records.append(.hostStopped) }
    }

    private func waitUntilQuiet(for timeout: Duration, _ clock: any RuntimeClock) async {
        let deadline = clock.now + timeout
        let activity = self.activity
        await withCheckedContinuation { continuation in
            let race = Race(continuation)
            // Ends at the deadline at the latest; cancelled by whoever is first.
            let timeout = Task {
                _ = try? await clock.sleep(until: deadline)
                race.finish()
            }
            activity.when(.quiet(nil)) {
                timeout.cancel()
                race.finish()
            }
        }
    }

    /// Resumes a continuation at the first of two occasions.
    private final class Race: Sendable {
        private let continuation: Guarded<CheckedContinuation<Void, Never>?>

        init(_ continuation: CheckedContinuation<Void, Never>) {
            self.continuation = Guarded(continuation)
        }

        func finish() {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume()
        }
    }
}
