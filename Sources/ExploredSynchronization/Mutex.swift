internal import Basics
public import CAccess
public import Synchronization

/// A value that can only be read and written under a lock: `Mutex` of `Synchronization`, and an exploration sees each access to it.
///
/// It takes 8 bytes more than that, and is aligned to 8.
@frozen
@_staticExclusiveOnly
public struct Mutex<Value: ~Copyable>: ~Copyable {
    @usableFromInline let storage: Synchronization.Mutex<Value>
    /// What accesses are reported with.
    @usableFromInline let name: UInt64

    /// A value behind a lock that nobody holds.
    @_transparent
    public init(_ initialValue: consuming sending Value) {
        storage = Synchronization.Mutex(initialValue)
        name = nameOfNewObject()
    }
}

extension Mutex: Sendable where Value: ~Copyable {}

extension Mutex where Value: ~Copyable {
    /// Runs `body` with the value while holding the lock, for which it waits. It is not re-entrant: `body` must not take the same lock.
    @_transparent
    public borrowing func withLock<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
        if access_is_watched() { reportLock() }
        return try storage.withLock { (value: inout sending Value) throws(E) -> sending Result in
            defer { if access_is_watched() { reportUnlock() } }
            return try body(&value)
        }
    }

    /// Runs `body` with the value while holding the lock, if nobody holds it.
    /// - Returns: What `body` returns; nil if the lock was held.
    @_transparent
    public borrowing func withLockIfAvailable<Result: ~Copyable, E: Error>(
        _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result? {
        if access_is_watched() { reportTry() }
        return try storage.withLockIfAvailable { (value: inout sending Value) throws(E) -> sending Result in
            defer { if access_is_watched() { reportUnlock() } }
            return try body(&value)
        }
    }

    // Each access counts as a change: which of two that want a lock gets it first makes a difference to the other, which may wait.

    @usableFromInline
    func reportLock() {
        withUnsafePointer(to: storage) { access_by_lock($0, name, SharedAccess.write.rawValue) }
    }

    /// Who only tries never waits.
    @usableFromInline
    func reportTry() {
        withUnsafePointer(to: storage) { access_by_trying($0, name, SharedAccess.write.rawValue) }
    }

    /// Says, as long as the lock is held, in which step it is released.
    @usableFromInline
    func reportUnlock() {
        withUnsafePointer(to: storage) { access_within_lock($0, name, SharedAccess.write.rawValue) }
    }
}
