import Foundation
import NIOCore
import NIOPosix
import SceneService
import Testing

@Suite("An executor that runs where its work comes from", .timeLimit(.minutes(15)))
struct FollowingExecutorTests {
    /// Runs a task on one event loop, except where an actor's executor takes over.
    private final class OnLoop: TaskExecutor {
        let loop: any EventLoop

        init(_ loop: any EventLoop) { self.loop = loop }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Says where it runs.
    private actor Runner {
        private nonisolated let executor: FollowingExecutor
        private var numbers: [Int] = []
        private var isRunning = false

        init(_ executor: FollowingExecutor) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        private var loop: ObjectIdentifier? { MultiThreadedEventLoopGroup.currentEventLoop.map(ObjectIdentifier.init) }

        func place() -> ObjectIdentifier? { loop }

        /// Where it is after `body`, which blocks.
        func place(during body: @Sendable () -> Void) -> ObjectIdentifier? {
            body()
            return loop
        }

        func add(_ number: Int) {
            precondition(!isRunning)
            isRunning = true
            numbers.append(number)
            isRunning = false
        }

        /// Adds each number in a task; all tasks are made before the first can run.
        func addLater(_ numbers: Range<Int>) async {
            let tasks = numbers.map { number in Task { self.add(number) } }
            for task in tasks { await task.value }
        }

        func all() -> [Int] { numbers }
    }

    private func withLoops(
        _ body: ([any EventLoop], Runner) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let loops: [any EventLoop] = Array(group.makeIterator())
        // The third is not one of its loops.
        try await body(loops, Runner(FollowingExecutor(loops: Array(loops[..<2]), home: loops[1])))
        try await group.shutdownGracefully()
    }

    @Test("runs on the loop that its job comes from, and at home for one that comes from elsewhere")
    func follows() async throws {
        try await withLoops { loops, runner in
            for (from, expected) in [(0, 0), (1, 1), (0, 0), (2, 1)] {
                let place = await Task(executorPreference: OnLoop(loops[from])) { await runner.place() }.value
                #expect(place == ObjectIdentifier(loops[expected]), "from \(from)")
            }
            let place = await Task.detached { await runner.place() }.value
            #expect(place == ObjectIdentifier(loops[1]))
        }
    }

    @Test("stays on its loop while it is at work")
    func stays() async throws {
        try await withLoops { loops, runner in
            let hasBegun = DispatchSemaphore(value: 0)
            let mayEnd = DispatchSemaphore(value: 0)
            let first = Task(executorPreference: OnLoop(loops[0])) {
                await runner.place {
                    hasBegun.signal()
                    mayEnd.wait()
                }
            }
            // Not in the task itself, which must not block.
            let whenBegun: @Sendable () -> Void = {
                hasBegun.wait()
                // Runs when the task has left the loop, which it does by asking for the actor.
                loops[1].execute { mayEnd.signal() }
            }
            let second = Task(executorPreference: OnLoop(loops[1])) {
                whenBegun()
                return await runner.place()
            }
            #expect(await first.value == ObjectIdentifier(loops[0]))
            #expect(await second.value == ObjectIdentifier(loops[0]))
        }
    }

    @Test("runs jobs in the order enqueued")
    func keepsOrder() async throws {
        try await withLoops { loops, runner in
            await Task(executorPreference: OnLoop(loops[0])) { await runner.addLater(0..<1_000) }.value
            #expect(await runner.all() == Array(0..<1_000))
        }
    }

    @Test("runs every job once and never two at a time, wherever they come from")
    func isSerial() async throws {
        try await withLoops { loops, runner in
            await withTaskGroup { group in
                for number in 0..<3_000 {
                    let place = OnLoop(loops[number % 3])
                    group.addTask(executorPreference: place) { await runner.add(number) }
                }
            }
            #expect(await runner.all().sorted() == Array(0..<3_000))
        }
    }
}
