import Basics
import ExploredSynchronization
import Glibc
import Testing

@testable import Interleaving

/// Explorations see what these do, and stop jobs before it.
@Suite("In an exploration that stops at locks", .enabled(if: SimulationSettings.reasonNotToStop == nil))
struct SimulationTests {
    struct Wrong: Error {}

    /// A program that is wrong in some orders of what it does with what its tasks share.
    struct Program: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let broken: @Sendable () async throws -> Void
        let fixed: @Sendable () async throws -> Void
    }

    final class Account: Sendable {
        let balance = Mutex(100)
        let taken = Atomic(0)
        let other = Mutex(0)
        let opened = AtomicLazyReference<ExploredProgram.Boxed>()
        let isOpen = Atomic(false)

        func twice(_ work: @escaping @Sendable () -> Void) async {
            await withDiscardingTaskGroup { group in
                for _ in 0..<2 { group.addTask(operation: work) }
            }
        }
    }

    static let programs = [
        Program(
            testDescription: "a check under a lock, and what follows from it under the lock again",
            broken: {
                let account = Account()
                await account.twice {
                    if account.balance.withLock({ $0 >= 80 }) { account.balance.withLock { $0 -= 80 } }
                }
                if account.balance.withLock({ $0 < 0 }) { throw Wrong() }
            },
            fixed: {
                let account = Account()
                await account.twice { account.balance.withLock { if $0 >= 80 { $0 -= 80 } } }
                if account.balance.withLock({ $0 < 0 }) { throw Wrong() }
            }
        ),
        Program(
            testDescription: "an atomic value that is loaded, and stored with one more",
            broken: {
                let account = Account()
                await account.twice {
                    account.taken.store(account.taken.load(ordering: .relaxed) + 1, ordering: .relaxed)
                }
                if account.taken.load(ordering: .relaxed) != 2 { throw Wrong() }
            },
            fixed: {
                let account = Account()
                await account.twice { account.taken.wrappingAdd(1, ordering: .relaxed) }
                if account.taken.load(ordering: .relaxed) != 2 { throw Wrong() }
            }
        ),
        Program(
            testDescription: "two locks, one within the other, in opposite orders",
            broken: {
                let account = Account()
                async let one: Void = account.balance.withLock { _ in account.other.withLock { $0 += 1 } }
                async let two: Void = account.other.withLock { _ in account.balance.withLock { $0 += 1 } }
                _ = await (one, two)
            },
            fixed: {
                let account = Account()
                async let one: Void = account.balance.withLock { _ in account.other.withLock { $0 += 1 } }
                async let two: Void = account.balance.withLock { $0 += account.other.withLock { $0 } }
                _ = await (one, two)
            }
        ),
        Program(
            testDescription: "a flag that is looked at before it is set",
            broken: {
                let account = Account()
                await account.twice {
                    guard !account.isOpen.load(ordering: .acquiring) else { return }
                    account.isOpen.store(true, ordering: .releasing)
                    account.taken.wrappingAdd(1, ordering: .relaxed)
                }
                if account.taken.load(ordering: .relaxed) != 1 { throw Wrong() }
            },
            fixed: {
                let account = Account()
                await account.twice {
                    guard !account.isOpen.exchange(true, ordering: .acquiringAndReleasing) else { return }
                    account.taken.wrappingAdd(1, ordering: .relaxed)
                }
                if account.taken.load(ordering: .relaxed) != 1 { throw Wrong() }
            }
        ),
        Program(
            testDescription: "a reference of which each takes its own for that which is set",
            broken: {
                let account = Account()
                await account.twice {
                    guard account.opened.load() == nil else { return }
                    let own = ExploredProgram.Boxed(account.taken.wrappingAdd(1, ordering: .relaxed).newValue)
                    if account.opened.storeIfNil(own) !== own { failRun("made in vain") }
                }
            },
            fixed: {
                let account = Account()
                await account.twice {
                    let own = ExploredProgram.Boxed(account.taken.wrappingAdd(1, ordering: .relaxed).newValue)
                    let known = account.opened.storeIfNil(own)
                    if account.opened.load() !== known { failRun("another one") }
                }
            }
        ),
    ]

    static func options(
        _ strategy: StrategyName,
        iterations: Int = 10_000,
        _ granularity: SimulationSettings.Granularity = .locks
    ) -> ExplorationOptions {
        ExplorationOptions(
            iterations: iterations,
            seed: 1,
            strategy: strategy,
            settings: SimulationSettings(granularity: granularity)
        )
    }

    @Test(
        "what goes wrong is found",
        arguments: programs,
        [StrategyName.random, .portfolio, .exhaustiveAll, .exhaustiveReported]
    )
    func found(program: Program, strategy: StrategyName) async throws {
        let exploration = try await explore(Self.options(strategy), body: program.broken)
        #expect(exploration.failures == 1, "\(exploration.summary ?? "\(exploration.runs) runs")")
        let failure = try #require(exploration.failure)
        // It is the same when it is played back.
        var settings = SimulationSettings(granularity: .locks)
        settings.mailbox = .fifo
        let again = try await replay(failure.schedule, settings: settings, body: program.broken)
        #expect(again.verdict.isFailure)
    }

    @Test("what is right is proved", arguments: programs, [StrategyName.exhaustiveAll, .exhaustiveReported])
    func proved(program: Program, strategy: StrategyName) async throws {
        let exploration = try await explore(Self.options(strategy), body: program.fixed)
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
        #expect(exploration.isComplete, "\(exploration.summary ?? "")")
        #expect(exploration.runs > 1)
    }

    @Test("an exploration that does not stop there sees nothing of it, and does not claim more", arguments: programs)
    func limit(program: Program) async throws {
        for granularity in [SimulationSettings.Granularity.jobs, .stops] {
            let exploration = try await explore(
                Self.options(.exhaustiveAll, iterations: 10_000, granularity),
                body: program.broken
            )
            #expect(exploration.failure == nil)
            let summary = exploration.summary ?? ""
            #expect(summary.contains("set granularity: .locks"), "\(granularity): \(summary)")
        }
    }

    @Test("a deadlock names both locks' places")
    func deadlock() async throws {
        let exploration = try await explore(Self.options(.random), body: Self.programs[2].broken)
        guard case .deadlock(let waiters)? = exploration.failure?.verdict else {
            Issue.record("\(String(describing: exploration.failure?.verdict))")
            return
        }
        #expect(waiters.count { $0.reason == .lock } == 2, "\(waiters)")
        let functions = waiters.filter { $0.reason == .lock }.map { $0.function ?? "" }
        #expect(functions.allSatisfy { $0.contains("closure") }, "\(functions)")
    }

    @Test("a step is named after who locks and reads, and not after what")
    func labels() async throws {
        let settings = SimulationSettings(granularity: .locks)
        for program in Self.programs {
            let run = try await replay(.firstInFirstOut, settings: settings, body: program.fixed)
            let labels = run.labels()
            #expect(labels.count > 5)
            for label in labels {
                #expect(label.file?.hasSuffix("/SimulationTests.swift") != false, "\(label)")
                let function = label.function ?? ""
                #expect(!function.contains("report") && !function.contains("access_"), "\(label)")
            }
        }
    }

    @Test("a lock of the system is seen that lies where a mutex was")
    func samePlace() async throws {
        let exploration = try await explore(Self.options(.exhaustiveAll)) {
            let number = Unseen()
            await withDiscardingTaskGroup { group in
                for _ in 0..<2 {
                    group.addTask {
                        let place = UnsafeMutableRawPointer.allocate(
                            byteCount: max(MemoryLayout<pthread_mutex_t>.size, MemoryLayout<Mutex<Int>>.size),
                            alignment: 16
                        )
                        defer { place.deallocate() }
                        let mutex = place.bindMemory(to: Mutex<Int>.self, capacity: 1)
                        mutex.initialize(to: Mutex(0))
                        mutex.pointee.withLock { $0 += 1 }
                        mutex.deinitialize(count: 1)

                        let systems = place.bindMemory(to: pthread_mutex_t.self, capacity: 1)
                        systems.initialize(to: pthread_mutex_t())
                        pthread_mutex_init(systems, nil)
                        let before = number.value
                        // Others come in here.
                        pthread_mutex_lock(systems)
                        number.value = before + 1
                        pthread_mutex_unlock(systems)
                        pthread_mutex_destroy(systems)
                    }
                }
            }
            if number.value != 2 { throw Wrong() }
        }
        #expect(exploration.failures == 1, "\(exploration.summary ?? "")")
    }

    /// A number of which no exploration sees an access.
    final class Unseen: @unchecked Sendable {
        // Sendable: a simulation has one thread.
        var value = 0
    }

    /// How all runs of a complete search ended.
    private func ends(_ program: ExploredProgram, _ strategy: StrategyName) async throws -> (
        ends: Set<String>, runs: Int
    ) {
        let ends = Guarded<Set<String>>([])
        var options = Self.options(strategy, iterations: 200_000)
        options.continuesAfterFailure = true
        options.determinismChecks = 3
        options.end = { verdict in
            if case .deadlock = verdict { ends.withLock(for: nil) { _ = $0.insert("deadlock") } }
            return ""
        }
        let exploration = try await explore(options) {
            let end = await program.run()
            ends.withLock(for: nil) { _ = $0.insert(end) }
        }
        // Where a lock is tried, the search has seen every order of its stops, but not all that can happen.
        let summary = exploration.summary ?? ""
        #expect(exploration.isComplete || summary.contains("a lock was tried"), "\(summary)")
        return (ends.withLock(for: nil) { $0 }, exploration.runs)
    }

    /// Tasks of which several want one lock at the same time, and how many different ends a search of all orders has seen.
    static let crowds: [(program: ExploredProgram, ends: Int)] = [
        (ExploredProgram([[.within(0, [.load(0)])], [.within(0, [.load(1)])], [.write(0, 3)]]), 6),
        (ExploredProgram([[.within(0, [.load(0)])], [.within(0, [.add(0, 1)])], [.within(0, [])]]), 6),
        (ExploredProgram([[.within(0, [.load(0)]), .write(0, 1)], [.within(0, [.load(0)]), .read(0)]]), 6),
        (ExploredProgram([[.within(0, [.write(1, 1)])], [.write(1, 2), .read(0)], [.read(1)]]), 9),
        (ExploredProgram([[.within(0, [.load(0), .load(1)])], [.write(0, 2)], [.tryWrite(0, 3)]]), 8),
        (ExploredProgram([[.within(0, [.load(0)]), .load(0)], [.tryWrite(0, 3), .load(1)]]), 3),
        (ExploredProgram([[.within(0, [.write(1, 1)])], [.within(1, [.write(0, 1)])]]), 3),
    ]

    @Test("of those who want a lock, any may get it", arguments: crowds.indices)
    func crowd(number: Int) async throws {
        let (program, ends) = Self.crowds[number]
        #expect(try await self.ends(program, .exhaustiveReported).ends.count == ends)
    }

    @Test("a search by reported accesses sees every end that trying every order sees, in fewer runs")
    func sameEnds() async throws {
        var (runs, all, deadlocks) = (0, 0, 0)
        for seed: UInt64 in 0..<40 {
            var random = SplitMix(seed: seed)
            let program = ExploredProgram(&random)
            let plain = try await ends(program, .exhaustiveAll)
            let reduced = try await ends(program, .exhaustiveReported)
            #expect(reduced.ends == plain.ends, "program of seed \(seed): \(program.tasks)")
            runs += reduced.runs
            all += plain.runs
            if plain.ends.contains("deadlock") { deadlocks += 1 }
        }
        #expect(all > 3 * runs, "\(runs) of \(all)")
        #expect(deadlocks > 0)
    }

    @Test("a loop on an atomic value that nobody changes is named by its own line")
    func spinning() async throws {
        var options = ExplorationOptions(iterations: 1, seed: 1)
        options.settings.granularity = .stops
        options.stallLimit = .milliseconds(300)
        let exploration = try await explore(options) {
            let flag = Atomic(false)
            while !flag.load(ordering: .relaxed) {}
        }
        let verdict = try #require(exploration.failure).verdict
        #expect(verdict.kind == "blocked" && "\(verdict)".contains("at SimulationTests.swift:"), "\(verdict)")
    }
}
