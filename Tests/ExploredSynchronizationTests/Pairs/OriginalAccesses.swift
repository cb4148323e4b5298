// The same text as in the file of the other module's, but for names: `PairTests` compares them.

import Synchronization

// Each order for one of them: that their operations are the same, `PairTests` says.

extension Atomic where Value: Equatable & Sendable, Value.AtomicRepresentation == UInt64.AtomicRepresentation {
    borrowing func access(_ step: AtomicStep<Value>) -> AtomicOutcome<Value> {
        switch step {
        case .load(.relaxed): return .value(load(ordering: .relaxed))
        case .load(.acquiring): return .value(load(ordering: .acquiring))
        case .load(.sequentiallyConsistent): return .value(load(ordering: .sequentiallyConsistent))
        case .store(let new, .relaxed): store(new, ordering: .relaxed)
        case .store(let new, .releasing): store(new, ordering: .releasing)
        case .store(let new, .sequentiallyConsistent): store(new, ordering: .sequentiallyConsistent)
        case .exchange(let new, .relaxed): return .value(exchange(new, ordering: .relaxed))
        case .exchange(let new, .acquiring): return .value(exchange(new, ordering: .acquiring))
        case .exchange(let new, .releasing): return .value(exchange(new, ordering: .releasing))
        case .exchange(let new, .acquiringAndReleasing): return .value(exchange(new, ordering: .acquiringAndReleasing))
        case .exchange(let new, .sequentiallyConsistent):
            return .value(exchange(new, ordering: .sequentiallyConsistent))
        case .strong(let old, let new, .relaxed, nil):
            return .exchanged(compareExchange(expected: old, desired: new, ordering: .relaxed))
        case .strong(let old, let new, .acquiring, nil):
            return .exchanged(compareExchange(expected: old, desired: new, ordering: .acquiring))
        case .strong(let old, let new, .releasing, nil):
            return .exchanged(compareExchange(expected: old, desired: new, ordering: .releasing))
        case .strong(let old, let new, .acquiringAndReleasing, nil):
            return .exchanged(compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing))
        case .strong(let old, let new, .sequentiallyConsistent, nil):
            return .exchanged(compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent))
        case .strong(let old, let new, .relaxed, .relaxed):
            return .exchanged(
                compareExchange(expected: old, desired: new, successOrdering: .relaxed, failureOrdering: .relaxed)
            )
        case .strong(let old, let new, .relaxed, .acquiring):
            return .exchanged(
                compareExchange(expected: old, desired: new, successOrdering: .relaxed, failureOrdering: .acquiring)
            )
        case .strong(let old, let new, .relaxed, .sequentiallyConsistent):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .relaxed,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .strong(let old, let new, .acquiring, .relaxed):
            return .exchanged(
                compareExchange(expected: old, desired: new, successOrdering: .acquiring, failureOrdering: .relaxed)
            )
        case .strong(let old, let new, .acquiring, .acquiring):
            return .exchanged(
                compareExchange(expected: old, desired: new, successOrdering: .acquiring, failureOrdering: .acquiring)
            )
        case .strong(let old, let new, .acquiring, .sequentiallyConsistent):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiring,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .strong(let old, let new, .releasing, .relaxed):
            return .exchanged(
                compareExchange(expected: old, desired: new, successOrdering: .releasing, failureOrdering: .relaxed)
            )
        case .strong(let old, let new, .releasing, .acquiring):
            return .exchanged(
                compareExchange(expected: old, desired: new, successOrdering: .releasing, failureOrdering: .acquiring)
            )
        case .strong(let old, let new, .releasing, .sequentiallyConsistent):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .releasing,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .strong(let old, let new, .acquiringAndReleasing, .relaxed):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiringAndReleasing,
                    failureOrdering: .relaxed
                )
            )
        case .strong(let old, let new, .acquiringAndReleasing, .acquiring):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiringAndReleasing,
                    failureOrdering: .acquiring
                )
            )
        case .strong(let old, let new, .acquiringAndReleasing, .sequentiallyConsistent):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiringAndReleasing,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .strong(let old, let new, .sequentiallyConsistent, .relaxed):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .sequentiallyConsistent,
                    failureOrdering: .relaxed
                )
            )
        case .strong(let old, let new, .sequentiallyConsistent, .acquiring):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .sequentiallyConsistent,
                    failureOrdering: .acquiring
                )
            )
        case .strong(let old, let new, .sequentiallyConsistent, .sequentiallyConsistent):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .sequentiallyConsistent,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .weak(let old, let new, .relaxed, nil):
            return .exchanged(weakCompareExchange(expected: old, desired: new, ordering: .relaxed))
        case .weak(let old, let new, .acquiring, nil):
            return .exchanged(weakCompareExchange(expected: old, desired: new, ordering: .acquiring))
        case .weak(let old, let new, .releasing, nil):
            return .exchanged(weakCompareExchange(expected: old, desired: new, ordering: .releasing))
        case .weak(let old, let new, .acquiringAndReleasing, nil):
            return .exchanged(weakCompareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing))
        case .weak(let old, let new, .sequentiallyConsistent, nil):
            return .exchanged(weakCompareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent))
        case .weak(let old, let new, .relaxed, .relaxed):
            return .exchanged(
                weakCompareExchange(expected: old, desired: new, successOrdering: .relaxed, failureOrdering: .relaxed)
            )
        case .weak(let old, let new, .relaxed, .acquiring):
            return .exchanged(
                weakCompareExchange(expected: old, desired: new, successOrdering: .relaxed, failureOrdering: .acquiring)
            )
        case .weak(let old, let new, .relaxed, .sequentiallyConsistent):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .relaxed,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .weak(let old, let new, .acquiring, .relaxed):
            return .exchanged(
                weakCompareExchange(expected: old, desired: new, successOrdering: .acquiring, failureOrdering: .relaxed)
            )
        case .weak(let old, let new, .acquiring, .acquiring):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiring,
                    failureOrdering: .acquiring
                )
            )
        case .weak(let old, let new, .acquiring, .sequentiallyConsistent):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiring,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .weak(let old, let new, .releasing, .relaxed):
            return .exchanged(
                weakCompareExchange(expected: old, desired: new, successOrdering: .releasing, failureOrdering: .relaxed)
            )
        case .weak(let old, let new, .releasing, .acquiring):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .releasing,
                    failureOrdering: .acquiring
                )
            )
        case .weak(let old, let new, .releasing, .sequentiallyConsistent):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .releasing,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .weak(let old, let new, .acquiringAndReleasing, .relaxed):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiringAndReleasing,
                    failureOrdering: .relaxed
                )
            )
        case .weak(let old, let new, .acquiringAndReleasing, .acquiring):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiringAndReleasing,
                    failureOrdering: .acquiring
                )
            )
        case .weak(let old, let new, .acquiringAndReleasing, .sequentiallyConsistent):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiringAndReleasing,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .weak(let old, let new, .sequentiallyConsistent, .relaxed):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .sequentiallyConsistent,
                    failureOrdering: .relaxed
                )
            )
        case .weak(let old, let new, .sequentiallyConsistent, .acquiring):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .sequentiallyConsistent,
                    failureOrdering: .acquiring
                )
            )
        case .weak(let old, let new, .sequentiallyConsistent, .sequentiallyConsistent):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .sequentiallyConsistent,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .update: break
        }
        return .nothing
    }
}

