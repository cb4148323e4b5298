import SceneRuntime
import Locking

/// Time that moves only when a test says so.
final class ManualClock: RuntimeClock {
    private struct Sleeper {
        let id: Int
        let deadline: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        var lastID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Guarded(State())

    var now: Duration { state.withLock { $0.now } }
    var wallTime: Double { 1_000_000 }

    func sleep(until deadline: Duration) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (isDue, watchers) = state.withLock { state in
                    if state.cancelled.remove(id) != nil || state.now >= deadline {
                        return (true, [CheckedContinuation<Void, Never>]())
                    }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    let met = state.watchers.filter { $0.count <= state.sleepers.count }.map(\.continuation)
                    state.watchers.removeAll { $0.count <= state.sleepers.count }
                    return (false, met)
                }
                if isDue { continuation.resume() }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil as Sleeper?
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// How many sleep now.
    var sleeping: Int { state.withLock { $0.sleepers.count } }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns when at least so many sleep.
    func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }
}
