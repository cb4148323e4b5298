import Dispatch
import Foundation
import InterleavingTesting
import Synchronization
import Testing

@testable import Interleaving

/// What is not explored is never passed over in silence.
@Suite("What an exploration claims")
struct ClaimTests {
    /// An actor with the default executor.
    actor Store {
        var value = 0
        func read() -> Int { value }
        func write(_ value: Int) { self.value = value }
    }

    /// A way to have another thread do something later, and what the report calls it.
    enum Handing: String, CaseIterable, CustomTestStringConvertible {
        case async, barrier, asyncAfter, grouped, notified, workItem, concurrent, thread, operation, timer, perform

        var testDescription: String { rawValue }

        var name: String {
            switch self {
            case .async, .barrier, .grouped, .workItem, .operation: "DispatchQueue.async"
            case .asyncAfter: "DispatchQueue.asyncAfter"
            case .notified: "DispatchGroup.notify"
            case .concurrent: "DispatchQueue.concurrentPerform"
            case .thread: "the start of a thread"
            case .timer: "a timer of a RunLoop"
            case .perform: "RunLoop.perform"
            }
        }

        func hand(_ work: @escaping @Sendable () -> Void) -> Int {
            let queue = DispatchQueue.global()
            let line = #line + 2
            switch self {
            case .async: queue.async { work() }
            case .barrier: queue.async(flags: .barrier) { work() }
            case .asyncAfter: queue.asyncAfter(deadline: .now()) { work() }
            case .grouped: queue.async(group: DispatchGroup()) { work() }
            case .notified: DispatchGroup().notify(queue: queue) { work() }
            case .workItem: queue.async(execute: DispatchWorkItem { work() })
            case .concurrent: DispatchQueue.concurrentPerform(iterations: 2) { if $0 == 0 { work() } }
            case .thread: Thread.detachNewThread { work() }
            case .operation: OperationQueue().addOperation { work() }
            case .timer: RunLoop.main.add(Timer(timeInterval: 60, repeats: false) { _ in work() }, forMode: .default)
            case .perform: RunLoop.main.perform { work() }
            }
            return line + (Self.allCases.firstIndex(of: self) ?? 0)
        }
    }

    private static func exhaustive(_ name: StrategyName = .exhaustiveAll) -> ExplorationOptions {
        ExplorationOptions(iterations: 10_000, seed: 1, strategy: name)
    }

    @Test(
        "work that is handed to another thread is an escape each time, whoever wins, with what it was and where",
        arguments: Handing.allCases
    )
    func handed(handing: Handing) async throws {
        let line = Atomic(0)
        for _ in 0..<20 {
            let exploration = try await explore(Self.exhaustive()) {
                await withCheckedContinuation { continuation in
                    let at = handing.hand { Task { continuation.resume() } }
                    line.store(at, ordering: .relaxed)
                }
            }
            let expected =
                "\(handing.name) at ClaimTests.swift:\(line.load(ordering: .relaxed)) hands work to another thread"
            let text = exploration.failure?.verdict.description ?? "passed"
            #expect(text.contains(expected), "\(text)")
            #expect(exploration.failure?.verdict.kind == "escaped")
            #expect(!exploration.isComplete)
        }
    }

    @Test(
        "work for another thread that nobody waits for is an escape, too, unless it is allowed: then nothing is complete"
    )
    func forgotten() async throws {
        var options = Self.exhaustive()
        let body: @Sendable () async throws -> Void = {
            DispatchQueue.global().async {}
            await Task.yield()
        }
        #expect(try await explore(options, body: body).failure?.verdict.kind == "escaped")
        options.settings.allowsForeignThreads = true
        let exploration = try await explore(options, body: body)
        #expect(exploration.failure == nil)
        #expect(!exploration.isComplete)
        let summary = exploration.summary ?? ""
        #expect(summary.hasPrefix("not complete: DispatchQueue.async at ClaimTests.swift:"), "\(summary)")
    }

    @Test("what stays on the thread of the simulation is none")
    func inside() async throws {
        let exploration = try await explore(Self.exhaustive()) {
            let queue = DispatchQueue(label: "inside")
            queue.sync {}
            await Task.yield()
        }
        #expect(
            exploration.failure == nil && !exploration.isComplete,
            "\(exploration.failure?.verdict.description ?? "")"
        )
        #expect(exploration.summary?.contains("ran on a dispatch queue") == true, "\(exploration.summary ?? "")")
    }

    @Test(
        "an order of steps is complete for whole steps only, and says so",
        arguments: [StrategyName.exhaustive(preemptions: nil), .exhaustiveAll]
    )
    func whole(name: StrategyName) async throws {
        var options = Self.exhaustive(name)
        options.settings.granularity = .jobs
        let exploration = try await explore(options) {
            await withTaskGroup { group in
                for _ in 0..<2 { group.addTask { await Task.yield() } }
            }
        }
        #expect(exploration.isComplete)
        #expect(exploration.summary?.contains(" of whole steps") == true, "\(exploration.summary ?? "")")
    }

    @Test(
        "where no job can be stopped, nothing is stopped by default, and what asks for it is told",
        .enabled(if: SimulationSettings.reasonNotToStop != nil, "jobs can be stopped here")
    )
    func unstoppable() async throws {
        #expect(SimulationSettings().granularity == .jobs)
        var options = Self.exhaustive()
        options.settings.granularity = .stops
        // With a sanitizer, this is all that can be explored.
        options.settings.control = .injected
        let exploration = try await explore(options) { schedulingPoint() }
        let reason = try #require(SimulationSettings.reasonNotToStop)
        #expect(exploration.unseen?.hasSuffix(reason) == true && !exploration.isComplete)
    }

    @Test("a search that a failure ends is not complete, wherever it comes", arguments: 1...6)
    func failed(number: Int) async throws {
        let runs = Atomic(0)
        let exploration = try await explore(Self.exhaustive()) {
            await withTaskGroup { group in
                for _ in 0..<2 { group.addTask { await Task.yield() } }
            }
            if runs.add(1, ordering: .relaxed).newValue == number { failRun("run \(number)") }
        }
        #expect(!(exploration.isComplete && exploration.failure != nil), "\(exploration.summary ?? "")")
    }

    @Test(
        "a test that hops to default actors passes with a warning",
        .expectedIssue { $0.severity == .warning && $0.description.contains("hops to default actors") },
        .interleavings(iterations: 50, strategy: .random, seed: 1, settings: SimulationSettings(granularity: .jobs))
    )
    func defaultActors() async {
        let store = Store()
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { await store.write(1) } }
        }
    }

    @Test(
        "a test with nothing to choose passes with a warning",
        .expectedIssue { $0.severity == .warning && $0.description.contains("there was nothing to choose") },
        .interleavings(iterations: 5, seed: 1)
    )
    func nothing() async { await Task.yield() }

    @Test(
        "a test that has to be complete passes if it is",
        .interleavings(iterations: 10_000, strategy: .exhaustiveAll, seed: 1, requiresComplete: true)
    )
    func complete() async {
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { await Task.yield() } }
        }
    }

    @Test(
        "a test that has to be complete fails if it is not, or if nobody can tell",
        .expectedIssue {
            $0.severity == .error && $0.description.contains("it is required that every order is explored")
        },
        .interleavings(iterations: 50, strategy: .random, seed: 1, requiresComplete: true)
    )
    func unknown() async {
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { await Task.yield() } }
        }
    }

    @Test("an ID of no task finds none, not the first")
    func noTask() {
        #expect(TaskTable().index(of: 0) == nil)
    }
}
