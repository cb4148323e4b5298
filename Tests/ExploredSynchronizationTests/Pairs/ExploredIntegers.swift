// The same text as in the file of the other module's, but for names: `PairTests` compares them.

import ExploredSynchronization

extension Int {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension Int8 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension Int16 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension Int32 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension Int64 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension Int128 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension UInt {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension UInt8 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension UInt16 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension UInt32 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension UInt64 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}

extension UInt128 {
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>] {
        let atomic = Atomic(first)
        return steps.map { step in
            if case .update(let update, let operand, let ordering) = step {
                return .updated(atomic.update(update, operand, ordering))
            }
            return atomic.access(step)
        }
    }
}
