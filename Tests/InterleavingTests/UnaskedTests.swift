import Foundation
import Glibc
import Testing

@testable import Interleaving

/// What the runtime and the system do without being asked by a step: it is found, or nothing is called complete.
@Suite("What nobody's step asks for", .serialized)
struct UnaskedTests {
    private struct Wrong: Error {}

    private static let exhaustive: [StrategyName] = [
        .exhaustive(preemptions: nil), .exhaustiveReported, .exhaustiveAll, .exhaustiveActors,
    ]

    private static func explore(
        _ strategy: StrategyName,
        body: @escaping ExplorationBody
    ) async throws -> Exploration {
        try await Interleaving.explore(StopTests.options(strategy, iterations: 20_000, .locks), body: body)
    }

    /// Bodies in which a child, or who looks at its group, may or may not see a cancellation that no step asks for.
    private static let cancelling: [(name: String, body: ExplorationBody)] = [
        (
            "the failure of another child of a discarding group",
            { _ in
                let seen = StopTests.Number()
                try? await withThrowingDiscardingTaskGroup { group in
                    group.addTask { if Task.isCancelled { seen.value = 1 } }
                    group.addTask { throw Wrong() }
                }
                if seen.value == 1 { failRun("cancelled") }
            }
        ),
        (
            "a group's body that throws",
            { _ in
                let seen = StopTests.Number()
                try? await withThrowingTaskGroup { group in
                    group.addTask { if Task.isCancelled { seen.value = 1 } }
                    group.addTask { throw Wrong() }
                    while try await group.next() != nil {}
                }
                if seen.value == 1 { failRun("cancelled") }
            }
        ),
        (
            "a scope that leaves an 'async let'",
            { _ in
                let seen = StopTests.Number()
                func leave() async throws {
                    async let other: Void = { if Task.isCancelled { seen.value = 1 } }()
                    async let one: Void = { throw Wrong() }()
                    try await one
                    await other
                }
                try? await leave()
                if seen.value == 1 { failRun("cancelled") }
            }
        ),
        (
            "a failure that the group's owner looks for",
            { _ in
                try? await withThrowingDiscardingTaskGroup { group in
                    group.addTask { throw Wrong() }
                    await Task.yield()
                    if group.isCancelled { failRun("cancelled") }
                }
            }
        ),
        (
            "a child that sleeps",
            { _ in
                let seen = StopTests.Number()
                func leave() async throws {
                    async let other: Void = { do { try await Task.sleep(for: .seconds(1)) } catch { seen.value = 1 } }()
                    async let one: Void = { throw Wrong() }()
                    try await one
                    await other
                }
                try? await leave()
                if seen.value == 1 { failRun("cancelled") }
            }
        ),
    ]

    /// What looks, within an actor, at what no step asks for.
    private actor Looker {
        nonisolated let executor = SimulatedExecutor(name: "looker")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        var sawCancellation = false
        func look() { if Task.isCancelled { sawCancellation = true } }
        func lookAtPriority() -> UInt8 { Task.currentPriority.rawValue }
    }

    @Test("from within an actor it is not called complete, either, where it is not found", arguments: exhaustive)
    func withinActors(strategy: StrategyName) async throws {
        let cancellation = try await Self.explore(strategy) { _ in
            let (looker, other) = (Looker(), Looker())
            try? await withThrowingDiscardingTaskGroup { group in
                group.addTask { await looker.look() }
                group.addTask {
                    await other.look()
                    throw Wrong()
                }
            }
            if await looker.sawCancellation { failRun("cancelled") }
        }
        #expect(cancellation.failure != nil || !cancellation.isComplete, "\(cancellation.summary ?? "")")
        let priority = try await Self.explore(strategy) { _ in
            let looker = Looker()
            let task = Task(priority: .low) { await looker.lookAtPriority() }
            let seen = await Task(priority: .high) { await task.value }.value
            if seen > TaskPriority.low.rawValue { failRun("raised") }
        }
        #expect(priority.failure != nil || !priority.isComplete, "\(priority.summary ?? "")")
    }

