import Basics
import Dispatch
import Foundation
import Glibc
import Testing

@testable import Interleaving

/// Jobs that are stopped before they access what tasks share.
@Suite("A job that is stopped at locks", .enabled(if: SimulationSettings.reasonNotToStop == nil))
struct LockStopTests {
    typealias Wrong = StopTests.Wrong
    typealias Number = StopTests.Number

    /// A program that is wrong only if others come in between two accesses of one job.
    struct Program: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let broken: @Sendable () async throws -> Void
        let fixed: @Sendable () async throws -> Void
    }

    /// A continuation that is resumed when its task is cancelled.
    struct Wait: Sendable {
        var isCancelled = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    /// Two tasks that reserve the last seat, by a lock of any kind.
    private static func seats(_ name: String, _ make: @escaping @Sendable () -> any StopTests.Lockable) -> Program {
        @Sendable func reserve(whole: Bool) async throws {
            let lock = make()
            let (free, sold) = (Number(), Number())
            free.value = 1
            await withDiscardingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        var isFree = false
                        lock.whileLocked {
                            isFree = free.value > 0
                            if whole, isFree { free.value -= 1 }
                        }
                        guard isFree else { return }
                        lock.whileLocked {
                            if !whole { free.value -= 1 }
                            sold.value += 1
                        }
                    }
                }
            }
            if sold.value != 1 { throw Wrong() }
        }
        return Program(
            testDescription: "check and act in two locks: \(name)",
            broken: { try await reserve(whole: false) },
            fixed: { try await reserve(whole: true) }
        )
    }

    static let programs: [Program] = [
        seats("a mutex of the C library") { Guarded(()) },
        seats("NSLock") { NSLock() },
        seats("NSRecursiveLock") { NSRecursiveLock() },
        seats("a semaphore") { Semaphore() },
        seats("a reader-writer lock") { ReaderWriterLock() },
        Program(
            testDescription: "a cancellation between the check and what it was for",
            broken: { try await wait(looksAgain: false) },
            fixed: { try await wait(looksAgain: true) }
        ),
        Program(
            testDescription: "a signal before what it says is there",
            broken: {
                let semaphore = DispatchSemaphore(value: 0)
                let value = Number()
                async let seen = { semaphore.whenSignalled { value.value } }()
                semaphore.signal()
                value.value = 1
                if await seen == 0 { throw Wrong() }
            },
            fixed: {
                let semaphore = DispatchSemaphore(value: 0)
                let value = Number()
                async let seen = { semaphore.whenSignalled { value.value } }()
                value.value = 1
                semaphore.signal()
                if await seen == 0 { throw Wrong() }
            }
        ),
        Program(
            testDescription: "a value that is read and then written",
            broken: {
                let value = Shared()
                await withDiscardingTaskGroup { group in
                    for _ in 0..<2 { group.addTask { value.set(value.get() + 1) } }
                }
                if value.get() != 2 { throw Wrong() }
            },
            fixed: {
                let value = Shared()
                await withDiscardingTaskGroup { group in
                    for _ in 0..<2 { group.addTask { value.increment() } }
                }
                if value.get() != 2 { throw Wrong() }
            }
        ),
    ]

    /// Waits until it is cancelled.
    @Sendable private static func wait(looksAgain: Bool) async throws {
        let state = Guarded(Wait())
        let waiter = Task {
            await withTaskCancellationHandler {
                if Task.isCancelled { return }
                await withCheckedContinuation { continuation in
                    let isLate = state.withLock { wait in
                        if looksAgain, wait.isCancelled { return true }
                        wait.continuation = continuation
                        return false
                    }
                    if isLate { continuation.resume() }
                }
            } onCancel: {
                state.withLock { wait in
                    wait.isCancelled = true
                    defer { wait.continuation = nil }
                    return wait.continuation
                }?.resume()
            }
        }
        // Right away, so that it is chance where the waiter is.
        waiter.cancel()
        await waiter.value
    }

    final class Semaphore: StopTests.Lockable {
        private let semaphore = DispatchSemaphore(value: 1)
        func whileLocked(_ body: () -> Void) {
            semaphore.wait()
            body()
            semaphore.signal()
        }
    }

    final class ReaderWriterLock: StopTests.Lockable, @unchecked Sendable {
        // Sendable: it is a lock.
        private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        init() { pthread_rwlock_init(lock, nil) }
        deinit {
            pthread_rwlock_destroy(lock)
            lock.deallocate()
        }
        func whileLocked(_ body: () -> Void) {
            pthread_rwlock_wrlock(lock)
            body()
            pthread_rwlock_unlock(lock)
        }
        func isFree(_ take: (UnsafeMutablePointer<pthread_rwlock_t>) -> CInt) -> Bool {
            guard take(lock) == 0 else { return false }
            pthread_rwlock_unlock(lock)
            return true
        }
    }

    /// An atomic number that says what is done with it.
    final class Shared: Sendable {
        private let number = Number()
        private let name = SharedName()
        func get() -> Int {
            name.report(.read)
            return number.value
        }
        func set(_ value: Int) {
            name.report(.write)
            number.value = value
        }
        func increment() {
            name.report(.write)
            number.value += 1
        }
    }

    @Test(
        "fails where whole accesses do not suffice, by every strategy, and its order repeats the failure",
        arguments: programs,
        StopTests.searching + [.exhaustiveReported]
    )
    func found(program: Program, strategy: StrategyName) async throws {
        let exploration = try await explore(StopTests.options(strategy, .locks), body: program.broken)
        let failure = try #require(exploration.failure, "\(exploration.runs) runs, \(exploration.summary ?? "")")
        #expect(failure.code.description.hasPrefix("3-"))
        let again = try await replay(failure.code, settings: SimulationSettings(granularity: .locks)) { _ in
            try await program.broken()
        }
        #expect(again.verdict == failure.verdict)
        let right = try await explore(
            StopTests.options(strategy, iterations: 3_000, .locks),
            body: program.fixed
        )
        #expect(right.failure == nil, "\(right.failure?.verdict.description ?? "")")
    }

    /// Those that take two locks with nothing in between, or look whether a task is cancelled.
    private static let betweenLocks = programs.filter {
        !$0.testDescription.contains("signal") && !$0.testDescription.contains("semaphore")
            && !$0.testDescription.contains("written")
    }

    @Test(
        "that is not stopped there is never said to be explored completely",
        arguments: betweenLocks,
        [StrategyName.exhaustiveAll, .exhaustive(preemptions: nil), .exhaustiveReported]
    )
    func claims(program: Program, strategy: StrategyName) async throws {
        for granularity in [SimulationSettings.Granularity.stops, .jobs] {
            var options = StopTests.options(strategy)
            options.settings.granularity = granularity
            let exploration = try await explore(options, body: program.broken)
            #expect(exploration.failure == nil && !exploration.isComplete, "\(granularity)")
            let summary = exploration.summary ?? ""
            #expect(summary.contains("set granularity: .locks"), "\(granularity): \(summary)")
        }
    }

    @Test("that is not stopped there is named by a search by chance", arguments: betweenLocks, [0, 2])
    func undisturbed(program: Program, workers: Int) async throws {
        for granularity in [SimulationSettings.Granularity.stops, .jobs] {
            var options = StopTests.options(.random, iterations: 20, granularity)
            options.workers = workers
            let exploration = try await explore(options, body: program.broken)
            #expect(exploration.failure == nil)
            #expect(exploration.undisturbed?.contains("set granularity: .locks") == true, "\(granularity)")
            #expect(exploration.whatWasSeen.hasSuffix("; \(exploration.undisturbed ?? "")"))
        }
        let stopped = try await explore(
            StopTests.options(.random, iterations: 20, .locks),
            body: program.fixed
        )
        #expect(stopped.undisturbed == nil)
    }

    @Test("whole jobs with one lock each are explored completely, and with two if that is taken for granted")
    func wholeJobs() async throws {
        let lock = Guarded(0)
        let once: @Sendable () async -> Void = {
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { lock.withLock { $0 += 1 } } }
            }
        }
        let twice: @Sendable () async -> Void = {
            await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        let value = lock.read { $0 }
                        lock.withLock { $0 = value }
                    }
                }
            }
        }
        var options = StopTests.options(.exhaustive(preemptions: nil))
        options.settings.granularity = .jobs
        #expect(try await explore(options, body: once).isComplete)
        let exploration = try await explore(options, body: twice)
        #expect(!exploration.isComplete && exploration.summary?.contains("granularity: .locks") == true)
        options.settings.takesJobsWhole = true
        #expect(try await explore(options, body: twice).isComplete)
    }

    // MARK: What is not claimed

    /// The ways to try a lock.
    enum Trial: CaseIterable {
        case tryLock, timed, recursive, readers, writers

        /// Whether it was got, by the second of two functions; the first only takes it.
        func pair() -> (take: @Sendable () -> Void, isGot: @Sendable () -> Bool) {
            switch self {
            case .tryLock:
                let lock = NSLock()
                return ({ lock.withLock {} }, { lock.isFree { $0.try() } })
            case .timed:
                let lock = NSLock()
                return ({ lock.withLock {} }, { lock.isFree { $0.lock(before: .distantPast) } })
            case .recursive:
                let lock = NSRecursiveLock()
                return ({ lock.withLock {} }, { lock.isFree { $0.try() } })
            case .readers:
                let lock = ReaderWriterLock()
                return ({ lock.whileLocked {} }, { lock.isFree(pthread_rwlock_tryrdlock) })
            case .writers:
                let lock = ReaderWriterLock()
                return ({ lock.whileLocked {} }, { lock.isFree(pthread_rwlock_trywrlock) })
            }
        }
    }

    @Test(
        "a search with a lock that is tried is never said to be complete",
        arguments: Trial.allCases,
        [SimulationSettings.Granularity.stops, .locks]
    )
    func trials(trial: Trial, granularity: SimulationSettings.Granularity) async throws {
        for strategy in [StrategyName.exhaustiveAll, .exhaustiveReported] {
            let exploration = try await explore(StopTests.options(strategy, granularity)) {
                let lock = trial.pair()
                async let one: Void = lock.take()
                async let other = lock.isGot()
                if await !other { failRun("it was taken") }
                await one
            }
            #expect(exploration.failure == nil && !exploration.isComplete)
            #expect(exploration.summary?.contains("a lock was tried") == true, "\(exploration.summary ?? "")")
        }
    }

    @Test("a cancellation handler depends on the cancellation: it is found, or not said to be complete")
    func handlers() async throws {
        for strategy in [StrategyName.exhaustiveAll, .exhaustiveReported] {
            for isGroup in [false, true] {
                let exploration = try await explore(StopTests.options(strategy, .locks)) {
                    let (one, other) = (Guarded(0), Guarded(0))
                    let isWrong = Number()
                    let body: @Sendable () async -> Void = {
                        await withTaskCancellationHandler {
                            one.withLock { $0 = 1 }
                            other.withLock { $0 = 1 }
                        } onCancel: {
                            if one.read({ $0 == 1 }) { isWrong.value = 1 }
                        }
                    }
                    if isGroup {
                        await withTaskGroup { group in
                            group.addTask(operation: body)
                            group.cancelAll()
                        }
                    } else {
                        let task = Task(operation: body)
                        task.cancel()
                        await task.value
                    }
                    if isWrong.value == 1 { throw Wrong() }
                }
                #expect(exploration.failure != nil || !exploration.isComplete, "\(exploration.summary ?? "")")
                if strategy == .exhaustiveAll { #expect(exploration.failure != nil) }
            }
        }
        let without = try await explore(StopTests.options(.exhaustiveReported, .locks)) {
            await withTaskCancellationHandler {
            } onCancel: {
            }
        }
        #expect(without.summary?.contains("a cancellation handler was registered") == true, "\(without.summary ?? "")")
    }

    @Test("a handler gets and gives its values as without an exploration", arguments: [3, 4])
    func handlersValues(_ number: Int) async throws {
        let text = try await withTaskCancellationHandler {
            try await Task.sleep(for: .nanoseconds(1))
            return "\(number) \([1.5, Double(number)])"
        } onCancel: {
        }
        #expect(text == "\(number) [1.5, \(Double(number))]")
        let exploration = try await explore(StopTests.options(.portfolio, iterations: 50, .locks)) {
            let value = await withTaskCancellationHandler {
                await Task.yield()
                return (number, "\(number)", Double(number))
            } onCancel: {
            }
            if value != (number, "\(number)", Double(number)) { throw Wrong() }
            do {
                try await withTaskCancellationHandler {
                    throw Wrong()
                } onCancel: {
                }
                failRun("nothing was thrown")
            } catch is Wrong {}
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
    }

    @Test("a run that is longer than half of the steps is not said to be explored completely", arguments: [22, 24])
    func long(_ steps: Int) async throws {
        var options = StopTests.options(.exhaustiveAll, .locks)
        options.settings.maxSteps = steps
        let exploration = try await explore(options) {
            let other = Guarded(0)
            for _ in 0..<12 { other.withLock { $0 += 1 } }
            try await Self.programs[1].broken()
        }
        #expect(exploration.failure != nil || !exploration.isComplete)
        if exploration.failure == nil {
            #expect(exploration.summary?.contains("set maxSteps to more than") == true, "\(exploration.summary ?? "")")
        }
    }

    @Test(
        "which of two takes a lock first makes a difference, whichever it is",
        arguments: StopTests.Kind.allCases.filter { $0 != .mutex },
        [SimulationSettings.Granularity.stops, .locks]
    )
    func first(kind: StopTests.Kind, granularity: SimulationSettings.Granularity) async throws {
        let exploration = try await explore(StopTests.options(.exhaustiveReported, granularity)) {
            let lock = kind.make()
            let (value, isWrong) = (Number(), Number())
            async let one: Void = lock.whileLocked { value.value = 1 }
            async let other: Void = lock.whileLocked { if value.value == 0 { isWrong.value = 1 } }
            _ = await (one, other)
            if isWrong.value == 1 { throw Wrong() }
        }
        #expect(exploration.failure != nil, "\(exploration.summary ?? "")")
    }

    @Test("that takes one lock in a step is explored completely without stops there")
    func one() async throws {
        let exploration = try await explore(StopTests.options(.exhaustiveAll)) {
            let value = Guarded(0)
            await withDiscardingTaskGroup { group in
                for _ in 0..<2 { group.addTask { value.withLock { $0 += 1 } } }
            }
            if value.read({ $0 }) != 2 { throw Wrong() }
        }
        #expect(exploration.isComplete, "\(exploration.summary ?? "")")
    }

    @Test("a search that ends says that locks are stops")
    func summary() async throws {
        let exploration = try await explore(StopTests.options(.exhaustiveReported, .locks)) {
            let value = Guarded(0)
            async let one: Void = value.withLock { $0 += 1 }
            async let two: Void = value.withLock { $0 += 1 }
            _ = await (one, two)
        }
        #expect(exploration.summary?.contains("with stops, also at locks") == true, "\(exploration.summary ?? "")")
    }

    @Test(
        "with one lock that wants the other finds the deadlock, also if both only read",
        arguments: [
            StrategyName.random, .portfolio, .exhaustiveAll, .exhaustiveReported, .exhaustive(preemptions: nil),
        ]
    )
    func opposite(_ strategy: StrategyName) async throws {
        for isRead in [true, false] {
            let exploration = try await explore(StopTests.options(strategy, .locks)) {
                let (left, right) = (Guarded(0), Guarded(0))
                @Sendable func both(_ one: Guarded<Int>, _ other: Guarded<Int>) {
                    if isRead {
                        one.read { _ in other.read { _ in } }
                    } else {
                        one.withLock { _ in other.withLock { _ in } }
                    }
                }
                async let one: Void = both(left, right)
                async let two: Void = both(right, left)
                _ = await (one, two)
            }
            guard case .deadlock(let waiters)? = exploration.failure?.verdict else {
                Issue.record("\(strategy) \(isRead): \(String(describing: exploration.failure?.verdict))")
                continue
            }
            let blocked = waiters.filter { $0.reason == .lock }
            #expect(blocked.count == 2 && Set(blocked.map(\.holder)) == Set(blocked.map(\.task)), "\(waiters)")
            #expect(blocked.allSatisfy { $0.holder != $0.task }, "\(waiters)")
        }
    }

    @Test("taken again by who has it is a deadlock that says so")
    func twice() async throws {
        let exploration = try await explore(StopTests.options(.random, iterations: 3, .locks)) {
            let lock = NSLock()
            async let both: Void = lock.withLock { lock.withLock {} }
            await both
        }
        let verdict = try #require(exploration.failure).verdict.description
        #expect(verdict.contains("waits for a lock that it has itself"), "\(verdict)")
    }

    @Test("a report names the line of the access")
    func places() async throws {
        let program = Self.programs[0]
        let exploration = try await explore(StopTests.options(.random, .locks), body: program.broken)
        let failure = try #require(exploration.failure)
        let text = try await withExplorationRunner(
            SimulationSettings(granularity: .locks),
            body: { _ in try await program.broken() }
        ) { runner in
            try runner.report(on: failure, of: exploration, title: "seats") { "\($0)" }.text()
        }
        #expect(text.contains("LockStopTests.swift:"), "\(text)")
    }

    @Test("locks that a library takes for itself are no stops, so that the same choices lead to the same steps")
    func libraries() async throws {
        var options = StopTests.options(.random, iterations: 200, .locks)
        options.determinismChecks = 200
        let steps = Collected<Int>()
        let exploration = try await explore(options) {
            async let one = DateFormatter().string(from: Date(timeIntervalSince1970: 0))
            async let two = String(format: "%d %@", 7, "seven")
            async let three = (try? JSONEncoder().encode(["a": 1])).map { $0.count }
            _ = await (one, two, three)
            steps.append(0)
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
    }
}

extension NSLocking {
    /// Whether it could be taken.
    fileprivate func isFree(_ take: (Self) -> Bool) -> Bool {
        guard take(self) else { return false }
        unlock()
        return true
    }
}

extension DispatchSemaphore {
    /// What a body returns when it was signalled.
    fileprivate func whenSignalled<Result>(_ body: () -> Result) -> Result {
        wait()
        return body()
    }
}
