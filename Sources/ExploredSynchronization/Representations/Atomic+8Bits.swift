public import Synchronization

/// Values of 8 bits.
extension Atomic where Value.AtomicRepresentation == UInt8.AtomicRepresentation {
    /// Reads the value.
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func load(ordering: AtomicLoadOrdering) -> Value {
        willRead()
        return storage.load(ordering: ordering)
    }

    /// Replaces the value.
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func store(_ desired: consuming Value, ordering: AtomicStoreOrdering) {
        willWrite()
        storage.store(desired, ordering: ordering)
    }

    /// Replaces the value.
    /// - Returns: The value before.
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func exchange(_ desired: consuming Value, ordering: AtomicUpdateOrdering) -> Value {
        willWrite()
        return storage.exchange(desired, ordering: ordering)
    }

    /// Replaces the value if all its bits are those of the expected one.
    /// - Returns: Whether it was replaced, and the value before.
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func compareExchange(
        expected: consuming Value,
        desired: consuming Value,
        ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        willWrite()
        return storage.compareExchange(expected: expected, desired: desired, ordering: ordering)
    }

    /// Replaces the value if all its bits are those of the expected one; an ordering of its own holds if they are not.
    /// - Returns: Whether it was replaced, and the value before.
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func compareExchange(
        expected: consuming Value,
        desired: consuming Value,
        successOrdering: AtomicUpdateOrdering,
        failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
        willWrite()
        return storage.compareExchange(
            expected: expected,
            desired: desired,
            successOrdering: successOrdering,
            failureOrdering: failureOrdering
        )
    }

    /// Replaces the value if all its bits are those of the expected one.
    /// It may also fail for no reason, so it belongs into a loop.
    /// - Returns: Whether it was replaced, and the value before.
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func weakCompareExchange(
        expected: consuming Value,
        desired: consuming Value,
        ordering: AtomicUpdateOrdering
    ) -> (exchanged: Bool, original: Value) {
        willWrite()
        return storage.weakCompareExchange(expected: expected, desired: desired, ordering: ordering)
    }

    /// Replaces the value if all its bits are those of the expected one; an ordering of its own holds if they are not.
    /// It may also fail for no reason, so it belongs into a loop.
    /// - Returns: Whether it was replaced, and the value before.
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func weakCompareExchange(
        expected: consuming Value,
        desired: consuming Value,
        successOrdering: AtomicUpdateOrdering,
        failureOrdering: AtomicLoadOrdering
    ) -> (exchanged: Bool, original: Value) {
        willWrite()
        return storage.weakCompareExchange(
            expected: expected,
            desired: desired,
            successOrdering: successOrdering,
            failureOrdering: failureOrdering
        )
    }
}
