import Synchronization
import Glibc
import CInterleaving
import Interleaving

/// Explores in a process of its own, and prints what must not depend on the process.
///
///     interleaving-probe hashes SEED
///     interleaving-probe trap
///     interleaving-probe blocked
///     interleaving-probe recursion DEPTH
///     interleaving-probe crash
///     interleaving-probe crowd
///     interleaving-probe resume-twice
///     interleaving-probe threads
@main
struct InterleavingProbe {
    private actor Account {
        nonisolated let executor = SimulatedExecutor(name: "account")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        var balance = 0
        func add(_ value: Int) { balance += value }
    }

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.dropFirst().first.flatMap { UInt64($0) }) {
        case ("hashes", let seed?): try await printHashes(seed: seed)
        case ("trap", _): try await trap()
        case ("blocked", _): try await blocked()
        case ("recursion", let depth?): try await recursion(depth)
        case ("crash", _): try await crash()
        case ("crowd", _): try await crowd()
        case ("resume-twice", _): try await resumeTwice()
        case ("threads", _): startThreads()
        default: print("give hashes SEED, trap, blocked, recursion DEPTH, crash, crowd, resume-twice or threads")
        }
    }

    /// A line for each of 200 runs of tasks, actors, sleeps and random data.
    private static func printHashes(seed: UInt64) async throws {
        var options = ExplorationOptions(iterations: 200, seed: seed)
        options.observer = { iteration, steps, verdict in
            print(iteration, String(steps.traceHash, radix: 16), verdict.kind)
        }
        let found = try await explore(options) { generator in
            var generator = generator
            let accounts = (Account(), Account())
            await withTaskGroup { group in
                for _ in 0..<Int.random(in: 2...4, using: &generator) {
                    let pause = Int.random(in: 0...2, using: &generator)
                    group.addTask {
                        await accounts.0.add(1)
                        try? await Task.sleep(for: .milliseconds(pause))
                        await accounts.1.add(1)
                        await Task.detached { await accounts.0.add(1) }.value
                    }
                }
            }
        }
        print(found.runs, found.coverage?.classes ?? 0)
    }

    /// Dies in one of few orders: a job that runs whole cannot be left.
    private static func trap() async throws {
        var options = ExplorationOptions(seed: 5, strategy: .random, determinismChecks: 0)
        options.settings.granularity = .jobs
        _ = try await explore(options) {
            let account = Account()
            let late = Task { await account.add(1) }
            await Task.yield()
            await Task.yield()
            if await account.balance == 0 { fatalError("nothing was added") }
            await late.value
        }
    }

    /// Blocks its thread in a job that runs whole.
    private static func blocked() async throws {
        var options = ExplorationOptions(iterations: 1)
        options.settings.granularity = .jobs
        options.stallLimit = .milliseconds(200)
        _ = try await explore(options) {
            await Task.yield()
            pause()
        }
    }

    /// Calls itself in a job that may be stopped, each time with 1 KiB on the stack.
    private static func recursion(_ depth: UInt64) async throws {
        var options = ExplorationOptions(iterations: 2, seed: 5, strategy: .random, determinismChecks: 0)
        options.settings.granularity = .stops
        let found = try await explore(options) {
            async let other: Void = Task.yield()
            if fill(depth) == 0 { throw CancellationError() }
            await other
        }
        print(found.runs, found.failures)
        if let failure = found.failure { print(failure.verdict) }
    }

    @inline(never)
    private static func fill(_ depth: UInt64) -> UInt64 {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 128) { numbers in
            numbers.initialize(repeating: depth)
            schedulingPoint()
            return depth <= 1 ? numbers[7] : fill(depth - 1) + numbers[7]
        }
    }

    /// Dies outside of a run, once explorations have been made.
    private static func crash() async throws {
        _ = try await explore(ExplorationOptions(iterations: 1)) {}
        await Task.detached { readNowhere() }.value
    }

    @inline(never)
    private static func readNowhere() {
        // The address is not known to the compiler.
        let address = UInt(CommandLine.arguments.count) << 4
        print(UnsafePointer<Int>(bitPattern: address)?.pointee ?? 0)
    }

    /// Starts threads that end at once, often before their starter goes on.
    private static func startThreads() {
        // Nobody looks at it.
        guard let context = UnsafeMutableRawPointer(bitPattern: 1) else { return }
        for number in 0..<20_000 {
            while number - endedThreads.load(ordering: .acquiring) > 64 { sched_yield() }
            let error = interleaving_start_thread({ _ in endedThreads.add(1, ordering: .releasing) }, context)
            if error != 0 { endedThreads.add(1, ordering: .releasing) }
        }
        print("started")
    }

    /// Makes the first exploration of the process while other tasks hop.
    private static func crowd() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    while !Task.isCancelled { await Task.yield() }
                }
            }
            let found = try await explore(ExplorationOptions(iterations: 1)) {}
            print(found.runs)
            group.cancelAll()
        }
    }

    private static func resumeTwice() async throws {
        let found = try await explore(ExplorationOptions(seed: 5, workers: 1)) {
            await withCheckedContinuation { continuation in
                continuation.resume()
                continuation.resume()
            }
        }
        print(found.failure?.verdict.kind ?? "none")
    }
}

private let endedThreads = Atomic(0)
