// The thread types of the C library are known by whoever includes them first.
internal import CSystemd
internal import Glibc

/// A value behind a lock, on whose changes threads can wait: a mutex and a condition variable.
///
/// `Guarded` has no condition to wait on, and the writer's thread must sleep between entries.
///
/// `@unchecked Sendable` holds because `state` is read and written between `pthread_mutex_lock` and `unlock` only, is
/// itself `Sendable`, and the two pointers never change.
final class Monitor<State: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
        self.state = state
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A wait must not end early or late because somebody sets the time of day.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Changes the value and wakes whoever waits. `body` must not block: callers of any kind contend for this lock.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return body(&state)
    }

    /// Blocks the calling thread until `body` returns something, asked now and after each change.
    func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) {
                pthread_cond_broadcast(condition)
                return result
            }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Like ``wait(_:)``, for at most `limit`; `nil` when it passed. A limit of zero asks once.
    func wait<Result>(atMost limit: Duration, _ body: (inout State) -> Result?) -> Result? {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let (seconds, attoseconds) = max(limit, .zero).components
        let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
        // A century is as good as for ever and cannot overflow.
        deadline.tv_sec += Int(min(seconds, 3_000_000_000)) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000

        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) {
                pthread_cond_broadcast(condition)
                return result
            }
            guard pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT else { return body(&state) }
        }
    }
}
