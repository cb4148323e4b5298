#if canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// A value that is read and written under a lock only, for what has to be synchronous.
///
/// What `Synchronization.Mutex` does, by the system's own mutex, which Thread Sanitizer understands: with the other a race
/// in the code and a race that is none look the same. Copies guard the same value.
///
/// Who waits spins for a moment before sleeping: what is done under these locks is done sooner than a thread wakes up.
@frozen
public struct Guarded<Value>: @unchecked Sendable {
    // Sendable: the value is touched by `withLock` only, while the mutex is held, and each call gives the caller a result
    // of its own.
    @usableFromInline let storage: Storage

    /// Mutex and value in one piece of memory that does not move.
    @usableFromInline
    final class Storage: ManagedBuffer<pthread_mutex_t, Value> {
        @inlinable
        deinit {
            withUnsafeMutablePointers { mutex, value in
                pthread_mutex_destroy(mutex)
                value.deinitialize(count: 1)
            }
        }
    }

    /// A value behind a lock.
    @inlinable
    public init(_ value: consuming Value) {
        let buffer = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        // `create` makes an instance of the class that it is called on.
        storage = unsafeDowncast(buffer, to: Storage.self)
        let value = value
        storage.withUnsafeMutablePointers { mutex, place in
            var attributes = pthread_mutexattr_t()
            pthread_mutexattr_init(&attributes)
            #if canImport(Glibc)
                pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
            #endif
            pthread_mutex_init(mutex, &attributes)
            pthread_mutexattr_destroy(&attributes)
            place.initialize(to: value)
        }
    }

    /// Runs `body` with the value; who else wants it waits. Not re-entrant: `body` must not ask for the same lock.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The pointers are those of memory that `storage` keeps, here until the end.
        let (mutex, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            withExtendedLifetime(storage) {}
        }
        return try body(&value.pointee)
    }
}
