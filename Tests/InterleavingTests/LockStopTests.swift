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

    @Test("is not stopped there otherwise", arguments: programs)
    func unseen(program: Program) async throws {
        let exploration = try await explore(StopTests.options(.portfolio, iterations: 2_000), body: program.broken)
        let isFound = exploration.failure != nil
        // A task that is cancelled may not have begun.
        #expect(!isFound || program.testDescription.contains("signal"), "\(program.testDescription)")
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
            #expect(waiters.count { $0.reason == .lock } == 2, "\(waiters)")
        }
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

extension DispatchSemaphore {
    /// What a body returns when it was signalled.
    fileprivate func whenSignalled<Result>(_ body: () -> Result) -> Result {
        wait()
        return body()
    }
}
