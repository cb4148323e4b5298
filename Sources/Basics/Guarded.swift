internal import CAccess
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
///
/// Each access is reported to whoever watches (`CAccess`), so that an exploration knows which pieces of code depend on each other.
@frozen
package struct Guarded<Value>: @unchecked Sendable {
    // Sendable: only `withLock` accesses the value, while it holds the mutex.
    @usableFromInline let storage: Storage

    /// What comes before the value in memory.
    @frozen
    @usableFromInline
    struct Head {
        @usableFromInline var mutex = pthread_mutex_t()
        /// What accesses are reported with.
        @usableFromInline let name = access_made()
        @usableFromInline let isReported: Bool

        @inlinable
        init(isReported: Bool) { self.isReported = isReported }
    }

    /// The mutex and the value in one piece of memory that does not move.
    @usableFromInline
    final class Storage: ManagedBuffer<Head, Value> {
        @inlinable
        deinit {
            withUnsafeMutablePointers { head, value in
                pthread_mutex_destroy(&head.pointee.mutex)
                value.deinitialize(count: 1)
            }
        }
    }

    /// A value behind a lock.
    /// - Parameter isReported: Whether each access is reported as one to the whole value; if not, only what ``report(_:of:)`` is called for.
    @inlinable
    package init(_ value: consuming Value, isReported: Bool = true) {
        let buffer = Storage.create(minimumCapacity: 1) { _ in Head(isReported: isReported) }
        // `create` makes an instance of the class on which it is called.
        storage = unsafeDowncast(buffer, to: Storage.self)
        let value = value
        storage.withUnsafeMutablePointers { head, place in
            var attributes = pthread_mutexattr_t()
            pthread_mutexattr_init(&attributes)
            #if canImport(Glibc)
                pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
            #endif
            pthread_mutex_init(&head.pointee.mutex, &attributes)
            pthread_mutexattr_destroy(&attributes)
            place.initialize(to: value)
        }
    }

    /// Runs `body` with the value while holding the lock. It is not re-entrant: `body` must not take the same lock.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withLock(for: .write, body)
    }

    /// Runs `body` with the value, which stays as it is, while holding the lock.
    @inlinable
    package func read<Result, Failure: Error>(
        _ body: (borrowing Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withLock(for: .read) { value throws(Failure) in try body(value) }
    }

    /// Runs `body` with the value, to which it adds something, while holding the lock. Neither the caller nor what it does later may depend on
    /// what others have added before: an exploration takes additions for independent of each other.
    @inlinable
    package func add<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withLock(for: .addition, body)
    }

    /// Runs `body` with the value, which stays as it is, while holding the lock, and reports nothing: for who only watches. Nothing that is
    /// explored may depend on what it learns.
    @inlinable
    package func watch<Result, Failure: Error>(
        _ body: (borrowing Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withLock(for: nil) { value throws(Failure) in try body(value) }
    }

    /// Reports an access to a part of the value, or that the last access to the whole was more than it seemed. The lock must be held.
    /// - Parameter part: The name of the part; `nil` is the whole, which has no part in common with them.
    @inlinable
    package func report(_ access: SharedAccess, of part: @autoclosure () -> String? = nil) {
        guard access_is_watched() else { return }
        storage.withUnsafeMutablePointerToHeader { head in
            guard let part = part() else { return access_within_lock(head, head.pointee.name, access.rawValue) }
            let whole = head.pointee.name == 0 ? UInt64(UInt(bitPattern: head)) : head.pointee.name
            access_within_lock(
                head,
                SplitMix.mix(part.utf8.reduce(whole) { SplitMix.mix($0 ^ UInt64($1)) }),
                access.rawValue
            )
        }
    }

    /// - Parameter access: How the value is accessed; `nil` if that makes no difference to anybody, so that no exploration has to know it.
    @inlinable
    package func withLock<Result, Failure: Error>(
        for access: SharedAccess?,
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `storage` keeps the memory of the pointers alive until the end.
        let (head, value) = storage.withUnsafeMutablePointers { ($0, $1) }
        if access_is_watched() {
            let kind = access.map { head.pointee.isReported ? $0.rawValue : UInt8(ACCESS_IN_PARTS) }
            access_by_lock(head, head.pointee.name, kind ?? UInt8(ACCESS_UNSEEN))
        }
        pthread_mutex_lock(&head.pointee.mutex)
        defer {
            pthread_mutex_unlock(&head.pointee.mutex)
            withExtendedLifetime(storage) {}
        }
        return try body(&value.pointee)
    }
}
