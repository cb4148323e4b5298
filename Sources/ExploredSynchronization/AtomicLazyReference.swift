internal import Basics
public import CAccess
public import Synchronization

/// A reference that is set once, by the first who comes: `AtomicLazyReference` of `Synchronization`, and an exploration sees each access to it.
///
/// It takes 8 bytes more than that, and is aligned to 8.
@frozen
@_staticExclusiveOnly
public struct AtomicLazyReference<Instance: AnyObject>: ~Copyable {
    @usableFromInline let storage: Synchronization.AtomicLazyReference<Instance>
    /// What accesses are reported with.
    @usableFromInline let name: UInt64

    /// No reference yet.
    @_transparent
    public init() {
        storage = Synchronization.AtomicLazyReference()
        name = nameOfNewObject()
    }

    /// Sets the reference, if nobody has.
    /// - Returns: The reference that is set now.
    @_transparent
    public func storeIfNil(_ desired: consuming Instance) -> Instance {
        if access_is_watched() { report(isRead: false) }
        return storage.storeIfNil(desired)
    }

    /// The reference; nil if none was set.
    @_transparent
    public func load() -> Instance? {
        if access_is_watched() { report(isRead: true) }
        return storage.load()
    }

    @usableFromInline
    func report(isRead: Bool) {
        let access: SharedAccess = isRead ? .read : .write
        withUnsafePointer(to: storage) { access_alone($0, name, access.rawValue) }
    }
}

extension AtomicLazyReference: Sendable where Instance: Sendable {}
