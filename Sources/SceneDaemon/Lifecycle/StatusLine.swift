internal import NIOCore
internal import Basics

/// Keeps the status that `systemctl status` shows up to date: at most once a second, and only when it has changed.
final class StatusLine: Sendable {
    private struct State {
        var last = ""
        var due: Scheduled<Void>?
        var isOver = false
    }

    private let eventLoop: any EventLoop
    private let pause: TimeAmount
    private let text: @Sendable () -> String
    private let show: @Sendable (String) -> Void
    private let state = Guarded(State())

    init(
        eventLoop: any EventLoop,
        pause: TimeAmount = .seconds(1),
        text: @escaping @Sendable () -> String,
        show: @escaping @Sendable (String) -> Void
    ) {
        self.eventLoop = eventLoop
        self.pause = pause
        self.text = text
        self.show = show
    }

    /// Called when something in the line may have changed. Returns at once; may be called on any thread and under any lock.
    func changed() {
        state.withLock { state in
            guard state.due == nil, !state.isOver else { return }
            state.due = eventLoop.scheduleTask(in: pause) { self.update() }
        }
    }

    /// Shows the line now, if it has changed.
    func update() {
        let text = text()
        let isNew = state.withLock { state in
            state.due = nil
            defer { state.last = text }
            return state.last != text && !state.isOver
        }
        if isNew { show(text) }
    }

    /// Shows nothing any more, because the daemon stops and the status says so. The event loop may end afterwards.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.due?.cancel()
        }
    }
}
