import Dispatch
import Foundation
import Interleaving
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// What no search has every order of, or only one at locks: each of these fails on real threads, and none may be called complete where that is
/// not found.
@Suite("What a search is blind to", .serialized)
struct BlindSpotTests {
    private static let exhaustive: [StrategyName] = [
        .exhaustive(preemptions: nil), .exhaustiveReported, .exhaustiveAll,
    ]

    private static func explore(
        _ strategy: StrategyName,
        _ granularity: SimulationSettings.Granularity,
        _ body: @escaping ExplorationBody
    ) async throws -> Exploration {
        try await Interleaving.explore(StopTests.options(strategy, iterations: 20_000, granularity), body: body)
    }

    private final class Spin: @unchecked Sendable {
        private let lock = UnsafeMutablePointer<pthread_spinlock_t>.allocate(capacity: 1)

        init() { pthread_spin_init(lock, 0) }

        deinit { lock.deallocate() }

        func withLock<Result>(_ body: () -> Result) -> Result {
            pthread_spin_lock(lock)
            defer { pthread_spin_unlock(lock) }
            return body()
        }
    }

    /// Reserves the only seat twice, if what guards it is given back in between.
    private static func overbook(_ guarded: @escaping @Sendable (() -> Bool) -> Bool) async {
        let seats = StopTests.Number()
        seats.value = 1
        @Sendable func reserve() {
            let isFree = guarded { seats.value > 0 }
            if isFree {
                _ = guarded {
                    seats.value -= 1; return true
                }
            }
        }
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { reserve() } }
        }
        if seats.value < 0 { failRun("overbooked") }
    }

    @Test(
        "two turns of a dispatch queue are never said to be explored",
        arguments: exhaustive,
        [SimulationSettings.Granularity.jobs, .stops, .locks]
    )
    func queues(strategy: StrategyName, granularity: SimulationSettings.Granularity) async throws {
        for isBarrier in [false, true] {
            let body: ExplorationBody = { _ in
                let queue = DispatchQueue(label: "seats", attributes: isBarrier ? .concurrent : [])
                await Self.overbook { body in queue.sync(flags: isBarrier ? .barrier : [], execute: body) }
            }
            let exploration = try await Self.explore(strategy, granularity, body)
            #expect(!exploration.isComplete, "\(exploration.summary ?? "")")
            let said = exploration.failure != nil || exploration.summary?.contains("not complete") == true
            #expect(said, "\(exploration.summary ?? "")")
            let chance = try await Self.explore(.random, granularity, body)
            #expect(chance.failure != nil || chance.undisturbed != nil)
        }
    }

    @Test("a spin lock is a stop where locks are, and else no search is complete", arguments: exhaustive)
    func spinLocks(strategy: StrategyName) async throws {
        let body: ExplorationBody = { _ in
            let lock = Spin()
            await Self.overbook { body in lock.withLock(body) }
        }
        #expect(try await Self.explore(strategy, .locks, body).failure != nil)
        for granularity in [SimulationSettings.Granularity.jobs, .stops] {
            let exploration = try await Self.explore(strategy, granularity, body)
            #expect(exploration.failure == nil && !exploration.isComplete)
            #expect(exploration.summary?.contains("set granularity: .locks") == true, "\(exploration.summary ?? "")")
        }
    }

    #if arch(x86_64)
        @Test(
            "between two elements of a stream others come in where locks are stops, and else no search is complete",
            arguments: exhaustive
        )
        func streams(strategy: StrategyName) async throws {
            let body: ExplorationBody = { _ in
                let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                let seen = StopTests.Number()
                async let producer: Void = {
                    continuation.yield(1)
                    seen.value = 1
                    continuation.yield(2)
                    seen.value = 2
                }()
                async let observer: Void = { if seen.value == 1 { failRun("in between") } }()
                _ = await (producer, observer)
                _ = stream
            }
            #expect(try await Self.explore(strategy, .locks, body).failure != nil)
            let exploration = try await Self.explore(strategy, .stops, body)
            #expect(exploration.failure != nil || !exploration.isComplete, "\(exploration.summary ?? "")")
        }

        @Test(
            "what a stream keeps is taken at once, so no search is complete; with one element at a time it is",
            arguments: exhaustive
        )
        func buffers(strategy: StrategyName) async throws {
            for count in 1...2 {
                let exploration = try await Self.explore(strategy, .locks) { _ in
                    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                    for number in 0..<count { continuation.yield(number) }
                    var iterator = stream.makeAsyncIterator()
                    for number in 0..<count where await iterator.next() != number { failRun("out of turn") }
                }
                #expect(
                    exploration.failure == nil && exploration.isComplete == (count == 1),
                    "\(exploration.summary ?? "")"
                )
            }
        }

        @Test(
            "a stream or a sleep that is cancelled has all of its ends, or the search is not complete",
            arguments: exhaustive
        )
        func cancelled(strategy: StrategyName) async throws {
            let stream: ExplorationBody = { _ in
                let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                let reader = Task {
                    for await _ in stream { return true }
                    return false
                }
                async let writer: Void = { continuation.yield(1) }()
                reader.cancel()
                await writer
                if await !reader.value { failRun("lost") }
            }
            let sleep: ExplorationBody = { _ in
                let sleeper = Task { (try? await Task.sleep(for: .milliseconds(1))) != nil }
                async let other: Void = { try? await Task.sleep(for: .milliseconds(1)) }()
                await other
                sleeper.cancel()
                if await !sleeper.value { failRun("cancelled") }
            }
            for body in [stream, sleep] {
                let exploration = try await Self.explore(strategy, .locks, body)
                #expect(exploration.failure != nil || !exploration.isComplete, "\(exploration.summary ?? "")")
            }
        }
    #endif

    /// Ends that a limit on time, or a look whether a group is cancelled, leaves open.
    enum Open: CaseIterable {
        case semaphore, group, addUnlessCancelled

        func body(_ end: @escaping @Sendable (Bool) -> Void) -> ExplorationBody {
            switch self {
            case .semaphore:
                { _ in
                    let semaphore = DispatchSemaphore(value: 0)
                    async let waiter = semaphore.isSignalled(within: .seconds(1))
                    async let signaller: Void = { _ = semaphore.signal() }()
                    end(await waiter)
                    await signaller
                }
            case .group:
                { _ in
                    let group = DispatchGroup()
                    group.enter()
                    async let waiter = group.isEmpty(within: .seconds(1))
                    async let leaver: Void = group.leave()
                    end(await waiter)
                    await leaver
                }
            case .addUnlessCancelled:
                { _ in
                    let task = Task {
                        await withTaskGroup(of: Void.self) { group in group.addTaskUnlessCancelled {} }
                    }
                    task.cancel()
                    end(await task.value)
                }
            }
        }
    }

    @Test(
        "of what has a limit on time, or looks at a group, both ends are seen, or the search is not complete",
        arguments: Open.allCases,
        exhaustive
    )
    func open(way: Open, strategy: StrategyName) async throws {
        let ends = Collected<Bool>()
        let exploration = try await Self.explore(strategy, .locks, way.body { ends.append($0) })
        #expect(exploration.failure == nil)
        #expect(!exploration.isComplete || Set(ends.takeAll()).count == 2, "\(exploration.summary ?? "")")
    }

    // MARK: What the runtime does unasked

    /// A number that a lock guards.
    private final class Box: @unchecked Sendable {
        private let lock = NSLock()
        private var number = 0
        var value: Int {
            get { lock.withLock { number } }
            set { lock.withLock { number = newValue } }
        }
    }

    /// Programs that fail on real threads because the runtime changes something without being asked, or where nothing is stopped: each fails by
    /// the run's end.
    private static let unasked: [(name: String, body: ExplorationBody)] = [
        (
            "an error that leaves a group cancels its children",
            { _ in
                let (refused, ticket) = (Box(), Box())
                try? await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        let isRefused = refused.value == 1
                        if !Task.isCancelled, isRefused { ticket.value = 1 }
                    }
                    refused.value = 1
                    throw StopTests.Wrong()
                }
                if ticket.value == 1 { failRun("a ticket for what was refused") }
            }
        ),
        (
            "the error of a child that is thrown on cancels its siblings",
            { _ in
                let (refused, ticket) = (Box(), Box())
                try? await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        let isRefused = refused.value == 1
                        if !Task.isCancelled, isRefused { ticket.value = 1 }
                    }
                    group.addTask { throw StopTests.Wrong() }
                    do { while try await group.next() != nil {} } catch {
                        refused.value = 1
                        throw error
                    }
                }
                if ticket.value == 1 { failRun("a ticket for what was refused") }
            }
        ),
        (
            "the end of the scope of an async let cancels it",
            { _ in
                let (left, ticket) = (Box(), Box())
                do {
                    async let child: Void = {
                        let isLeft = left.value == 1
                        if !Task.isCancelled, isLeft { ticket.value = 1 }
                    }()
                    left.value = 1
                }
                if ticket.value == 1 { failRun("a ticket for who has left") }
            }
        ),
        (
            "a child that fails cancels a discarding group",
            { _ in
                let (refused, ticket) = (Box(), Box())
                try? await withThrowingDiscardingTaskGroup { group in
                    group.addTask {
                        let isRefused = refused.value == 1
                        if !Task.isCancelled, isRefused { ticket.value = 1 }
                    }
                    group.addTask {
                        refused.value = 1
                        throw StopTests.Wrong()
                    }
                }
                if ticket.value == 1 { failRun("a ticket for what was refused") }
            }
        ),
        (
            "a cancellation handler is taken away after what it is for",
            { _ in
                let open = Box()
                open.value = 1
                let task = Task {
                    await withTaskCancellationHandler {
                        open.value -= 1
                    } onCancel: {
                        if open.value == 0 { open.value = -1 }
                    }
                }
                if open.value == 0 { task.cancel() }
                await task.value
                if open.value < 0 { failRun("closed twice") }
            }
        ),
        (
            "a group has a child until after what that does last",
            { _ in
                let said = Box()
                let isWrong = await withDiscardingTaskGroup { group in
                    group.addTask { said.value = 1 }
                    let hasSaid = said.value == 1
                    return hasSaid && !group.isEmpty
                }
                if isWrong { failRun("said, and not ended") }
            }
        ),
        (
            "a dispatch group is entered too late",
            { _ in
                let group = DispatchGroup()
                let (begun, done) = (Box(), Box())
                async let worker: Void = {
                    begun.value = 1
                    group.enter()
                    done.value = 1
                    group.leave()
                }()
                let isWrong = {
                    let hasBegun = begun.value == 1
                    group.wait()
                    return hasBegun && done.value == 0
                }()
                await worker
                if isWrong { failRun("waited for nobody") }
            }
        ),
        (
            "a stream that keeps nothing is given something before anybody waits",
            { _ in
                let (stream, continuation) = AsyncStream.makeStream(
                    of: Int.self,
                    bufferingPolicy: .bufferingOldest(0)
                )
                let ready = Box()
                async let got: Int? = {
                    var iterator = stream.makeAsyncIterator()
                    ready.value = 1
                    return await iterator.next()
                }()
                let isReady = ready.value == 1
                if isReady { continuation.yield(1) }
                continuation.finish()
                if await got == nil, isReady { failRun("said that it is ready, and missed it") }
            }
        ),
        (
            "who waits for a task raises its priority",
            { _ in
                let (asked, seen) = (Box(), Box())
                let task = Task.detached(priority: .low) {
                    let isAsked = asked.value == 1
                    if isAsked, Task.currentPriority == .low { seen.value = 1 }
                }
                await Task(priority: .high) {
                    asked.value = 1
                    await task.value
                }.value
                if seen.value == 1 { failRun("asked for, and not raised") }
            }
        ),
    ]

    @Test(
        "what the runtime does unasked is found, or the search is not complete",
        arguments: exhaustive,
        unasked.map(\.name)
    )
    func byItself(strategy: StrategyName, name: String) async throws {
        let body = try #require(Self.unasked.first { $0.name == name }).body
        for granularity in [SimulationSettings.Granularity.stops, .locks] {
            let exploration = try await Self.explore(strategy, granularity, body)
            #expect(
                exploration.failure != nil || !exploration.isComplete,
                "\(granularity): \(exploration.summary ?? "")"
            )
        }
    }

    @Test("a wait for a condition takes its lock twice", arguments: exhaustive)
    func conditions(strategy: StrategyName) async throws {
        let exploration = try await Self.explore(strategy, .stops) { _ in
            let condition = NSCondition()
            let filled = StopTests.Number()
            async let taker: Void = condition.withLock {
                if filled.value == 0 { condition.wait() }
                filled.value -= 1
            }
            async let filler: Void = condition.withLock {
                filled.value += 1
                condition.signal()
            }
            _ = await (taker, filler)
        }
        #expect(!exploration.isComplete, "\(exploration.summary ?? "")")
    }

    private final class ReaderWriter: @unchecked Sendable {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

        init() { pthread_rwlock_init(lock, nil) }
    }

    @Test(
        "who wants again what it has of a reader-writer lock waits for ever, and so does who wants what another kept",
        arguments: [false, true]
    )
    func readersAndWriters(isKept: Bool) async throws {
        let exploration = try await Self.explore(.random, .stops) { _ in
            // It is never given back, so it must not be freed.
            let lock = ReaderWriter()
            if isKept {
                let first = Task { pthread_rwlock_wrlock(lock.lock) }
                _ = await first.value
                let second = Task { pthread_rwlock_wrlock(lock.lock) }
                _ = await second.value
            } else {
                async let upgrade: Void = {
                    pthread_rwlock_rdlock(lock.lock)
                    pthread_rwlock_wrlock(lock.lock)
                }()
                await upgrade
            }
        }
        let verdict = try #require(exploration.failure).verdict
        #expect(verdict.kind == "deadlock" && verdict.description.contains("waits for a lock"), "\(verdict)")
    }

    /// Two static variables, each of which needs the other one.
    private enum Cycle {
        static let one: Int = two + 1
        static let two: Int = one + 1
    }

    @Test("static variables that need each other are blocked, and the process goes on")
    func onces() async throws {
        var options = StopTests.options(.random, iterations: 1)
        options.stallLimit = .milliseconds(300)
        let exploration = try await Interleaving.explore(options) { _ in
            await Task.yield()
            if Cycle.one == 0 { failRun("") }
        }
        let verdict = try #require(exploration.failure).verdict
        #expect(["blocked", "trapped"].contains(verdict.kind), "\(verdict)")
        let after = try await Interleaving.explore(ExplorationOptions(iterations: 50, seed: 1)) { await Task.yield() }
        #expect(after.failure == nil)
    }

    @Test("each complete says what cannot be seen at all", arguments: exhaustive)
    func says(strategy: StrategyName) async throws {
        let exploration = try await Self.explore(strategy, .locks) { _ in
            async let one: Void = {}()
            await one
        }
        #expect(exploration.isComplete)
        let summary = exploration.summary ?? ""
        #expect(
            summary.hasSuffix("such as objects of Foundation, and by no file"),
            "\(summary)"
        )
    }
}

extension DispatchSemaphore {
    fileprivate func isSignalled(within limit: DispatchTimeInterval) -> Bool {
        wait(timeout: .now() + limit) == .success
    }
}

extension DispatchGroup {
    fileprivate func isEmpty(within limit: DispatchTimeInterval) -> Bool { wait(timeout: .now() + limit) == .success }
}
