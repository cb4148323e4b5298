internal import CAccess

/// What a piece of code does with something that tasks share.
@frozen
public enum SharedAccess: UInt8, Hashable, Sendable {
    /// It looks at it.
    case read
    /// It adds something to it, and learns nothing of what is there: which of two additions comes first makes no difference to those who add.
    case addition
    /// It changes it, and may look at it.
    case write

    /// What both do together.
    package func joined(with other: SharedAccess) -> SharedAccess { self == other ? self : .write }

    /// Whether the order of both makes a difference.
    package func clashes(with other: SharedAccess) -> Bool { self != other || self == .write }
}

/// The name of something that tasks share and no ``Guarded`` covers, such as an atomic value, for reports of what is done with it.
package struct SharedName: Sendable {
    private let name: UInt64

    /// The name of something that is made now.
    package init() {
        let made = access_made()
        // What was made where nobody watched has one name together.
        name = made == 0 ? 1 : made
    }

    /// Reports that it is about to be accessed, with no lock that an exploration sees. Others may come in before.
    package func report(_ access: SharedAccess) {
        guard access_is_watched() else { return }
        withUnsafePointer(to: name) { access_alone($0, name, access.rawValue) }
    }

    /// Reports that it is about to be accessed, by who holds the lock that guards it.
    package func reportWithinLock(_ access: SharedAccess) {
        guard access_is_watched() else { return }
        withUnsafePointer(to: name) { access_within_lock($0, name, access.rawValue) }
    }
}
