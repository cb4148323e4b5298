/// Something to do with an atomic value.
enum AtomicStep<Value: Sendable>: Sendable {
    enum LoadOrder: CaseIterable {
        case relaxed, acquiring, sequentiallyConsistent
    }

    enum StoreOrder: CaseIterable {
        case relaxed, releasing, sequentiallyConsistent
    }

    enum UpdateOrder: CaseIterable {
        case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent
    }

    enum Update: CaseIterable {
        case wrappingAdd, wrappingSubtract, add, subtract, bitwiseAnd, bitwiseOr, bitwiseXor, min, max
    }

    case load(LoadOrder)
    case store(Value, StoreOrder)
    case exchange(Value, UpdateOrder)
    case strong(Value, Value, UpdateOrder, LoadOrder?)
    case weak(Value, Value, UpdateOrder, LoadOrder?)
    case update(Update, Value, UpdateOrder)
}

/// Something to do with an atomic truth value.
enum LogicalUpdate: Sendable {
    typealias Order = AtomicStep<Bool>.UpdateOrder

    case logicalAnd(Order)
    case logicalOr(Order)
    case logicalXor(Order)
}

/// What somebody learns who did that.
enum AtomicOutcome<Value: Equatable & Sendable>: Equatable, Sendable {
    case nothing
    case value(Value)
    case exchanged(Bool, Value)
    case updated(Value, Value)

    static func exchanged(_ both: (exchanged: Bool, original: Value)) -> Self {
        .exchanged(both.exchanged, both.original)
    }
    static func updated(_ both: (oldValue: Value, newValue: Value)) -> Self { .updated(both.oldValue, both.newValue) }
}

/// An integer for which both modules do the same steps.
protocol AtomicInteger: FixedWidthInteger, Sendable {
    static func original(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>]
    static func explored(_ steps: [AtomicStep<Self>], from first: Self) -> [AtomicOutcome<Self>]
}

extension Int: AtomicInteger {}
extension Int8: AtomicInteger {}
extension Int16: AtomicInteger {}
extension Int32: AtomicInteger {}
extension Int64: AtomicInteger {}
extension Int128: AtomicInteger {}
extension UInt: AtomicInteger {}
extension UInt8: AtomicInteger {}
extension UInt16: AtomicInteger {}
extension UInt32: AtomicInteger {}
extension UInt64: AtomicInteger {}
extension UInt128: AtomicInteger {}
