#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A value that is read and written under a lock only, for what has to be synchronous.
///
/// What `Synchronization.Mutex` does, by the system's own mutex, which Thread Sanitizer understands: with the other a race
/// in the code and a race that is none look the same.
public final class Guarded<Value>: @unchecked Sendable {
    // Sendable: `value` is touched by `withLock` only, while `mutex` is held, and each call gives the caller a result of
    // its own.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// A value behind a lock.
    public init(_ value: consuming Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Runs `body` with the value; who else wants it waits. Not re-entrant: `body` must not ask for the same lock.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
