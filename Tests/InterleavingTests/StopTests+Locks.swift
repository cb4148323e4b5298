import Basics
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import Interleaving

extension StopTests {
    /// A kind of lock.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        /// `Mutex` of Synchronization.
        case mutex
        /// A mutex of the C library, called by the code itself.
        case guarded
        /// Locks of Foundation, which calls the C library.
        case lock, recursive

        var testDescription: String { rawValue }

        func make() -> any Lockable {
            switch self {
            case .mutex: SwiftMutex()
            case .guarded: Guarded(())
            case .lock: NSLock()
            case .recursive: NSRecursiveLock()
            }
        }
    }

    protocol Lockable: Sendable {
        func whileLocked(_ body: () -> Void)
    }

    final class SwiftMutex: Lockable {
        private let mutex = Mutex(())
        func whileLocked(_ body: () -> Void) { mutex.withLock { _ in body() } }
    }

    /// A job that has a lock is stopped; those that want it wait, and others go on.
    @Test(
        "with a lock makes others wait for it, and only those",
        arguments: Kind.allCases,
        [StrategyName.portfolio, .exhaustiveAll]
    )
    func waiting(kind: Kind, strategy: StrategyName) async throws {
        let mostOutside = Number()
        let exploration = try await explore(Self.options(strategy, iterations: 3_000)) {
            let lock = kind.make()
            let (inside, outside, total) = (Number(), Number(), Number())
            await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        lock.whileLocked {
                            inside.value += 1
                            let before = total.value
                            schedulingPoint()
                            if inside.value != 1 { failRun("two have the lock") }
                            total.value = before + 1
                            mostOutside.value = max(mostOutside.value, outside.value)
                            inside.value -= 1
                        }
                    }
                }
                group.addTask { outside.value += 1 }
            }
            if total.value != 2 { throw Wrong() }
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
        #expect(mostOutside.value == 1)
        if strategy == .exhaustiveAll { #expect(exploration.isComplete, "\(exploration.summary ?? "")") }
    }

    @Test(
        "with one lock that wants the other is a deadlock that names both, and no lock stays locked",
        arguments: Kind.allCases
    )
    func opposite(kind: Kind) async throws {
        // They outlive the runs.
        let (left, right) = (kind.make(), kind.make())
        var options = Self.options(.random, iterations: 300)
        options.continuesAfterFailure = true
        options.determinismChecks = 50
        let exploration = try await explore(options) {
            let take: @Sendable (any Lockable, any Lockable) -> Void = { first, second in
                first.whileLocked {
                    schedulingPoint()
                    second.whileLocked {}
                }
            }
            async let one: Void = take(left, right)
            async let two: Void = take(right, left)
            _ = await (one, two)
        }
        #expect(30..<300 ~= exploration.failures)
        guard case .deadlock(let waiters)? = exploration.failure?.verdict else {
            Issue.record("\(String(describing: exploration.failure?.verdict))")
            return
        }
        let blocked = waiters.filter { $0.reason == .lock }
        // The first has the lock for which the second waits, and the other way round; Swift's own lock names nobody.
        #expect(blocked.count == 2 && blocked.allSatisfy { $0.holder != $0.task }, "\(waiters)")
        let functions = waiters.filter { $0.reason == .lock }.map { $0.function ?? "" }
        #expect(
            functions.allSatisfy { $0.contains("whileLocked") || $0.contains("withLock") },
            "\(functions)"
        )
        left.whileLocked { right.whileLocked {} }
    }

    @Test("and locks twice what can be locked twice, by itself only")
    func recursive() async throws {
        let exploration = try await explore(Self.options(.portfolio, iterations: 1_000)) {
            let lock = NSRecursiveLock()
            let inside = Number()
            await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        lock.whileLocked {
                            schedulingPoint()
                            lock.whileLocked {
                                inside.value += 1
                                schedulingPoint()
                                if !lock.try() { failRun("the third time") }
                                lock.unlock()
                                inside.value -= 1
                            }
                            schedulingPoint()
                            if inside.value != 0 { failRun("two have the lock") }
                        }
                    }
                }
                group.addTask {
                    lock.whileFree { if inside.value != 0 { failRun("tried and got what another has") } }
                }
            }
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
    }

    @Test("with a lock that it wants again is a deadlock", arguments: [Kind.guarded, .lock])
    func again(kind: Kind) async throws {
        let exploration = try await explore(Self.options(.random, iterations: 10)) {
            let lock = kind.make()
            lock.whileLocked { lock.whileLocked {} }
        }
        guard case .deadlock(let waiters)? = exploration.failure?.verdict else {
            Issue.record("\(String(describing: exploration.failure?.verdict))")
            return
        }
        #expect(waiters.map(\.reason) == [.lock])
    }

    @Test("in a cancellation handler that wants a lock waits for it")
    func handler() async throws {
        var options = Self.options(.portfolio, iterations: 3_000)
        options.settings.faults = [.cancellation]
        options.determinismChecks = 100
        let runs = Number()
        let exploration = try await explore(options) {
            let state = Guarded(0)
            let task = Task {
                await withTaskCancellationHandler {
                    state.withLock { number in
                        schedulingPoint()
                        number += 1
                    }
                    await Task.yield()
                } onCancel: {
                    state.withLock { $0 += 10 }
                }
            }
            await withTaskGroup { group in
                group.addTask { state.withLock { $0 += 100 } }
                group.addTask { task.cancel() }
            }
            await task.value
            let end = state.withLock { $0 }
            // Without its 10 if it had ended before.
            if end != 111 && end != 101 { failRun("\(end)") }
            runs.value += 1
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
        #expect(runs.value >= 3_000)
    }

    @Test("on a dispatch queue, or in the making of a global variable, is stopped only afterwards")
    func whole() async throws {
        let exploration = try await explore(Self.options(.exhaustiveAll)) {
            let queue = DispatchQueue(label: "whole")
            let inside = Number()
            await withTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        queue.sync {
                            inside.value += 1
                            schedulingPoint()
                            if inside.value != 1 { failRun("two are on the queue") }
                            inside.value -= 1
                        }
                    }
                }
            }
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
        #expect(!exploration.isComplete && exploration.summary?.contains("dispatch queue") == true)
        let global = try await explore(Self.options(.portfolio, iterations: 200)) {
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { if Global.made != 7 { failRun("half made") } } }
            }
        }
        #expect(global.failure == nil, "\(global.failure?.verdict.description ?? "")")
    }

    @Test("on a dispatch queue waits for a lock there, and whoever wants that queue waits for it")
    func lockOnQueue() async throws {
        let exploration = try await explore(Self.options(.portfolio, iterations: 3_000)) {
            let queue = DispatchQueue(label: "whole")
            let (lock, total) = (Guarded(()), Number())
            await withTaskGroup { group in
                group.addTask {
                    lock.whileLocked {
                        schedulingPoint()
                        total.value += 1
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        queue.sync {
                            dispatchPrecondition(condition: .onQueue(queue))
                            lock.whileLocked { total.value += 1 }
                        }
                    }
                }
            }
            if total.value != 3 { throw Wrong() }
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
    }

    private enum Global {
        static let made: Int = {
            schedulingPoint()
            return 7
        }()
    }

    @Test("while it makes a run end too early leaves no lock locked")
    func cutOffWithLock() async throws {
        let locks = Kind.allCases.map { $0.make() }
        var options = Self.options(.random, iterations: 200)
        options.settings.maxSteps = 9
        options.continuesAfterFailure = true
        let exploration = try await explore(options) {
            await withTaskGroup { group in
                for lock in locks {
                    group.addTask {
                        lock.whileLocked { for _ in 0..<4 { schedulingPoint() } }
                        while !Task.isCancelled { await Task.yield() }
                    }
                }
            }
        }
        #expect(exploration.failures == 200)
        for lock in locks { lock.whileLocked {} }
    }
}

extension Guarded: StopTests.Lockable where Value == () {
    func whileLocked(_ body: () -> Void) { withLock { _ in body() } }
}

extension NSLock: StopTests.Lockable {
    func whileLocked(_ body: () -> Void) { withLock(body) }
}

extension NSRecursiveLock: StopTests.Lockable {
    func whileLocked(_ body: () -> Void) { withLock(body) }

    fileprivate func whileFree(_ body: () -> Void) {
        guard self.try() else { return }
        body()
        unlock()
    }
}
