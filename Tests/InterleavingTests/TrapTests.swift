import Basics
import Dispatch
import Foundation
import Glibc
import InterleavingTesting
import Synchronization
import Testing

@testable import Interleaving

/// A run that traps fails like any other: the process goes on.
@Suite("A trap in this process", .enabled(if: SimulationSettings.reasonNotToStop == nil, "jobs cannot be stopped here"))
struct TrapTests {
    /// A way to trap, and what the verdict says of it besides the line.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case fatalError, precondition, index, force, overflow, tried, cast, recursion, address, abort, isolation
        case unowned, exclusive, deinited, sync, onQueue, array, exiting

        var testDescription: String { rawValue }

        var words: String {
            switch self {
            case .fatalError: "Fatal error: a message"
            case .precondition: "Precondition failed: a message"
            case .index: "Fatal error: Index out of range"
            case .force: "Fatal error: Unexpectedly found nil while unwrapping an Optional value"
            case .overflow, .abort, .sync, .onQueue, .array: ""
            case .unowned: "Fatal error: Attempted to read an unowned reference"
            case .exclusive: "Fatal access conflict detected"
            case .deinited: "Fatal error: a last message"
            case .exiting: "exit(0) ends the process"
            case .tried: "Fatal error: 'try!' expression unexpectedly raised an error"
            case .cast: "Could not cast value of type 'Swift.String'"
            case .recursion: "the stack overflows"
            case .address: "there is no such memory"
            case .isolation: "Fatal error: Incorrect actor executor assumption"
            }
        }

        static let numbers = [1, 2]
        static let text: any Sendable = "text"
        static let end = Int.max
        static let nothing = String?.none

        // To trap is what it is for.
        // swift-format-ignore: NeverForceUnwrap, NeverUseForceTry
        func trap() -> Int {
            switch self {
            case .fatalError: Swift.fatalError("a message")
            case .precondition: Swift.precondition(Self.numbers.count == 3, "a message")
            case .index: return Self.numbers[Self.numbers.count + 3]
            case .force: return Self.nothing!.count
            case .overflow: return Self.end + Self.numbers.count
            case .tried: try! Self.fail()
            case .cast: return Self.text as! Int
            case .recursion: return Self.depth(of: 1)
            case .address: return UnsafePointer<Int>(bitPattern: 8 * Self.numbers.count)!.pointee
            case .abort: TrapTests.end()
            case .isolation: MainActor.assumeIsolated {}
            case .unowned: return Weak().value
            case .exclusive: Twice().change()
            case .deinited: _ = Ending()
            case .sync:
                let queue = DispatchQueue(label: "queue")
                queue.sync { queue.sync {} }
            case .onQueue: dispatchPrecondition(condition: .onQueue(DispatchQueue(label: "queue")))
            case .exiting: exit(0)
            case .array: _ = NSArray(array: Self.numbers).object(at: 5)
            }
            return 0
        }

        /// Refers to what is gone.
        private final class Weak {
            private unowned let number: Number
            init() {
                var numbers = [Number()]
                number = numbers[0]
                numbers.removeAll()
            }
            var value: Int { number.value }

            private final class Number {
                let value = 1
            }
        }

        /// Changes a value while it is changed.
        private final class Twice {
            private var value = 0
            func change() { add(to: &value) }
            private func add(to number: inout Int) {
                value += 1
                number += 1
            }
        }

        private final class Ending {
            deinit { Swift.fatalError("a last message") }
        }

        private static func fail() throws { throw LostUpdate(balance: 1) }

