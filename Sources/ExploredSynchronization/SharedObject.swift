// Only for what is copied into the code of who imports this module; nothing of it is shown.
public import CAccess

/// The name under which a value that is made now reports accesses, never 0: what is made where nobody watches has one name together.
@_transparent
@usableFromInline
func nameOfNewObject() -> UInt64 { access_is_watched() ? nameOfWatchedObject() : 1 }

@usableFromInline
func nameOfWatchedObject() -> UInt64 {
    let name = access_made()
    return name == 0 ? 1 : name
}
