import Foundation
import SimulatedExecutors
import Synchronization
import Testing

/// An actor on a given executor, which sees whether two threads are in it at once.
private actor Counter {
    private nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let inside = Atomic(0)
    private(set) var count = 0
    private(set) var most = 0
    private(set) var order: [Int] = []

    init(_ executor: any SerialExecutor) {
        self.executor = executor
    }

    func add() {
        assertIsolated()
        preconditionIsolated()
        most = max(most, inside.add(1, ordering: .relaxed).newValue)
        count += 1
        inside.subtract(1, ordering: .relaxed)
    }

    /// Starts tasks that have to wait until this function has ended.
    func start(_ count: Int) -> [Task<Void, Never>] {
        (0..<count).map { number in Task { order.append(number) } }
    }

    /// Fails the process unless it is called in the actor.
    nonisolated func countInside() -> Int { assumeIsolated { $0.count } }

    func countThere() -> Int { countInside() }
}

@Suite("Executors outside of a simulation", .timeLimit(.minutes(15)))
struct SimulatedExecutorTests {
    enum Kind: CaseIterable {
        case simulated, queue

        var executor: any SerialExecutor {
            switch self {
            case .simulated: SimulatedExecutor(name: "counter")
            case .queue: SerialJobQueue()
            }
        }
    }

    @Test("run jobs in the order enqueued", arguments: Kind.allCases)
    func order(kind: Kind) async {
        let counter = Counter(kind.executor)
        for task in await counter.start(1_000) { await task.value }
        #expect(await counter.order == Array(0..<1_000))
    }

    @Test("run every job, and never two at once, whichever threads enqueue them", arguments: Kind.allCases)
    func producers(kind: Kind) async {
        let counter = Counter(kind.executor)
        let tasks = await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    // A thread of its own: those of the pool are as many as the machine has processors.
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume(returning: (0..<250).map { _ in Task { await counter.add() } })
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<250 { await counter.add() }
                    return []
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        for task in tasks { await task.value }
        #expect(await counter.count == 4_000)
        #expect(await counter.most == 1)
    }

    @Test("are that on which the actor's jobs run", arguments: Kind.allCases)
    func isolation(kind: Kind) async {
        let counter = Counter(kind.executor)
        await counter.add()
        #expect(await counter.countThere() == 1)
    }

    @Test("a task executor runs every job on the shared pool")
    func tasks() async {
        let executor = SimulatedTaskExecutor()
        let sum = await withTaskExecutorPreference(executor) {
            await withTaskGroup { group in
                for number in 1...100 {
                    group.addTask {
                        await Task.yield()
                        return number
                    }
                }
                return await group.reduce(0, +)
            }
        }
        #expect(sum == 5_050)
        #expect(await Task(executorPreference: executor) { 7 }.value == 7)
    }
}
