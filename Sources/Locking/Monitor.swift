#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A ``Guarded`` value on whose changes threads can wait.
///
/// `@unchecked Sendable` holds because the value is touched while the lock is held only, is itself `Sendable`, and the
/// pointer never changes.
package final class Monitor<State: Sendable>: @unchecked Sendable {
    private let state: Guarded<State>
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A value that nobody waits for yet.
    package init(_ state: State) {
        self.state = Guarded(state)
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
        condition.deallocate()
    }

    /// Changes the value and wakes whoever waits. `body` must not block: callers of any kind contend for this lock.
    package func change<Result>(_ body: (inout State) -> Result) -> Result {
        defer { pthread_cond_broadcast(condition) }
        return state.withLock(body)
    }

    /// Blocks the calling thread until `body` returns something, asked now and after each change.
    package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        state.withMutex { mutex, value in
            while true {
                if let result = body(&value.pointee) {
                    pthread_cond_broadcast(condition)
                    return result
                }
                pthread_cond_wait(condition, mutex)
            }
        }
    }

    /// Like ``wait(_:)``, for at most `limit`; `nil` when it passed. A limit of zero asks once.
    package func wait<Result>(atMost limit: Duration, _ body: (inout State) -> Result?) -> Result? {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let nanoseconds = max(limit, .zero).nanoseconds
        deadline.tv_sec += nanoseconds / 1_000_000_000
        deadline.tv_nsec += nanoseconds % 1_000_000_000
        if deadline.tv_nsec >= 1_000_000_000 {
            deadline.tv_sec += 1
            deadline.tv_nsec -= 1_000_000_000
        }
        return state.withMutex { mutex, value in
            while true {
                if let result = body(&value.pointee) {
                    pthread_cond_broadcast(condition)
                    return result
                }
                guard pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT else {
                    return body(&value.pointee)
                }
            }
        }
    }
}

extension Guarded {
    /// Runs `body` while the lock is held, with the mutex to wait on. The value is not borrowed as a whole, for while
    /// `body` waits others change it.
    fileprivate func withMutex<Result>(
        _ body: (UnsafeMutablePointer<pthread_mutex_t>, UnsafeMutablePointer<Value>) -> Result
    ) -> Result {
        let (mutex, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            withExtendedLifetime(storage) {}
        }
        return body(mutex, value)
    }
}