        private static func depth(of number: Int) -> Int {
            var numbers = (number, number, number, number)
            return withUnsafeMutablePointer(to: &numbers) { depth(of: $0.pointee.0 + 1) } + numbers.3
        }
    }

    @Test("is a verdict, with what trapped and where", arguments: Way.allCases)
    func trapped(way: Way) async throws {
        for _ in 0..<20 {
            let exploration = try await explore(ExplorationOptions(iterations: 3, seed: 1)) {
                await Task.yield()
                await Task.detached { _ = way.trap() }.value
            }
            let verdict = try #require(exploration.failure).verdict
            #expect(verdict.kind == "trapped")
            #expect(way.words.isEmpty || "\(verdict)".contains(way.words), "\(verdict)")
            #expect("\(verdict)".contains("TrapTests.swift:") || "\(verdict)".contains(" in TrapTests."), "\(verdict)")
        }
    }

    @Test("a continuation that is resumed twice is a verdict, too")
    func twice() async throws {
        let run = try await replay(.firstInFirstOut) {
            await withCheckedContinuation { continuation in
                continuation.resume()
                continuation.resume()
            }
        }
        #expect(run.verdict.kind == "double-resume" && !run.hasEndedItsProcess, "\(run.verdict)")
    }

    @Test("the main actor is that of the simulation, and not the main thread, which is noticed")
    func main() async throws {
        let run = try await replay(.firstInFirstOut) {
            await MainActor.run {
                MainActor.assertIsolated()
                MainActor.assumeIsolated {}
                if Thread.isMainThread { failRun("this is the main thread") }
            }
        }
        #expect(run.verdict == .passed)
        let queue = try await replay(.firstInFirstOut) {
            await MainActor.run { dispatchPrecondition(condition: .onQueue(.main)) }
        }
        #expect(queue.verdict.kind == "trapped", "\(queue.verdict)")
    }

    @Test("many runs trap in one exploration, and the others pass; what is found is repeated and made small here")
    func some() async throws {
        let body: ExplorationBody = { _ in
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<3 {
                    group.addTask {
                        await Task.yield()
                        order.append(number)
                    }
                }
            }
            if order.takeAll() == [2, 1, 0] { fatalError("the account is gone") }
        }
        var options = ExplorationOptions(iterations: 500, seed: 1, strategy: .random)
        options.continuesAfterFailure = true
        let found = try await explore(options, body: body)
        #expect(found.runs == 500 && (5...250).contains(found.failures))
        let failure = try #require(found.failure)
        let (shrunk, again) = try await withExplorationRunner(body: body) { runner in
            let shrunk = try runner.shrink(failure)
            return (shrunk, runner.run(seed: failure.seed, schedule: shrunk.schedule))
        }
        #expect(shrunk.confirmation == .confirmed && shrunk.passing != nil)
        #expect(again.verdict == failure.verdict)
        // As with processes that end.
        options.workers = 2
        let together = try await explore(options, body: body)
        #expect(together.failedRuns == found.failedRuns && together.traceHash == found.traceHash)
    }

    @Test("a lock that what trapped had is free in the next run")
    func locked() async throws {
        let lock = POSIXLock()
        var options = ExplorationOptions(iterations: 20, seed: 1)
        options.continuesAfterFailure = true
        let found = try await explore(options) {
            lock.lock()
            if Way.numbers.count == 2 { fatalError("with a lock") }
            lock.unlock()
        }
        #expect(found.failures == 20 && found.failure?.verdict.kind == "trapped")
    }

    @Test("what trapped with a lock that outlives the run is told as it was, and not by what it left behind")
    func left() async throws {
        let number = Mutex(0)
        let body: ExplorationBody = { _ in
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<2 { group.addTask { order.append(number) } }
            }
            let isOther = order.takeAll() == [1, 0]
            number.withLock { _ in if isOther { fatalError("with a lock") } }
        }
        let found = try await explore(ExplorationOptions(iterations: 200, seed: 1, strategy: .random), body: body)
        let failure = try #require(found.failure)
        let report = try await withExplorationRunner(body: body) { runner in
            try runner.report(on: failure, of: found, title: "locked") { "\($0)" }
        }
        #expect(report.message.contains("Fatal error: with a lock"), "\(report.message)")
        #expect(report.replay == "\(failure.code)")
        #expect(report.text().contains("stays locked; repeat it in a new process"))
    }

    @Test("what traps only while a passed run is cleaned up fails it")
    func late() async throws {
        var settings = SimulationSettings()
        settings.allowsTaskLeaks = true
        let run = try await replay(.firstInFirstOut, settings: settings) {
            Task {
                await withTaskCancellationHandler {
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                } onCancel: {
                    fatalError("cancelled")
                }
            }
            await Task.yield()
        }
        #expect("\(run.verdict)".contains("Fatal error: cancelled"), "\(run.verdict)")
    }

    @Test(
        "the trait reports a trap at the test, with the line that repeats it",
        .expectedIssue { issue in
            issue.description.contains("Precondition failed: too much")
                && issue.description.contains("INTERLEAVING_REPLAY=")
        },
        .interleavings(iterations: 100, strategy: .random, seed: 1)
    )
    func reported() async {
        let order = Collected<Int>()
        await withTaskGroup { group in
            for number in 0..<2 { group.addTask { order.append(number) } }
        }
        precondition(order.takeAll() == [0, 1], "too much")
    }
}

extension TrapTests {
    fileprivate static func end() -> Never { libcAbort() }

    /// A mutex of the C library.
    private final class POSIXLock: @unchecked Sendable {
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

        init() { pthread_mutex_init(mutex, nil) }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        func lock() { pthread_mutex_lock(mutex) }
        func unlock() { pthread_mutex_unlock(mutex) }
    }
}

@_silgen_name("abort") private func libcAbort() -> Never
