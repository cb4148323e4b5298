// What the interface shows of Synchronization, so that who imports this module needs no other; not its `Mutex` and `Atomic`.
@_exported public import struct Synchronization.AtomicLoadOrdering
@_exported public import protocol Synchronization.AtomicOptionalRepresentable
@_exported public import protocol Synchronization.AtomicRepresentable
@_exported public import struct Synchronization.AtomicStoreOrdering
@_exported public import struct Synchronization.AtomicUpdateOrdering
@_exported public import struct Synchronization.WordPair
@_exported public import func Synchronization.atomicMemoryFence
