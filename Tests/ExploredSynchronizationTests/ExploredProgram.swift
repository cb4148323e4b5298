import Basics
import ExploredSynchronization

/// Tasks that share two mutexes, two atomic values and a reference, and do one thing after the other with them.
struct ExploredProgram: Sendable {
    indirect enum Operation: Sendable {
        case read(Int)
        case write(Int, Int)
        case tryWrite(Int, Int)
        /// While it holds a lock.
        case within(Int, [Operation])
        case load(Int)
        case store(Int, Int)
        case add(Int, Int)
        case replace(Int, old: Int, new: Int)
        case setOnce(Int)
        case lookAtReference

        /// How many of them there are.
        var size: Int {
            if case .within(_, let operations) = self { operations.reduce(1) { $0 + $1.size } } else { 1 }
        }
    }

    final class Boxed: Sendable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    final class Shared: Sendable {
        private final class Locked: Sendable {
            let value = Mutex(0)
        }

        private final class Counted: Sendable {
            let value = Atomic(0)
        }

        private let locks = [Locked(), Locked()]
        private let atomics = [Counted(), Counted()]
        private let reference = AtomicLazyReference<Boxed>()

        /// Does something, and notes what it learned.
        func perform(_ operation: Operation, _ learned: inout [Int]) {
            switch operation {
            case .read(let lock): learned.append(locks[lock].value.withLock { $0 })
            case .write(let lock, let number): locks[lock].value.withLock { $0 = $0 * 31 + number }
            case .tryWrite(let lock, let number):
                learned.append(locks[lock].value.withLockIfAvailable { $0 += number } == nil ? -1 : -2)
            case .within(let lock, let operations):
                learned += locks[lock].value.withLock { value in
                    var inside: [Int] = [value]
                    for operation in operations { perform(operation, &inside) }
                    value = value * 31 + 7
                    return inside
                }
            case .load(let atomic): learned.append(atomics[atomic].value.load(ordering: .acquiring))
            case .store(let atomic, let number): atomics[atomic].value.store(number, ordering: .releasing)
            case .add(let atomic, let number):
                learned.append(atomics[atomic].value.wrappingAdd(number, ordering: .relaxed).newValue)
            case .replace(let atomic, let old, let new):
                let (done, _) = atomics[atomic].value.compareExchange(
                    expected: old,
                    desired: new,
                    ordering: .acquiringAndReleasing
                )
                learned.append(done ? 1 : 0)
            case .setOnce(let number): learned.append(reference.storeIfNil(Boxed(number)).number)
            case .lookAtReference: learned.append(reference.load()?.number ?? 0)
            }
        }

        var end: [Int] {
            locks.map { $0.value.withLock { $0 } } + atomics.map { $0.value.load(ordering: .relaxed) }
                + [reference.load()?.number ?? 0]
        }
    }

    let tasks: [[Operation]]

    init(_ tasks: [[Operation]]) { self.tasks = tasks }

    /// A random one that is small enough to try every order.
    init(_ random: inout SplitMix) {
        var tasks: [[Operation]] = []
        repeat {
            let count = 2 + random.below(2)
            tasks = (0..<count).map { task in
                (0...random.below(2)).map { step in
                    Self.operation(task * 10 + step + 1, holding: nil, &random)
                }
            }
        } while tasks.joined().reduce(0) { $0 + $1.size } > (tasks.count == 2 ? 5 : 3)
        self.tasks = tasks
    }

    /// - Parameter lock: The lock that is held: it is not taken again.
    private static func operation(_ number: Int, holding lock: Int?, _ random: inout SplitMix) -> Operation {
        let which = random.below(2)
        let free = lock.map { 1 - $0 } ?? which
        switch random.below(12) {
        case 0: return .read(free)
        case 1: return .write(free, number)
        case 2: return .tryWrite(free, number)
        case 3, 4, 5, 6:
            guard lock == nil else { return .write(free, number) }
            return .within(free, (0...random.below(2)).map { operation(number + $0 * 3, holding: free, &random) })
        case 7: return .load(which)
        case 8: return .store(which, number)
        case 9: return .add(which, number)
        case 10: return .replace(which, old: 0, new: number)
        default: return random.below(2) == 0 ? .setOnce(number) : .lookAtReference
        }
    }

    /// What every task has learned, and what is there in the end.
    func run() async -> String {
        let shared = Shared()
        let learned = await withTaskGroup(of: (Int, [Int]).self) { group in
            for (number, operations) in tasks.enumerated() {
                group.addTask {
                    var learned: [Int] = []
                    for operation in operations { shared.perform(operation, &learned) }
                    return (number, learned)
                }
            }
            var all: [Int: [Int]] = [:]
            for await (number, learned) in group { all[number] = learned }
            return all.sorted { $0.key < $1.key }
        }
        return "\(learned.map(\.value)) \(shared.end)"
    }
}
