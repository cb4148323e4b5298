import Dispatch
import Glibc
import Interleaving
import Testing

/// An account whose balance is read and written with a suspension in between.
private actor Account {
    nonisolated let executor = SimulatedExecutor(name: "account")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    var balance = 0
    func read() -> Int { balance }
    func write(_ value: Int) { balance = value }
}

struct LostUpdate: Error, CustomStringConvertible {
    let balance: Int
    var description: String { "balance is \(balance)" }
}

@Suite("Exploring")
struct ExploreTests {
    static func options(_ iterations: Int = 1_000, mailbox: MailboxPolicy = .fifo) -> ExplorationOptions {
        let settings = SimulationSettings(mailbox: mailbox)
        var options = ExplorationOptions(iterations: iterations, seed: 7, settings: settings)
        options.strategy = RandomChoice()
        return options
    }

    @Test("a lost update is found and fails again when it is replayed")
    func lostUpdate() async throws {
        let body: @Sendable () async throws -> Void = {
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
        let exploration = try await explore(Self.options(), body: body)
        let failure = try #require(exploration.failure)
        #expect(failure.verdict == .failed("the body threw balance is 1"))
        #expect(exploration.hadChoices)
        let again = try await replay(failure.schedule, body: body)
        #expect(again.verdict == failure.verdict)
        #expect(again.steps == failure.steps)
        #expect(again.traceHash == failure.traceHash)
    }

    @Test("the steps of two explorations with one seed are the same, and data follows the seed too")
    func deterministic() async throws {
        let body: ExplorationBody = { generator in
            var generator = generator
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                async let a: Void = Task.yield()
                async let b: Void = Task.sleep(for: .seconds(1))
                await a
                try await b
            }
        }
        let hashes = Collected<UInt64>()
        var options = Self.options(50)
        options.observer = { _, steps, _ in hashes.append(steps.traceHash) }
        _ = try await explore(options, body: body)
        let first = hashes.takeAll()
        _ = try await explore(options, body: body)
        #expect(first == hashes.takeAll())
        #expect(Set(first).count > 5)
    }

