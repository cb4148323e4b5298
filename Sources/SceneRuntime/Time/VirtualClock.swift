internal import DequeModule
internal import Basics

/// Time that stands still until it is advanced, and then goes from deadline to deadline.
public final class VirtualClock: RuntimeClock {
    private struct Sleeper {
        let id: Int
        let deadline: Duration
        let watcher: SleepWatcher
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var lastID = 0
        /// In the order in which they fell asleep.
        var sleepers: [Sleeper] = []
        /// Those that were cancelled before they fell asleep.
        var cancelled: Set<Int> = []
        var isAdvancing = false
        var waiting: Deque<CheckedContinuation<Void, Never>> = []
    }

    private let state = Guarded(State())
    /// Behind a lock of its own: whoever falls asleep under the other one may have something recorded, with the time.
    private let time: Guarded<Duration>
    private let startOfTime: Double

    /// A clock at zero.
    /// - Parameter wallTime: Seconds since 1970-01-01T00:00:00Z when ``now`` is zero.
    public convenience init(wallTime: Double) { self.init(at: .zero, wallTime: wallTime) }

    /// A clock at some time.
    /// - Parameter wallTime: Seconds since 1970-01-01T00:00:00Z then.
    package init(at now: Duration, wallTime: Double) {
        time = Guarded(now)
        startOfTime = wallTime - now / .seconds(1)
    }

    /// See ``RuntimeClock/now``.
    public var now: Duration { time.withLock { $0 } }

    /// The time until which the first sleeps that wakes next; `nil` if nobody sleeps.
    package var nextDeadline: Duration? { state.withLock { $0.sleepers.lazy.map(\.deadline).min() } }

    /// See ``RuntimeClock/wallTime``; it moves with ``now``.
    public var wallTime: Double { startOfTime + now / .seconds(1) }

    /// See ``RuntimeClock/sleep(until:)``.
    public func sleep(until deadline: Duration) async throws {
        try await sleep(until: deadline, watcher: SleepWatcher(fallsAsleep: {}, wakes: {}))
    }

    /// See ``RuntimeClock/sleep(until:watcher:)``.
    public func sleep(until deadline: Duration, watcher: SleepWatcher) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let immediate: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
                    if deadline <= now { return .success(()) }
                    state.sleepers.append(
                        Sleeper(id: id, deadline: deadline, watcher: watcher, continuation: continuation)
                    )
                    watcher.fallsAsleep()
                    return nil
                }
                if let immediate { continuation.resume(with: immediate) }
            }
        } onCancel: {
            let sleeper: Sleeper? = state.withLock { state in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
        // If the cancellation came too late, its mark must not stay.
        _ = state.withLock { $0.cancelled.remove(id) }
    }

    /// Advances time, deadline by deadline. Whoever sleeps until a deadline is woken, and `settle` returns, before the next.
    ///
    /// Calls that overlap are carried out one after the other.
    /// - Parameters:
    ///   - duration: By how much; a negative duration counts as zero.
    ///   - settle: Returns when nothing can go on without time moving.
    /// - Returns: The time afterwards.
    @discardableResult
    public func advance(by duration: Duration, settle: () async -> Void) async -> Duration {
        await takeTurn()
        defer { giveTurn() }
        await settle()
        return await move(to: now + max(duration, .zero), settle)
    }

    /// Advances to a time, as ``advance(by:settle:)`` does.
    /// - Returns: Whether it is that time now; `false` if the clock was past it already, and did not move.
    public func advance(to target: Duration, settle: () async -> Void) async -> Bool {
        await takeTurn()
        defer { giveTurn() }
        await settle()
        guard target >= now else { return false }
        _ = await move(to: target, settle)
        return true
    }

    /// When it is this date, in seconds since 1970-01-01T00:00:00Z, on the clock: to the millisecond, rounded up.
    public func time(of date: Double) -> Duration {
        .milliseconds(Int64(clamping: Int(((date - startOfTime) * 1_000).rounded(.up))))
    }

    private func move(to target: Duration, _ settle: () async -> Void) async -> Duration {
        while let sleeper = nextSleeper(until: target) {
            sleeper.watcher.wakes()
            sleeper.continuation.resume()
            await settle()
        }
        state.withLock { _ in time.withLock { $0 = target } }
        return target
    }

    /// Sets the time to the next deadline up to `target`, and removes and returns the first that sleeps until then.
    private func nextSleeper(until target: Duration) -> Sleeper? {
        state.withLock { state in
            guard let first = state.sleepers.map(\.deadline).min(), first <= target,
                let index = state.sleepers.firstIndex(where: { $0.deadline == first })
            else { return nil }
            time.withLock { $0 = max($0, first) }
            return state.sleepers.remove(at: index)
        }
    }

    private func takeTurn() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                defer { state.isAdvancing = true }
                if state.isAdvancing { state.waiting.append(continuation) }
                return !state.isAdvancing
            }
            if isFree { continuation.resume() }
        }
    }

    private func giveTurn() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            state.isAdvancing = next != nil
            return next
        }
        next?.resume()
    }
}
