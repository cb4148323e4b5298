import Basics

/// A clock that stands still until a test advances it.
final class TestClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let wake: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Sleeper] = []
        var lastID = 0
        var cancelled: Set<Int> = []
        /// Wait until a task sleeps.
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Guarded(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isOver, watchers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
                    if state.cancelled.contains(id) { return (nil, []) }
                    if deadline <= state.now { return (true, []) }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, wake: continuation))
                    defer { state.watchers = [] }
                    return (false, state.watchers)
                }
                for watcher in watchers { watcher.resume() }
                switch isOver {
                case nil: continuation.resume(throwing: CancellationError())
                case true?: continuation.resume()
                case false?: break
                }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                defer { state.sleepers.removeAll { $0.id == id } }
                return state.sleepers.first { $0.id == id }
            }
            sleeper?.wake.resume(throwing: CancellationError())
        }
    }

    /// Waits until a task sleeps, then advances and wakes the tasks that are due.
    func advance(by duration: Duration) async {
        await settle()
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due { sleeper.wake.resume() }
    }

    /// Waits until a task sleeps.
    func settle() async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.sleepers.isEmpty { state.watchers.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isSo { continuation.resume() }
        }
    }
}
