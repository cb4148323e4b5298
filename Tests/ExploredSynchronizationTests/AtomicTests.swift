import Basics
import ExploredSynchronization
import Testing

/// Outside of a simulation, an atomic value does what that of `Synchronization` does.
@Suite("An explored atomic value outside of an exploration")
struct AtomicTests {
    static let integers: [any AtomicInteger.Type] = [
        Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self,
        UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
    ]

    @Test("does each operation in each order as the original", arguments: integers)
    func each(_ type: any AtomicInteger.Type) {
        func check<Value: AtomicInteger>(_ type: Value.Type) {
            var steps = Self.accesses(old: Value(1), new: Value(5)) + Self.accesses(old: Value(5), new: Value(7))
            for update in AtomicStep<Value>.Update.allCases {
                steps += AtomicStep<Value>.UpdateOrder.allCases.map { .update(update, 1, $0) }
            }
            #expect(steps.count == 2 * 51 + 45)
            for first in [Value(1), 5, 7, 100] {
                // One after the other, and each by itself. Nothing is below zero, and the sums fit.
                #expect(Value.explored(steps, from: first) == Value.original(steps, from: first))
                for step in steps {
                    let more = [step, .load(.relaxed)]
                    #expect(Value.explored(more, from: first) == Value.original(more, from: first), "\(step)")
                }
            }
        }
        check(type)
    }

    /// All that every type has, in every order.
    private static func accesses<Value>(old: Value, new: Value) -> [AtomicStep<Value>] {
        typealias Step = AtomicStep<Value>
        var steps = Step.LoadOrder.allCases.map { Step.load($0) } + Step.StoreOrder.allCases.map { .store(new, $0) }
        for order in Step.UpdateOrder.allCases {
            steps.append(.exchange(old, order))
            for other in Step.LoadOrder.allCases.map(Optional.some) + [nil] {
                steps += [.strong(old, new, order, other), .weak(new, old, order, other)]
            }
        }
        return steps
    }

    @Test("does what the original does in 2,000 random steps", arguments: integers)
    func random(_ type: any AtomicInteger.Type) {
        func check<Value: AtomicInteger>(_ type: Value.Type) {
            for seed: UInt64 in 0..<20 {
                var random = SplitMix(seed: seed)
                // Of few values, so that some are expected, and of extreme ones.
                var values = [Value.min, Value.max, 0, 1, 2]
                values.append(Value.random(in: .min ... .max, using: &random))
                // What traps is left to those that do not.
                let updates = AtomicStep<Value>.Update.allCases.filter { $0 != .add && $0 != .subtract }
                let steps = (0..<100).map { _ in
                    AtomicStep<Value>(of: values, updates, &random)
                }
                let first = values[random.below(values.count)]
                #expect(Value.explored(steps, from: first) == Value.original(steps, from: first), "seed \(seed)")
            }
        }
        check(type)
    }

    @Test("combines truth values as the original does")
    func logical() {
        typealias Order = LogicalUpdate.Order
        let steps = Order.allCases.flatMap { order in
            [LogicalUpdate.logicalAnd(order), .logicalOr(order), .logicalXor(order)].flatMap { update in
                [(update: update, operand: true), (update: update, operand: false)]
            }
        }
        for first in [true, false] {
            for step in steps { #expect(Bool.explored([step], from: first) == Bool.original([step], from: first)) }
            #expect(Bool.explored(steps, from: first) == Bool.original(steps, from: first))
        }
        #expect(Bool.explored([(.logicalXor(.relaxed), true)], from: true) == [.updated(true, false)])
    }

    @Test("has values of all types that the original has")
    func representations() {
        #expect(ExploredRepresentations.log() == OriginalRepresentations.log())
        #expect(ExploredRepresentations.log().first == "1.5 1.5 -0.0")
    }

    @Test("traps where a sum does not fit")
    func overflow() async {
        await #expect(processExitsWith: .failure) {
            let atomic = Atomic(Int8.max)
            atomic.add(1, ordering: .relaxed)
        }
        await #expect(processExitsWith: .failure) {
            let atomic = Atomic(UInt.min)
            atomic.subtract(1, ordering: .relaxed)
        }
    }

    @Test("takes 8 bytes more, and is aligned to 8")
    func size() {
        #expect(MemoryLayout<Atomic<Int>>.size == 16)
        #expect(MemoryLayout<Atomic<UInt8>>.size == 16)
        #expect(MemoryLayout<AtomicLazyReference<AnyObject>>.size == 16)
        #expect(MemoryLayout<Mutex<Int>>.size == 24)
    }

    @Test("can be given the orders and their names by one import alone")
    func names() {
        let (load, store, update): (AtomicLoadOrdering, AtomicStoreOrdering, AtomicUpdateOrdering) =
            (.acquiring, .releasing, .acquiringAndReleasing)
        #expect(load != .relaxed && store == .releasing && update.description == "acquiringAndReleasing")
        func generic<Value: AtomicRepresentable & AtomicOptionalRepresentable>(_ value: Value) -> Value {
            Value.decodeAtomicRepresentation(Value.encodeAtomicRepresentation(value))
        }
        #expect(generic(ObjectIdentifier(Int.self)) == ObjectIdentifier(Int.self))
        #expect(WordPair(first: 1, second: 2) < WordPair(first: 2, second: 1))
    }
}

extension AtomicStep where Value: FixedWidthInteger {
    fileprivate init(of values: [Value], _ updates: [Update], _ random: inout SplitMix) {
        func any<Element>(_ elements: [Element]) -> Element { elements[random.below(elements.count)] }
        let order = any(UpdateOrder.allCases)
        let other = any(LoadOrder.allCases.map(Optional.some) + [nil])
        self =
            switch random.below(6) {
            case 0: .load(any(LoadOrder.allCases))
            case 1: .store(any(values), any(StoreOrder.allCases))
            case 2: .exchange(any(values), order)
            case 3: .strong(any(values), any(values), order, other)
            case 4: .weak(any(values), any(values), order, other)
            default: .update(any(updates), any(values), order)
            }
    }
}
