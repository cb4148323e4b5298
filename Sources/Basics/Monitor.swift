internal import CAccess
#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A ``Guarded`` value for whose changes threads can wait.
///
/// `@unchecked Sendable` holds because the value is `Sendable` and only accessed under the lock, and the pointer never changes.
package final class Monitor<State: Sendable>: @unchecked Sendable {
    private let state: Guarded<State>
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A monitor of this value.
    package init(_ state: State) {
        self.state = Guarded(state)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        #if !canImport(Darwin)
            // Setting the time of day must not make a wait shorter or longer.
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        #endif
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Changes the value and wakes all waiting threads. `body` must not block, because any thread may need the lock.
    package func change<Result>(_ body: (inout State) -> Result) -> Result {
        defer { pthread_cond_broadcast(condition) }
        return state.withLock(body)
    }

    /// Blocks the calling thread until `body`, called now and after each change, returns a value.
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

    /// Waits as ``wait(_:)`` does, but no longer than `limit`; with zero, `body` is called once.
    /// - Returns: `nil` if the limit passed.
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
                guard wait(until: deadline, mutex) else {
                    return body(&value.pointee)
                }
            }
        }
    }

    /// Waits for the next change.
    /// - Parameter deadline: When it gives up, on the monotonic clock.
    /// - Returns: Whether the deadline has not passed.
    private func wait(until deadline: timespec, _ mutex: UnsafeMutablePointer<pthread_mutex_t>) -> Bool {
        #if canImport(Darwin)
            // A condition there has no clock to choose, but waits for a length of time, too.
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            let nanoseconds = (deadline.tv_sec - now.tv_sec) * 1_000_000_000 + deadline.tv_nsec - now.tv_nsec
            guard nanoseconds > 0 else { return false }
            var rest = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
            return pthread_cond_timedwait_relative_np(condition, mutex, &rest) != ETIMEDOUT
        #else
            var deadline = deadline
            return pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
        #endif
    }
}

extension Guarded {
    /// Runs `body` under the lock with the mutex, so that it can wait. It gets a pointer to the value, because other threads
    /// change it while `body` waits.
    fileprivate func withMutex<Result>(
        _ body: (UnsafeMutablePointer<pthread_mutex_t>, UnsafeMutablePointer<Value>) -> Result
    ) -> Result {
        let (head, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        // The first member is at the address of the whole.
        let mutex = UnsafeMutableRawPointer(head).assumingMemoryBound(to: pthread_mutex_t.self)
        access_by_lock(head, head.pointee.name, SharedAccess.write.rawValue)
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            withExtendedLifetime(storage) {}
        }
        return body(mutex, value)
    }
}