    @Test("a body that depends on something other than its seed is an error that names the step that differs")
    func nondeterministic() async throws {
        let counter = Collected<Int>()
        await #expect {
            _ = try await explore(Self.options()) {
                counter.append(1)
                if counter.count % 2 == 0 { await Task.yield() }
            }
        } throws: { error in
            guard case .nondeterministic(let difference)? = error as? ExplorationError else { return false }
            return difference.step == 1 && difference.first == nil && difference.second != nil
        }
    }

    @Test("sleeps take no time, end in order, and those that end together in any order")
    func sleeps() async throws {
        let orders = Collected<[Int]>()
        let exploration = try await explore(Self.options(100)) {
            let order = Collected<Int>()
            await withTaskGroup { group in
                // A hundred runs of half a year each: this works only in virtual time.
                for (index, days) in [60, 30, 30, 180].enumerated() {
                    group.addTask {
                        try? await Task.sleep(for: .seconds(days * 86_400))
                        order.append(index)
                    }
                }
            }
            orders.append(order.takeAll())
        }
        #expect(exploration.failure == nil)
        #expect(Set(orders.takeAll()) == [[1, 2, 0, 3], [2, 1, 0, 3]])
    }

    @Test("two tasks that wait for each other are a deadlock that names both")
    func deadlock() async throws {
        let exploration = try await explore(Self.options()) {
            let (left, right) = (Gate(), Gate())
            async let a: Void = {
                await left.wait()
                right.open()
            }()
            async let b: Void = {
                await right.wait()
                left.open()
            }()
            _ = await (a, b)
        }
        guard case .deadlock(let waiters)? = exploration.failure?.verdict else {
            Issue.record("\(String(describing: exploration.failure?.verdict))")
            return
        }
        #expect(waiters.map(\.reason).contains(.continuation))
    }

    @Test("a continuation that nobody resumes is lost, and the function that made it is named")
    func lostContinuation() async throws {
        let exploration = try await explore(Self.options()) {
            async let other: Void = Task.yield()
            await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            await other
        }
        guard case .lostContinuation(let text, let waiters)? = exploration.failure?.verdict else {
            Issue.record("\(String(describing: exploration.failure?.verdict))")
            return
        }
        #expect(text.contains("lostContinuation()"))
        #expect(waiters.contains { $0.reason == .continuation })
    }

    @Test("a task that never ends is a leak, unless leaks are allowed")
    func leak() async throws {
        let body: @Sendable () async throws -> Void = {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            Task { for await _ in stream {} }
            _ = continuation
            await Task.yield()
            Held.continuation.append(continuation)
        }
        let exploration = try await explore(Self.options(), body: body)
        #expect(exploration.failure?.verdict.kind == "task-leak")
        var options = Self.options(10)
        options.settings.allowsTaskLeaks = true
        #expect(try await explore(options, body: body).failure == nil)
    }

    @Test("a task that still sleeps when the body has ended may end, and is not a leak")
    func sleeperAfterTheEnd() async throws {
        let ended = Collected<Int>()
        let exploration = try await explore(Self.options(10)) {
            Task {
                try await Task.sleep(for: .seconds(60))
                ended.append(1)
            }
        }
        #expect(exploration.failure == nil)
        #expect(ended.count >= 10)
    }

    @Test("a loop that yields for ever is a livelock after the most steps")
    func livelock() async throws {
        var options = Self.options()
        options.settings.maxSteps = 500
        let exploration = try await explore(options) {
            while !Task.isCancelled { await Task.yield() }
        }
        #expect(exploration.failure?.verdict == .livelock(steps: 500))
    }

    @Test("a loop that yields until something else happens is not a livelock, because the end of a run is fair")
    func unfairIsNoLivelock() async throws {
        var options = Self.options(5)
        options.strategy = Newest()
        options.settings.maxSteps = 2_000
        let exploration = try await explore(options) {
            let gate = Gate()
            let slow = Task {
                try await Task.sleep(for: .seconds(1))
                gate.open()
            }
            while !gate.isOpen { await Task.yield() }
            try await slow.value
        }
        #expect(exploration.failure == nil)
    }

    @Test("a task that a foreign thread resumes has escaped")
    func escape() async throws {
        var options = Self.options()
        // Long enough for a busy machine to start the thread.
        options.settings.escapePatience = 60_000
        options.settings.allowsForeignThreads = true
        let exploration = try await explore(options) {
            let isAsked = Gate()
            let asked = DispatchSemaphore(value: 0)
            async let answer: Void = withCheckedContinuation { continuation in
                onThread {
                    asked.wait()
                    continuation.resume()
                }
                isAsked.open()
            }
            // Resuming before the task waits would not be an escape.
            while !isAsked.isOpen { await Task.yield() }
            asked.signal()
            await answer
        }
        #expect(exploration.failure?.verdict.kind == "escaped")
        let text = exploration.failure?.verdict.description ?? ""
        #expect(text.contains("on the default executor"), "\(text)")
        #expect(
            text.contains("something that the body awaits uses its own threads, sockets or executor"),
            "\(text)"
        )
    }

    @Test("a task that waits for a socket has escaped")
    func socket() async throws {
        var options = Self.options()
        options.settings.escapePatience = 60_000
        options.settings.allowsForeignThreads = true
        let exploration = try await explore(options) {
            let isAsked = Gate()
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            let (near, far) = (ends[0], ends[1])
            async let read = Reader().read(near) { isAsked.open() }
            while !isAsked.isOpen { await Task.yield() }
            var byte: UInt8 = 7
            #expect(write(far, &byte, 1) == 1)
            #expect(await read == 7)
            close(far)
        }
        let text = exploration.failure?.verdict.description ?? "passed"
        #expect(text.hasPrefix("escaped: task "), "\(text)")
        #expect(text.contains("uses its own threads, sockets or executor"), "\(text)")
    }

    @Test("a strategy that chooses a position that does not exist fails the run, with and without faults")
    func careless() async throws {
        for settings in [SimulationSettings(), SimulationSettings(faults: [.cancellation])] {
            var options = ExplorationOptions(iterations: 2, seed: 1, settings: settings)
            options.strategy = Careless()
            let exploration = try await explore(options) {
                await withTaskGroup { group in
                    for _ in 0..<2 { group.addTask { await Task.yield() } }
                }
            }
            let text = exploration.failure?.verdict.description ?? "passed"
            #expect(text.hasPrefix("strategy careless chose "), "\(text)")
            #expect(text.contains(", expected 0 to "), "\(text)")
        }
    }

    @Test("a body that explores is an error")
    func nested() async throws {
        let exploration = try await explore(Self.options(1)) {
            _ = try await explore(Self.options(1)) {}
        }
        #expect(exploration.failure?.verdict.description.contains("cannot explore") == true)
    }
}

/// Always takes what became possible last: the most unfair strategy.
private struct Newest: ExplorationStrategy {
    let name = "newest"
    mutating func begin(seed: UInt64, length: Int) {}
    mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int { choices.count - 1 }
}

/// Chooses a position that does not exist.
private struct Careless: ExplorationStrategy {
    let name = "careless"
    mutating func begin(seed: UInt64, length: Int) {}
    mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int { choices.count }
}

/// Reads a byte from a socket, on a thread that waits for it.
private actor Reader {
    nonisolated let executor = SimulatedExecutor(name: "reader")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func read(_ socket: Int32, whenAsked: @Sendable () -> Void) async -> UInt8 {
        await withCheckedContinuation { continuation in
            onThread {
                var byte: UInt8 = 0
                _ = Glibc.read(socket, &byte, 1)
                close(socket)
                continuation.resume(returning: byte)
            }
            whenAsked()
        }
    }
}