    @Test(
        "a cancellation by the runtime is found, or the search is not complete",
        arguments: exhaustive,
        cancelling.map(\.name)
    )
    func cancellations(strategy: StrategyName, name: String) async throws {
        let body = try #require(Self.cancelling.first { $0.name == name }).body
        let exploration = try await Self.explore(strategy, body: body)
        let summary = exploration.summary ?? ""
        #expect(exploration.failure != nil || !exploration.isComplete, "\(summary)")
        if strategy == .exhaustiveAll { #expect(exploration.failure != nil, "\(summary)") }
        if exploration.failure == nil { #expect(summary.hasSuffix("choose exhaustive-all"), "\(summary)") }
    }

    @Test("children that look at nothing are searched completely as before", arguments: exhaustive)
    func children(strategy: StrategyName) async throws {
        let exploration = try await Self.explore(strategy) { _ in
            await withTaskGroup { group in
                for _ in 0..<2 { group.addTask { await Task.yield() } }
            }
        }
        #expect(exploration.isComplete, "\(exploration.summary ?? "")")
        #expect(exploration.summary?.contains("workTakes") == false)
    }

    @Test("what raises a task's priority is found, or the search is not complete", arguments: exhaustive)
    func priorities(strategy: StrategyName) async throws {
        let exploration = try await Self.explore(strategy) { _ in
            let task = Task(priority: .low) { Task.currentPriority.rawValue }
            let seen = await Task(priority: .high) { await task.value }.value
            if seen > TaskPriority.low.rawValue { failRun("raised") }
        }
        #expect(exploration.failure != nil || !exploration.isComplete, "\(exploration.summary ?? "")")
    }

    @Test("a search by actors says that it takes no notice of which child ends first")
    func ends() async throws {
        let exploration = try await Self.explore(.exhaustiveActors) { _ in
            let first = await withTaskGroup(of: Int.self) { group in
                for number in 1...2 { group.addTask { number } }
                return await group.next()
            }
            if first == 2 { failRun("the second was first") }
        }
        let summary = exploration.summary ?? ""
        #expect(exploration.failure != nil || summary.contains("do not look at which others have ended"), "\(summary)")
    }

    private static let reading: ExplorationBody = { _ in
        let start = ContinuousClock.now
        await Task.yield()
        if ContinuousClock.now - start > .milliseconds(1) { failRun("late") }
    }

    private static let timed: ExplorationBody = { _ in
        let isWork = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await Task.yield(); return true
            }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(1)); return false
            }
            defer { group.cancelAll() }
            return await group.next()
        }
        if isWork == false { failRun("the time was over") }
    }

    @Test("where time is looked at, what passes says that work took none, unless it does", arguments: [true, false])
    func timing(reads: Bool) async throws {
        let body = reads ? Self.reading : Self.timed
        let all = try await Self.explore(.exhaustiveAll, body: body)
        #expect(all.isComplete && all.summary?.contains("if work takes no time") == true, "\(all.summary ?? "")")
        let chance = try await Self.explore(.random, body: body)
        #expect(chance.failure == nil && chance.undisturbed?.contains("set workTakes") == true)
        var options = StopTests.options(.random)
        options.settings.workTakes = .zero ... .milliseconds(5)
        #expect(try await Interleaving.explore(options, body: body).failure != nil)
    }

    @Test(
        "every complete says by what jobs may share, and no search of random numbers is complete",
        arguments: exhaustive
    )
    func random(strategy: StrategyName) async throws {
        let one = try await Self.explore(strategy) { _ in await Task.yield() }
        #expect(one.isComplete && one.summary?.contains("jobs share only by actors and by locks") == true)
        let drawing = try await Self.explore(strategy) { _ in
            for _ in 0..<Int.random(in: 0..<3) { await Task.yield() }
        }
        #expect(!drawing.isComplete, "\(drawing.summary ?? "")")
        #if arch(x86_64)
            let named = try await Self.explore(strategy) { _ in _ = UUID() }
            #expect(!named.isComplete, "\(named.summary ?? "")")
        #endif
    }

    @Test(
        "random numbers of the system follow from the run's seed: a run is repeated with the same, and others have others"
    )
    func drawn() async throws {
        let drawn = Collected<String>()
        let body: ExplorationBody = { _ in
            await Task.yield()
            drawn.append("\(UInt64.random(in: 0...(.max))) \([1, 2, 3, 4, 5, 6, 7, 8].shuffled())")
        }
        let exploration = try await Interleaving.explore(StopTests.options(.random, iterations: 50), body: body)
        #expect(exploration.failure == nil && exploration.undisturbed?.contains("random numbers") == true)
        _ = drawn.takeAll()
        for seed: UInt64 in [1, 2, 1] { _ = try await replay(RunSchedule([]), seed: seed, body: body) }
        let all = drawn.takeAll()
        try #require(all.count == 3)
        #expect(all[0] == all[2] && all[0] != all[1], "\(all)")
        #expect(UInt64.random(in: 0...(.max)) != UInt64.random(in: 0...(.max)))
    }

    @Test("all clocks show one time")
    func clocks() async throws {
        let exploration = try await Interleaving.explore(StopTests.options(.random, iterations: 20)) { _ in
            for _ in 0..<2 {
                let shown = Int(Date().timeIntervalSince1970)
                var (day, moment) = (timeval(), timespec())
                gettimeofday(&day, nil)
                timespec_get(&moment, TIME_UTC)
                if time(nil) != shown || day.tv_sec != shown || moment.tv_sec != shown {
                    failRun("\(shown), \(time(nil)), \(day.tv_sec), \(moment.tv_sec)")
                }
                try? await Task.sleep(for: .seconds(7))
            }
        }
        #expect(exploration.failure == nil, "\(String(describing: exploration.failure?.verdict))")
        #expect(time(nil) > 1_500_000_000)
    }

    @Test("a report with other settings than the exploration's is refused")
    func report() async throws {
        let body: ExplorationBody = { _ in
            let seen = StopTests.Number()
            async let one: Void = {
                if Task.isCancelled {}; seen.value = 1
            }()
            async let two: Void = { if seen.value == 1 { failRun("one was first") } }()
            _ = await (one, two)
        }
        var options = StopTests.options(.random, .locks)
        options.seed = 3
        let exploration = try await Interleaving.explore(options, body: body)
        // First in, first out is the same with all settings.
        var failure = try #require(exploration.failure)
        if failure.schedule.deviations.isEmpty {
            options.continuesAfterFailure = true
            failure = try await replay(
                RunSchedule([RunDeviation(step: 1, position: 1)]),
                settings: options.settings,
                body: body
            )
        }
        let found = failure
        await #expect(throws: ExplorationError.otherSteps(found.code, .stops)) {
            _ = try await withExplorationRunner(body: body) { runner in
                try runner.report(on: found, of: exploration, title: "") { "\($0)" }.summary
            }
        }
    }
}
