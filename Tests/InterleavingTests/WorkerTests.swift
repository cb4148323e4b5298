import Foundation
import TestFixtures
import Testing

@testable import Interleaving

/// Processes are forked from one that runs other tests, which is not what they are for: so nothing here allocates more than the
/// engine does, and the stall limit ends what hangs on a lock that was held by another thread.
@Suite("Workers", .serialized)
struct WorkerTests {
    private actor Account {
        nonisolated let executor = SimulatedExecutor(name: "account")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        var balance = 0
        func read() -> Int { balance }
        func write(_ value: Int) { balance = value }
    }

    private static let lostUpdate: @Sendable () async throws -> Void = {
        let account = Account()
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    let balance = await account.read()
                    await account.write(balance + 1)
                }
            }
        }
        let balance = await account.read()
        if balance != 2 { throw LostUpdate(balance: balance) }
    }

    private static func options(workers: Int, strategy: StrategyName = .portfolio) -> ExplorationOptions {
        ExplorationOptions(
            iterations: 3_000,
            seed: 11,
            strategy: strategy,
            continuesAfterFailure: true,
            workers: workers,
            stallLimit: .seconds(20)
        )
    }

    private static func counted(_ options: ExplorationOptions) -> ExplorationOptions {
        var options = options
        options.end = { "\($0)" }
        return options
    }

    @Test("no worker, one worker and several find the same failing runs and the same classes", arguments: [1, 2, 5])
    func same(workers: Int) async throws {
        let alone = try await explore(Self.counted(Self.options(workers: 0)), body: Self.lostUpdate)
        let together = try await explore(Self.counted(Self.options(workers: workers)), body: Self.lostUpdate)
        #expect(alone.failures > 100)
        #expect(together.workers == workers)
        #expect(together.runs == alone.runs)
        #expect(together.failures == alone.failures)
        #expect(together.failedRuns == alone.failedRuns)
        #expect(together.failure?.steps == alone.failure?.steps)
        #expect(together.failure?.verdict == alone.failure?.verdict)
        #expect(together.coverage?.occurrences == alone.coverage?.occurrences)
        #expect(together.longest == alone.longest)
        #expect(together.traceHash == alone.traceHash)
        #expect(together.ends.all == alone.ends.all && alone.ends.all.count == 2)
    }

    @Test("several workers stop at the same first failure as one", arguments: [UInt64(1), 2, 3])
    func firstFailure(seed: UInt64) async throws {
        // It fails in only a few orders.
        let body: @Sendable () async throws -> Void = {
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<5 { group.addTask { order.append(number) } }
            }
            if order.takeAll() == [4, 3, 2, 1, 0] { throw LostUpdate(balance: 0) }
        }
        var options = Self.options(workers: 0, strategy: .random)
        options.seed = seed
        options.settings.granularity = .jobs
        options.continuesAfterFailure = false
        let alone = try await explore(options, body: body)
        options.workers = 3
        let together = try await explore(options, body: body)
        #expect(alone.firstFailure != nil)
        #expect(together.firstFailure == alone.firstFailure)
        #expect(together.failure?.traceHash == alone.failure?.traceHash)
    }

    @Test("a search that is asked to end tells what it has found so far", arguments: [0, 1, 3])
    func asked(workers: Int) async throws {
        var options = Self.options(workers: workers, strategy: .random)
        options.iterations = 1_000_000_000
        // Once a run has failed in any process.
        nonisolated(unsafe) let failed = try SharedMinimum()
        options.observer = { _, _, verdict in if verdict.isFailure { failed.lower(to: 0) } }
        options.isAskedToEnd = { failed.lower() == 0 }
        let found = try await explore(options, body: Self.lostUpdate)
        #expect(found.wasEnded && !found.isComplete)
        #expect(found.runs > 0 && found.runs < 1_000_000_000 && found.failures > 0 && found.failure != nil)
        // It is the same as one that was as long.
        if workers == 0 {
            options.iterations = found.runs
            options.isAskedToEnd = { false }
            let again = try await explore(options, body: Self.lostUpdate)
            #expect(again.traceHash == found.traceHash && !again.wasEnded)
        }
    }

    @Test("runs that trap are failures with their output, and can be replayed; the other runs are still made")
    func traps() async throws {
        let body: @Sendable () async throws -> Void = {
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<3 { group.addTask { order.append(number) } }
            }
            if order.takeAll() == [2, 1, 0] { fatalError("the account is gone") }
        }
        var options = Self.options(workers: 2, strategy: .random)
        options.iterations = 300
        let found = try await explore(options, body: body)
        #expect(found.runs == 300)
        // With stops, the first children more often end before the last ones begin.
        #expect((5...90).contains(found.failures))
        let failure = try #require(found.failure)
        guard case .trapped(let signal, let message) = failure.verdict else {
            Issue.record("\(failure.verdict)")
            return
        }
        #expect(signal == 4 || signal == 5)
        #expect(message.contains("the account is gone"))
        let again = try await withExplorationRunner(body: { _ in try await body() }) { runner in
            try runner.runApart(seed: failure.seed, strategy: Replay(failure.schedule))
        }
        #expect(again.verdict == failure.verdict)
        #expect(again.steps == failure.steps)
        let fine = try await withExplorationRunner(body: { _ in try await body() }) { runner in
            try runner.runApart(seed: failure.seed, strategy: FirstInFirstOut())
        }
        #expect(fine.verdict == .passed)
    }

    @Test("a signal from outside is no verdict, and the error names the order", arguments: [SIGKILL])
    func killed(signal: Int32) async throws {
        let body: @Sendable () async throws -> Void = {
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<3 { group.addTask { order.append(number) } }
            }
            if order.takeAll() == [2, 1, 0] { kill(getpid(), signal) }
        }
        for workers in [1, 2] {
            let options = Self.options(workers: workers, strategy: .random)
            let error = await #expect(throws: ExplorationError.self) { _ = try await explore(options, body: body) }
            guard case .workerKilled(signal, let order)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(error?.description.contains("signal \(signal)") == true)
            #expect(error?.description.contains("\(order)") == true)
            // The order is the one in which it was killed.
            await #expect(throws: ExplorationError.workerKilled(signal: signal, order: order)) {
                _ = try await withExplorationRunner(body: { _ in try await body() }) { runner in
                    try runner.runApart(seed: order.seed, strategy: Replay(order.schedule))
                }
            }
        }
    }

    @Test("a trap is shrunk, with each trial in a forked process")
    func shrunkTrap() async throws {
        let body: ExplorationBody = { _ in
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<2 {
                    group.addTask {
                        await Task.yield()
                        order.append(number)
                    }
                }
                group.addTask { for _ in 0..<4 { await Task.yield() } }
            }
            if order.takeAll() == [1, 0] { fatalError("the account is gone") }
        }
        var options = Self.options(workers: 1, strategy: .random)
        options.iterations = 200
        let found = try await explore(options, body: body)
        let failure = try #require(found.failure)
        let shrunk = try await withExplorationRunner(body: body) { runner in try runner.shrink(failure) }
        #expect(shrunk.schedule.deviations.count == 1)
        let again = try await withExplorationRunner(body: body) { runner in
            try runner.runApart(seed: failure.seed, strategy: Replay(shrunk.schedule))
        }
        #expect(again.verdict == failure.verdict)
    }

    @Test("a trap is not taken for another one while it is shrunk")
    func shrunkAmongTraps() async throws {
        let body: ExplorationBody = { _ in
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<4 { group.addTask { order.append(number) } }
            }
            switch order.takeAll() {
            case [3, 2, 1, 0]: fatalError("wanted")
            // It takes less to come to these.
            case let other where other.last != 3: fatalError("not wanted: \(other)")
            default: break
            }
        }
        try await withExplorationRunner(body: body) { runner in
            var failure: ExploredRun?
            for seed in UInt64(0)..<2_000 where failure == nil {
                let run = try runner.runApart(seed: seed, strategy: StrategyName.random.strategy(mailboxes: .fifo))
                if "\(run.verdict)".contains(": wanted,") { failure = run }
            }
            let wanted = try #require(failure)
            let shrunk = try runner.shrink(wanted)
            let again = try runner.runApart(seed: wanted.seed, strategy: Replay(shrunk.schedule))
            #expect(again.verdict == wanted.verdict)
        }
    }

    @Test("failures of one cause are those at the same line")
    func causes() {
        let line = RunVerdict.trapped(signal: 4, message: "App/Cart.swift:12: Fatal error: 3 of 2")
        #expect(line.cause == RunVerdict.trapped(signal: 4, message: "App/Cart.swift:12: Fatal error: 4 of 2").cause)
        let others: [RunVerdict] = [
            .passed, .failed("3 of 2"), .trapped(signal: 4, message: "App/Cart.swift:13: Fatal error: 3 of 2"),
            .blocked("step 3 had not ended after 10.0 seconds"), .trapped(signal: 11, message: ""),
        ]
        for other in others { #expect(other.cause != line.cause, "\(other)") }
    }

    @Test("faults are the same in one process and in several, and are reported between processes")
    func faults() async throws {
        let body: @Sendable () async throws -> Void = {
            let account = Account()
            await withTaskGroup { group in
                group.addTask {
                    await account.write(1)
                    await Task.yield()
                    if !Task.isCancelled { await account.write(0) }
                }
            }
            let balance = await account.read()
            if balance != 0 { throw LostUpdate(balance: balance) }
        }
        var options = Self.options(workers: 0)
        options.iterations = 400
        options.settings.faults = [.cancellation, .slowExecutor(by: .seconds(1))]
        let alone = try await explore(options, body: body)
        options.workers = 2
        let together = try await explore(options, body: body)
        #expect(alone.failures > 0)
        #expect(together.failedRuns == alone.failedRuns)
        #expect(together.failure?.traceHash == alone.failure?.traceHash)
        let labels = try #require(together.failure).labels()
        #expect(labels.contains { $0.function?.hasPrefix("is cancelled") == true })
    }

    @Test("a run that blocks its thread is ended, and named")
    func blocked() async throws {
        var options = Self.options(workers: 1)
        options.iterations = 20
        options.continuesAfterFailure = false
        options.stallLimit = .milliseconds(300)
        let found = try await explore(options) {
            let order = Collected<Int>()
            await withTaskGroup { group in
                for number in 0..<2 { group.addTask { order.append(number) } }
            }
            let first = order.takeAll().first
            while first == 1 {}
        }
        guard case .blocked(let message)? = found.failure?.verdict else {
            Issue.record("\(String(describing: found.failure?.verdict))")
            return
        }
        #expect(message.contains("blocks its thread"))
    }

    @Test("a run that made no step once, and not again, is none that blocks")
    func blockedOnce() async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/once"
        var options = Self.options(workers: 1)
        options.iterations = 20
        options.stallLimit = .milliseconds(300)
        let found = try await explore(options) {
            let file = open(path, O_CREAT | O_EXCL, 0o600)
            while file >= 0 {}
        }
        #expect(access(path, F_OK) == 0)
        #expect(found.runs == 20 && found.failures == 0)
    }

    /// A part of an exhaustive search whose first run, first in, first out, is not of the part.
    private static func part() -> ExplorationOptions {
        var options = options(workers: 1, strategy: .exhaustive(preemptions: nil))
        options.iterations = .max
        options.part.runs = 1..<Int.max
        return options
    }

    @Test("a part of an exhaustive search whose first run made no step once is searched all the same")
    func partBlockedOnce() async throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/once"
        var options = Self.part()
        options.stallLimit = .milliseconds(300)
        let found = try await explore(options) {
            let file = open(path, O_CREAT | O_EXCL, 0o600)
            while file >= 0 {}
            await withTaskGroup { group in
                for _ in 0..<2 { group.addTask {} }
            }
        }
        #expect(access(path, F_OK) == 0)
        #expect(found.isComplete && found.runs > 0 && found.failures == 0)
    }

    @Test("a part of an exhaustive search whose first run blocks its thread has failed, and is not complete")
    func partBlocked() async throws {
        var options = Self.part()
        options.stallLimit = .milliseconds(300)
        let found = try await explore(options) { while true {} }
        #expect(found.failure?.verdict.kind == "blocked", "\(String(describing: found.failure?.verdict))")
        #expect(found.failures == 1 && !found.isComplete, "\(found.failures) \(found.summary ?? "")")
    }

    @Test("an exhaustive search is not divided, and is complete")
    func exhaustive() async throws {
        var options = Self.options(workers: 4, strategy: .exhaustive(preemptions: nil))
        let found = try await explore(options, body: Self.lostUpdate)
        #expect(found.workers == 1)
        #expect(found.isComplete)
        options.workers = 0
        let alone = try await explore(options, body: Self.lostUpdate)
        #expect(alone.summary == found.summary)
        #expect(alone.summary?.hasPrefix("complete: ") == true)
    }

    @Test("a worker, too, reports a body that is not deterministic")
    func nondeterministic() async throws {
        let counter = Collected<Int>()
        await #expect(throws: ExplorationError.self) {
            _ = try await explore(Self.options(workers: 2)) {
                counter.append(1)
                if counter.count % 2 == 0 { await Task.yield() }
            }
        }
    }

    @Test("a verdict of each kind survives the way between processes")
    func verdicts() {
        let waiter = WaitingTask(task: 1, name: "b", function: "f()", reason: .task(nil))
        let locked = WaitingTask(task: 3, name: nil, function: "g()", reason: .lock, holder: 1)
        let verdicts: [RunVerdict] = [
            .passed, .failed("x"), .deadlock([waiter, locked]), .lostContinuation("y", []), .doubleResume("z"),
            .livelock(steps: 4), .livelock(steps: 4, look: "l"),
            .taskLeak([
                WaitingTask(task: 2, name: nil, function: nil, reason: .group),
                WaitingTask(task: 4, name: nil, function: nil, reason: .sleep),
            ]),
            .escaped("e"), .trapped(signal: 6, message: "m"), .blocked("b"),
        ]
        for verdict in verdicts { #expect(RunVerdict(json: verdict.json) == verdict) }
    }

    @Test("a malformed line from a worker is not a message", arguments: ["", "{", "{}", "{\"found\": 1}", "[]"])
    func badLine(text: String) {
        #expect(WorkerMessage(line: Array(text.utf8)) == nil)
    }
}

extension WorkerMessage: Equatable {
    static func == (one: WorkerMessage, other: WorkerMessage) -> Bool { one.line == other.line }
}
