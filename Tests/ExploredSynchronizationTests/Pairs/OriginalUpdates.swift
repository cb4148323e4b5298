// The same text as in the file of the other module's, but for names: `PairTests` compares them.

import Synchronization

// Each order for one of them: that their operations are the same, `PairTests` says.

extension Atomic where Value == Int {
    borrowing func update(_ update: AtomicStep<Int>.Update, _ operand: Int, _ ordering: AtomicStep<Int>.UpdateOrder)
        -> (oldValue: Int, newValue: Int)
    {
        switch (update, ordering) {
        case (.wrappingAdd, .relaxed): wrappingAdd(operand, ordering: .relaxed)
        case (.wrappingAdd, .acquiring): wrappingAdd(operand, ordering: .acquiring)
        case (.wrappingAdd, .releasing): wrappingAdd(operand, ordering: .releasing)
        case (.wrappingAdd, .acquiringAndReleasing): wrappingAdd(operand, ordering: .acquiringAndReleasing)
        case (.wrappingAdd, .sequentiallyConsistent): wrappingAdd(operand, ordering: .sequentiallyConsistent)
        case (.wrappingSubtract, .relaxed): wrappingSubtract(operand, ordering: .relaxed)
        case (.wrappingSubtract, .acquiring): wrappingSubtract(operand, ordering: .acquiring)
        case (.wrappingSubtract, .releasing): wrappingSubtract(operand, ordering: .releasing)
        case (.wrappingSubtract, .acquiringAndReleasing): wrappingSubtract(operand, ordering: .acquiringAndReleasing)
        case (.wrappingSubtract, .sequentiallyConsistent): wrappingSubtract(operand, ordering: .sequentiallyConsistent)
        case (.add, .relaxed): add(operand, ordering: .relaxed)
        case (.add, .acquiring): add(operand, ordering: .acquiring)
        case (.add, .releasing): add(operand, ordering: .releasing)
        case (.add, .acquiringAndReleasing): add(operand, ordering: .acquiringAndReleasing)
        case (.add, .sequentiallyConsistent): add(operand, ordering: .sequentiallyConsistent)
        case (.subtract, .relaxed): subtract(operand, ordering: .relaxed)
        case (.subtract, .acquiring): subtract(operand, ordering: .acquiring)
        case (.subtract, .releasing): subtract(operand, ordering: .releasing)
        case (.subtract, .acquiringAndReleasing): subtract(operand, ordering: .acquiringAndReleasing)
        case (.subtract, .sequentiallyConsistent): subtract(operand, ordering: .sequentiallyConsistent)
        case (.bitwiseAnd, .relaxed): bitwiseAnd(operand, ordering: .relaxed)
        case (.bitwiseAnd, .acquiring): bitwiseAnd(operand, ordering: .acquiring)
        case (.bitwiseAnd, .releasing): bitwiseAnd(operand, ordering: .releasing)
        case (.bitwiseAnd, .acquiringAndReleasing): bitwiseAnd(operand, ordering: .acquiringAndReleasing)
        case (.bitwiseAnd, .sequentiallyConsistent): bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case (.bitwiseOr, .relaxed): bitwiseOr(operand, ordering: .relaxed)
        case (.bitwiseOr, .acquiring): bitwiseOr(operand, ordering: .acquiring)
        case (.bitwiseOr, .releasing): bitwiseOr(operand, ordering: .releasing)
        case (.bitwiseOr, .acquiringAndReleasing): bitwiseOr(operand, ordering: .acquiringAndReleasing)
        case (.bitwiseOr, .sequentiallyConsistent): bitwiseOr(operand, ordering: .sequentiallyConsistent)
        case (.bitwiseXor, .relaxed): bitwiseXor(operand, ordering: .relaxed)
        case (.bitwiseXor, .acquiring): bitwiseXor(operand, ordering: .acquiring)
        case (.bitwiseXor, .releasing): bitwiseXor(operand, ordering: .releasing)
        case (.bitwiseXor, .acquiringAndReleasing): bitwiseXor(operand, ordering: .acquiringAndReleasing)
        case (.bitwiseXor, .sequentiallyConsistent): bitwiseXor(operand, ordering: .sequentiallyConsistent)
        case (.min, .relaxed): min(operand, ordering: .relaxed)
        case (.min, .acquiring): min(operand, ordering: .acquiring)
        case (.min, .releasing): min(operand, ordering: .releasing)
        case (.min, .acquiringAndReleasing): min(operand, ordering: .acquiringAndReleasing)
        case (.min, .sequentiallyConsistent): min(operand, ordering: .sequentiallyConsistent)
        case (.max, .relaxed): max(operand, ordering: .relaxed)
        case (.max, .acquiring): max(operand, ordering: .acquiring)
        case (.max, .releasing): max(operand, ordering: .releasing)
        case (.max, .acquiringAndReleasing): max(operand, ordering: .acquiringAndReleasing)
        case (.max, .sequentiallyConsistent): max(operand, ordering: .sequentiallyConsistent)
        }
    }
}

