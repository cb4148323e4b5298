internal import NIOCore
internal import Locking

/// Keeps what `systemctl status` shows up to date: said when it has changed, at most once a second, and never while
/// nothing happens.
final class StatusLine: Sendable {
    private struct State {
        var last = ""
        var due: Scheduled<Void>?
        var isOver = false
    }

    private let eventLoop: any EventLoop
    private let pause: TimeAmount
    private let text: @Sendable () -> String
    private let say: @Sendable (String) -> Void
    private let state = Guarded(State())

    init(
        eventLoop: any EventLoop,
        pause: TimeAmount = .seconds(1),
        text: @escaping @Sendable () -> String,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.eventLoop = eventLoop
        self.pause = pause
        self.text = text
        self.say = say
    }

    /// Something that the line tells of may have changed. Returns at once, on any thread, under any lock.
    func changed() {
        state.withLock { state in
            guard state.due == nil, !state.isOver else { return }
            state.due = eventLoop.scheduleTask(in: pause) { self.update() }
        }
    }

    /// Says it now, if it is new.
    func update() {
        let text = text()
        let isNew = state.withLock { state in
            state.due = nil
            defer { state.last = text }
            return state.last != text && !state.isOver
        }
        if isNew { say(text) }
    }

    /// Says nothing any more: the daemon stops, and something else is to be seen. The event loop may go from here on.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.due?.cancel()
        }
    }
}