extension Atomic where Value: Equatable & Sendable, Value.AtomicRepresentation == UInt8.AtomicRepresentation {
    borrowing func access(_ step: AtomicStep<Value>) -> AtomicOutcome<Value> {
        switch step {
        case .load: return .value(load(ordering: .relaxed))
        case .store(let new, _): store(new, ordering: .releasing)
        case .exchange(let new, _): return .value(exchange(new, ordering: .relaxed))
        case .strong(let old, let new, _, nil):
            return .exchanged(compareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent))
        case .strong(let old, let new, _, .some):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .releasing,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .weak(let old, let new, _, nil):
            return .exchanged(weakCompareExchange(expected: old, desired: new, ordering: .sequentiallyConsistent))
        case .weak(let old, let new, _, .some):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .releasing,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .update: break
        }
        return .nothing
    }
}

extension Atomic where Value: Equatable & Sendable, Value.AtomicRepresentation == UInt16.AtomicRepresentation {
    borrowing func access(_ step: AtomicStep<Value>) -> AtomicOutcome<Value> {
        switch step {
        case .load: return .value(load(ordering: .acquiring))
        case .store(let new, _): store(new, ordering: .sequentiallyConsistent)
        case .exchange(let new, _): return .value(exchange(new, ordering: .acquiring))
        case .strong(let old, let new, _, nil):
            return .exchanged(compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing))
        case .strong(let old, let new, _, .some):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiringAndReleasing,
                    failureOrdering: .relaxed
                )
            )
        case .weak(let old, let new, _, nil):
            return .exchanged(weakCompareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing))
        case .weak(let old, let new, _, .some):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .acquiringAndReleasing,
                    failureOrdering: .relaxed
                )
            )
        case .update: break
        }
        return .nothing
    }
}

extension Atomic where Value: Equatable & Sendable, Value.AtomicRepresentation == UInt32.AtomicRepresentation {
    borrowing func access(_ step: AtomicStep<Value>) -> AtomicOutcome<Value> {
        switch step {
        case .load: return .value(load(ordering: .sequentiallyConsistent))
        case .store(let new, _): store(new, ordering: .relaxed)
        case .exchange(let new, _): return .value(exchange(new, ordering: .releasing))
        case .strong(let old, let new, _, nil):
            return .exchanged(compareExchange(expected: old, desired: new, ordering: .releasing))
        case .strong(let old, let new, _, .some):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .sequentiallyConsistent,
                    failureOrdering: .acquiring
                )
            )
        case .weak(let old, let new, _, nil):
            return .exchanged(weakCompareExchange(expected: old, desired: new, ordering: .releasing))
        case .weak(let old, let new, _, .some):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .sequentiallyConsistent,
                    failureOrdering: .acquiring
                )
            )
        case .update: break
        }
        return .nothing
    }
}

extension Atomic where Value: Equatable & Sendable, Value.AtomicRepresentation == UInt128.AtomicRepresentation {
    borrowing func access(_ step: AtomicStep<Value>) -> AtomicOutcome<Value> {
        switch step {
        case .load: return .value(load(ordering: .relaxed))
        case .store(let new, _): store(new, ordering: .releasing)
        case .exchange(let new, _): return .value(exchange(new, ordering: .acquiringAndReleasing))
        case .strong(let old, let new, _, nil):
            return .exchanged(compareExchange(expected: old, desired: new, ordering: .acquiring))
        case .strong(let old, let new, _, .some):
            return .exchanged(
                compareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .relaxed,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .weak(let old, let new, _, nil):
            return .exchanged(weakCompareExchange(expected: old, desired: new, ordering: .acquiring))
        case .weak(let old, let new, _, .some):
            return .exchanged(
                weakCompareExchange(
                    expected: old,
                    desired: new,
                    successOrdering: .relaxed,
                    failureOrdering: .sequentiallyConsistent
                )
            )
        case .update: break
        }
        return .nothing
    }
}
