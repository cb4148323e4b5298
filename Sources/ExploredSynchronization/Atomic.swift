internal import Basics
public import CAccess
public import Synchronization

/// A value that tasks and threads read and change at once, each access by itself: `Atomic` of `Synchronization`, and an exploration sees
/// each access to it.
///
/// It takes 8 bytes more than that, and is aligned to 8.
@frozen
@_staticExclusiveOnly
public struct Atomic<Value: AtomicRepresentable>: ~Copyable {
    @usableFromInline let storage: Synchronization.Atomic<Value>
    /// What accesses are reported with.
    @usableFromInline let name: UInt64

    /// An atomic value.
    @_transparent
    public init(_ initialValue: consuming Value) {
        storage = Synchronization.Atomic(initialValue)
        name = nameOfNewObject()
    }

    @_transparent
    @usableFromInline
    func willRead() {
        if access_is_watched() { reportRead() }
    }

    @_transparent
    @usableFromInline
    func willWrite() {
        if access_is_watched() { reportWrite() }
    }

    // Apart and not copied, so that who does not watch has as little code as can be.

    @usableFromInline
    func reportRead() { report(.read) }

    @usableFromInline
    func reportWrite() { report(.write) }

    private func report(_ access: SharedAccess) {
        withUnsafePointer(to: storage) { access_alone($0, name, access.rawValue) }
    }
}

extension Atomic: Sendable where Value: Sendable {}
