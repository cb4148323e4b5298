import Basics
import Dispatch
import Foundation
import Glibc
import InterleavingTesting
import Testing

@testable import Interleaving

/// A job that waits for a semaphore, a group or a condition lets others go on.
@Suite(
    "Waiting for a semaphore, a group or a condition",
    .enabled(if: SimulationSettings.reasonNotToStop == nil, "jobs cannot be stopped here")
)
struct WaitingTests {
    /// Something to wait for that blocks its thread.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case semaphore, group, condition, posix

        var testDescription: String { rawValue }

        /// What a deadlock says.
        var words: String {
            switch self {
            case .semaphore, .posix: "waits for a semaphore"
            case .group: "waits for a dispatch group"
            case .condition: "waits for a condition"
            }
        }

        func event() -> any Event {
            switch self {
            case .semaphore: Semaphore()
            case .group: Group()
            case .condition: Condition()
            case .posix: POSIXSemaphore()
            }
        }
    }

    /// Happens once.
    protocol Event: Sendable {
        func wait()
        /// Waits for a limited time. Returns whether it happened.
        func waitShortly() -> Bool
        func happen()
    }

    final class Semaphore: Event {
        private let semaphore = DispatchSemaphore(value: 0)
        func wait() { semaphore.wait() }
        func waitShortly() -> Bool { semaphore.wait(timeout: .now() + 1) == .success }
        func happen() { semaphore.signal() }
    }

    final class Group: Event {
        private let group = DispatchGroup()
        init() { group.enter() }
        func wait() { group.wait() }
        func waitShortly() -> Bool { group.wait(timeout: .now() + 1) == .success }
        func happen() { group.leave() }
    }

    final class Condition: Event, @unchecked Sendable {
        private let condition = NSCondition()
        private var hasHappened = false

        func wait() {
            condition.lock()
            while !hasHappened { condition.wait() }
            condition.unlock()
        }

        func waitShortly() -> Bool {
            condition.lock()
            defer { condition.unlock() }
            if !hasHappened { _ = condition.wait(until: Date(timeIntervalSinceNow: 1)) }
            return hasHappened
        }

        func happen() {
            condition.lock()
            hasHappened = true
            condition.broadcast()
            condition.unlock()
        }
    }

    final class POSIXSemaphore: Event, @unchecked Sendable {
        private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        init() { sem_init(semaphore, 0, 0) }
        deinit { semaphore.deallocate() }
        func wait() { sem_wait(semaphore) }
        func waitShortly() -> Bool {
            var limit = timespec(tv_sec: 1, tv_nsec: 0)
            return sem_timedwait(semaphore, &limit) == 0
        }
        func happen() { sem_post(semaphore) }
    }

    @Test("others go on, in each order", arguments: Way.allCases)
    func others(way: Way) async throws {
        // What is collected is behind a lock, too.
        let options = StopTests.options(.exhaustiveAll, iterations: 10_000, .locks)
        let waited = Collected<Bool>()
        let found = try await explore(options) {
            let event = way.event()
            let order = Collected<Int>()
            await withTaskGroup { group in
                group.addTask {
                    order.append(0)
                    event.wait()
                    order.append(2)
                }
                group.addTask {
                    order.append(1)
                    event.happen()
                }
            }
            let all = order.takeAll()
            waited.append(all.first == 0)
            if all.last != 2 && all != [0, 2, 1] && all != [1, 0, 2] && all != [0, 1, 2] { failRun("\(all)") }
        }
        #expect(
            found.failure == nil && found.isComplete,
            "\(found.failure?.verdict.description ?? found.summary ?? "")"
        )
        #expect(Set(waited.takeAll()) == [true, false])
    }

    @Test("what nobody does is a deadlock, which says what is waited for", arguments: Way.allCases)
    func deadlock(way: Way) async throws {
        for _ in 0..<10 {
            let found = try await explore(ExplorationOptions(iterations: 3, seed: 1)) { way.event().wait() }
            let verdict = "\(try #require(found.failure).verdict)"
            #expect(verdict.hasPrefix("deadlock: task 0 \(way.words) in "), "\(verdict)")
        }
    }

    @Test("a limit on time lets others go on once: what is waited for comes in some orders", arguments: Way.allCases)
    func limited(way: Way) async throws {
        let came = Collected<Bool>()
        // What is collected is behind a lock, too.
        let options = StopTests.options(.exhaustiveAll, iterations: 10_000, .locks)
        let found = try await explore(options) {
            let event = way.event()
            async let other: Void = event.happen()
            came.append(event.waitShortly())
            await other
        }
        #expect(
            found.failure == nil && found.isComplete,
            "\(found.failure?.verdict.description ?? found.summary ?? "")"
        )
        #expect(Set(came.takeAll()) == [true, false])
    }

    @Test("who waits again and again for a limited time never blocks the simulation", arguments: Way.allCases)
    func again(way: Way) async throws {
        let settings = SimulationSettings(maxSteps: 1_000)
        let run = try await replay(.firstInFirstOut, settings: settings) {
            let event = way.event()
            while !event.waitShortly() {}
        }
        #expect(run.verdict == .livelock(steps: 1_000))
    }

    @Test("a thread, where that is allowed, may do what is waited for")
    func foreign() async throws {
        var settings = SimulationSettings()
        settings.allowsForeignThreads = true
        settings.escapePatience = 10_000
        let run = try await replay(.firstInFirstOut, settings: settings) {
            let event = Semaphore()
            DispatchQueue.global().async { event.happen() }
            event.wait()
        }
        #expect(run.verdict == .passed)
    }
}