extension Atomic where Value == Int8 {
    borrowing func update(_ update: AtomicStep<Int8>.Update, _ operand: Int8, _ ordering: AtomicStep<Int8>.UpdateOrder)
        -> (oldValue: Int8, newValue: Int8)
    {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == Int16 {
    borrowing func update(
        _ update: AtomicStep<Int16>.Update,
        _ operand: Int16,
        _ ordering: AtomicStep<Int16>.UpdateOrder
    ) -> (oldValue: Int16, newValue: Int16) {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == Int32 {
    borrowing func update(
        _ update: AtomicStep<Int32>.Update,
        _ operand: Int32,
        _ ordering: AtomicStep<Int32>.UpdateOrder
    ) -> (oldValue: Int32, newValue: Int32) {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == Int64 {
    borrowing func update(
        _ update: AtomicStep<Int64>.Update,
        _ operand: Int64,
        _ ordering: AtomicStep<Int64>.UpdateOrder
    ) -> (oldValue: Int64, newValue: Int64) {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == Int128 {
    borrowing func update(
        _ update: AtomicStep<Int128>.Update,
        _ operand: Int128,
        _ ordering: AtomicStep<Int128>.UpdateOrder
    ) -> (oldValue: Int128, newValue: Int128) {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == UInt {
    borrowing func update(_ update: AtomicStep<UInt>.Update, _ operand: UInt, _ ordering: AtomicStep<UInt>.UpdateOrder)
        -> (oldValue: UInt, newValue: UInt)
    {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == UInt8 {
    borrowing func update(
        _ update: AtomicStep<UInt8>.Update,
        _ operand: UInt8,
        _ ordering: AtomicStep<UInt8>.UpdateOrder
    ) -> (oldValue: UInt8, newValue: UInt8) {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == UInt16 {
    borrowing func update(
        _ update: AtomicStep<UInt16>.Update,
        _ operand: UInt16,
        _ ordering: AtomicStep<UInt16>.UpdateOrder
    ) -> (oldValue: UInt16, newValue: UInt16) {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == UInt32 {
    borrowing func update(
        _ update: AtomicStep<UInt32>.Update,
        _ operand: UInt32,
        _ ordering: AtomicStep<UInt32>.UpdateOrder
    ) -> (oldValue: UInt32, newValue: UInt32) {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == UInt64 {
    borrowing func update(
        _ update: AtomicStep<UInt64>.Update,
        _ operand: UInt64,
        _ ordering: AtomicStep<UInt64>.UpdateOrder
    ) -> (oldValue: UInt64, newValue: UInt64) {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Atomic where Value == UInt128 {
    borrowing func update(
        _ update: AtomicStep<UInt128>.Update,
        _ operand: UInt128,
        _ ordering: AtomicStep<UInt128>.UpdateOrder
    ) -> (oldValue: UInt128, newValue: UInt128) {
        switch update {
        case .wrappingAdd: wrappingAdd(operand, ordering: .relaxed)
        case .wrappingSubtract: wrappingSubtract(operand, ordering: .acquiring)
        case .add: add(operand, ordering: .releasing)
        case .subtract: subtract(operand, ordering: .acquiringAndReleasing)
        case .bitwiseAnd: bitwiseAnd(operand, ordering: .sequentiallyConsistent)
        case .bitwiseOr: bitwiseOr(operand, ordering: .relaxed)
        case .bitwiseXor: bitwiseXor(operand, ordering: .acquiring)
        case .min: min(operand, ordering: .releasing)
        case .max: max(operand, ordering: .acquiringAndReleasing)
        }
    }
}

extension Bool {
    static func original(_ steps: [(update: LogicalUpdate, operand: Bool)], from first: Bool) -> [AtomicOutcome<Bool>] {
        let atomic = Atomic(first)
        return steps.map { step in
            switch step.update {
            case .logicalAnd(.relaxed): .updated(atomic.logicalAnd(step.operand, ordering: .relaxed))
            case .logicalAnd(.acquiring): .updated(atomic.logicalAnd(step.operand, ordering: .acquiring))
            case .logicalAnd(.releasing): .updated(atomic.logicalAnd(step.operand, ordering: .releasing))
            case .logicalAnd(.acquiringAndReleasing):
                .updated(atomic.logicalAnd(step.operand, ordering: .acquiringAndReleasing))
            case .logicalAnd(.sequentiallyConsistent):
                .updated(atomic.logicalAnd(step.operand, ordering: .sequentiallyConsistent))
            case .logicalOr(.relaxed): .updated(atomic.logicalOr(step.operand, ordering: .relaxed))
            case .logicalOr(.acquiring): .updated(atomic.logicalOr(step.operand, ordering: .acquiring))
            case .logicalOr(.releasing): .updated(atomic.logicalOr(step.operand, ordering: .releasing))
            case .logicalOr(.acquiringAndReleasing):
                .updated(atomic.logicalOr(step.operand, ordering: .acquiringAndReleasing))
            case .logicalOr(.sequentiallyConsistent):
                .updated(atomic.logicalOr(step.operand, ordering: .sequentiallyConsistent))
            case .logicalXor(.relaxed): .updated(atomic.logicalXor(step.operand, ordering: .relaxed))
            case .logicalXor(.acquiring): .updated(atomic.logicalXor(step.operand, ordering: .acquiring))
            case .logicalXor(.releasing): .updated(atomic.logicalXor(step.operand, ordering: .releasing))
            case .logicalXor(.acquiringAndReleasing):
                .updated(atomic.logicalXor(step.operand, ordering: .acquiringAndReleasing))
            case .logicalXor(.sequentiallyConsistent):
                .updated(atomic.logicalXor(step.operand, ordering: .sequentiallyConsistent))
            }
        }
    }
}
