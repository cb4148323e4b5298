import Locking

/// A clock that stands still until a test moves it.
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
                let isOver = state.withLock { state -> Bool? in
                    if state.cancelled.contains(id) { return nil }
                    if deadline <= state.now { return true }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, wake: continuation))
                    return false
                }
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

    /// Waits until somebody sleeps, and then wakes those whose time has come `duration` later.
    func advance(by duration: Duration) async {
        while state.withLock({ $0.sleepers.isEmpty }) { await Task.yield() }
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due { sleeper.wake.resume() }
    }

    /// Waits until somebody sleeps.
    func settle() async {
        while state.withLock({ $0.sleepers.isEmpty }) { await Task.yield() }
    }
}
