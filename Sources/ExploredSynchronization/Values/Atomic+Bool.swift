public import Synchronization

extension Atomic where Value == Bool {
    /// Keeps the value if the operand is true; otherwise it is false.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func logicalAnd(_ operand: Bool, ordering: AtomicUpdateOrdering) -> (oldValue: Bool, newValue: Bool) {
        willWrite()
        return storage.logicalAnd(operand, ordering: ordering)
    }

    /// Keeps the value if the operand is false; otherwise it is true.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func logicalOr(_ operand: Bool, ordering: AtomicUpdateOrdering) -> (oldValue: Bool, newValue: Bool) {
        willWrite()
        return storage.logicalOr(operand, ordering: ordering)
    }

    /// Negates the value if the operand is true.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func logicalXor(_ operand: Bool, ordering: AtomicUpdateOrdering) -> (oldValue: Bool, newValue: Bool) {
        willWrite()
        return storage.logicalXor(operand, ordering: ordering)
    }
}
