#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#elseif canImport(Darwin)
    package import Darwin
#endif

/// A value that can only be read and written under a lock.
///
/// It is like `Synchronization.Mutex`, but uses the system's mutex, which Thread Sanitizer understands; with the other it
/// reports false races. Copies guard the same value.
///
/// A waiting thread spins briefly before it sleeps, because these locks are held for less time than a thread needs to wake up.
@frozen
package struct Guarded<Value>: @unchecked Sendable {
    // Sendable: only `withLock` accesses the value, while it holds the mutex.
    @usableFromInline let storage: Storage

    /// The mutex and the value in one piece of memory that does not move.
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
    package init(_ value: consuming Value) {
        let buffer = Storage.create(minimumCapacity: 1) { _ in pthread_mutex_t() }
        // `create` makes an instance of the class on which it is called.
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

    /// Runs `body` with the value while holding the lock. It is not re-entrant: `body` must not take the same lock.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `storage` keeps the memory of the pointers alive until the end.
        let (mutex, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            withExtendedLifetime(storage) {}
        }
        return try body(&value.pointee)
    }
}
