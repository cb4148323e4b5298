public import Synchronization

extension Atomic where Value == UInt32 {
    /// Adds an operand; what does not fit wraps around.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func wrappingAdd(_ operand: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        willWrite()
        return storage.wrappingAdd(operand, ordering: ordering)
    }

    /// Subtracts an operand; what does not fit wraps around.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func wrappingSubtract(_ operand: UInt32, ordering: AtomicUpdateOrdering) -> (
        oldValue: UInt32, newValue: UInt32
    ) {
        willWrite()
        return storage.wrappingSubtract(operand, ordering: ordering)
    }

    /// Adds an operand, and traps if the sum does not fit.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func add(_ operand: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        willWrite()
        return storage.add(operand, ordering: ordering)
    }

    /// Subtracts an operand, and traps if the difference does not fit.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func subtract(_ operand: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        willWrite()
        return storage.subtract(operand, ordering: ordering)
    }

    /// Keeps the bits that the operand has, too.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func bitwiseAnd(_ operand: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        willWrite()
        return storage.bitwiseAnd(operand, ordering: ordering)
    }

    /// Adds the bits that the operand has.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func bitwiseOr(_ operand: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        willWrite()
        return storage.bitwiseOr(operand, ordering: ordering)
    }

    /// Flips the bits that the operand has.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func bitwiseXor(_ operand: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        willWrite()
        return storage.bitwiseXor(operand, ordering: ordering)
    }

    /// Replaces the value by the operand if that is less.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func min(_ operand: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        willWrite()
        return storage.min(operand, ordering: ordering)
    }

    /// Replaces the value by the operand if that is greater.
    /// - Returns: The value before and the value after.
    @discardableResult
    @_semantics("atomics.requires_constant_orderings")
    @_transparent
    public func max(_ operand: UInt32, ordering: AtomicUpdateOrdering) -> (oldValue: UInt32, newValue: UInt32) {
        willWrite()
        return storage.max(operand, ordering: ordering)
    }
}
