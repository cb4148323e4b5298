import Observation
import Testing

@testable import Interleaving

extension StopTests {
    private enum Local {
        @TaskLocal static var number = -1
    }

    /// Where a task may be: each place has its own way to say that the task is there.
    @MainActor private static func onMain(_ check: @Sendable () -> Bool) -> Bool {
        schedulingPoint()
        MainActor.preconditionIsolated()
        return check()
    }

    private actor Home {
        func work(_ check: @Sendable () -> Bool) -> Bool {
            schedulingPoint()
            preconditionIsolated()
            return assumeIsolated { _ in check() }
        }
    }

    private actor KnownHome {
        nonisolated let executor = SimulatedExecutor(name: "home")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private var inside = 0
        func work(_ check: @Sendable () -> Bool) -> Bool {
            inside += 1
            schedulingPoint()
            preconditionIsolated()
            let isAlone = inside == 1
            inside -= 1
            return isAlone && assumeIsolated { _ in check() }
        }
    }

    @Test(
        "goes on with its task, its task-locals and its actor, which nobody else has entered, whatever the mailbox policy",
        arguments: MailboxPolicy.allCases
    )
    func own(mailbox: MailboxPolicy) async throws {
        var options = Self.options(.portfolio, iterations: 2_000)
        options.settings.mailbox = mailbox
        options.determinismChecks = 50
        let exploration = try await explore(options) {
            let (home, known) = (Home(), KnownHome())
            try await withThrowingTaskGroup { group in
                for number in 0..<3 {
                    group.addTask(name: "\(number)", priority: number == 0 ? .low : .high) {
                        try await Local.$number.withValue(number) {
                            let task = withUnsafeCurrentTask { $0?.hashValue }
                            let check: @Sendable () -> Bool = {
                                Local.number == number && Task.name == "\(number)"
                                    && withUnsafeCurrentTask { $0?.hashValue } == task
                            }
                            async let child = Local.number
                            guard check(), await home.work(check), check(), await known.work(check), check(),
                                await Self.onMain(check), await child == number
                            else { throw Wrong() }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
        #expect(exploration.hadChoices && exploration.longest > 20)
    }

    @Observable fileprivate final class Model: @unchecked Sendable {
        // Sendable: the jobs of a simulation are on one thread.
        var number = 0
    }

    @Test("observes only what it reads itself")
    func observed() async throws {
        let exploration = try await explore(Self.options(.portfolio, iterations: 1_000)) {
            let models = [Model(), Model()]
            let changes = [Number(), Number()]
            await withTaskGroup { group in
                for index in 0..<2 {
                    group.addTask {
                        withObservationTracking {
                            schedulingPoint()
                            _ = models[index].number
                            schedulingPoint()
                        } onChange: {
                            changes[index].value += 1
                        }
                    }
                }
            }
            models[0].number = 1
            if changes[0].value != 1 || changes[1].value != 0 { throw Wrong() }
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
    }

    @Test("takes the same steps again with the same seed, in this process and in workers", arguments: [0, 3])
    func deterministic(workers: Int) async throws {
        var options = Self.options(.portfolio, iterations: 600)
        options.continuesAfterFailure = true
        options.determinismChecks = 100
        let alone = try await explore(options, body: Self.hidden[1].broken)
        options.workers = workers
        options.stallLimit = .seconds(20)
        let again = try await explore(options, body: Self.hidden[1].broken)
        #expect(alone.failures > 20)
        #expect(alone.traceHash == again.traceHash && alone.failedRuns == again.failedRuns)
        #expect(alone.failure?.code == again.failure?.code && again.failure?.granularity == .stops)
    }

    @Test("is finished when its run is cut off, so that nothing stays half done")
    func cutOff() async throws {
        let (begun, ended) = (Number(), Number())
        var options = Self.options(.random, iterations: 300)
        options.settings.maxSteps = 14
        options.continuesAfterFailure = true
        let exploration = try await explore(options) {
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        begun.value += 1
                        for _ in 0..<3 { schedulingPoint() }
                        ended.value += 1
                        while !Task.isCancelled { await Task.yield() }
                    }
                }
            }
        }
        #expect(exploration.failures == 300)
        #expect(exploration.failure?.verdict == .livelock(steps: 14))
        #expect(begun.value > 300 && begun.value == ended.value)
    }

    @Test(
        "and waits in a loop lets others go on; one that waits for ever is a livelock, and does no harm to the next run"
    )
    func loops() async throws {
        var options = Self.options(.portfolio, iterations: 200)
        options.settings.maxSteps = 400
        let passes = try await explore(options) {
            let flag = Number()
            async let waits: Void = { while flag.value == 0 { schedulingPoint() } }()
            async let sets: Void = { flag.value = 1 }()
            _ = await (waits, sets)
        }
        #expect(passes.failure == nil, "\(passes.failure?.verdict.description ?? "")")
        options.continuesAfterFailure = true
        options.iterations = 30
        let fails = try await explore(options) {
            let store = Store()
            async let other: Void = store.publish(1)
            while true { schedulingPoint() }
            await other
        }
        #expect(fails.failures == fails.runs && fails.runs == 30)
        #expect(fails.failure?.verdict == .livelock(steps: 400))
        let after = try await explore(Self.options(.portfolio, iterations: 100), body: Self.hidden[0].fixed)
        #expect(after.failure == nil)
    }

    @Test("is one of so many that others run on: then the search does not claim to have seen them")
    func tooMany() async throws {
        var options = Self.options(.random, iterations: 2)
        options.strategy = Broad()
        options.settings.maxSteps = 40_000
        let exploration = try await explore(options) {
            await withTaskGroup { group in
                for _ in 0..<1_200 { group.addTask { schedulingPoint() } }
            }
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
        #expect(exploration.unseen?.contains("more than 1000 jobs were stopped at once") == true)
    }

    /// Begins every task that it can, and stops each.
    private struct Broad: ExplorationStrategy {
        let name = "broad"
        mutating func begin(seed: UInt64, length: Int) {}
        mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
            let begins = choices.indices.first { choices[$0].event.ordinal == 0 }
            return begins ?? choices.indices.first { choices[$0].task == 0 } ?? 0
        }
    }

    @Test("may be cancelled while it is stopped, and its handlers run at once")
    func cancelled() async throws {
        var options = Self.options(.portfolio, iterations: 3_000)
        options.settings.faults = [.cancellation]
        options.determinismChecks = 100
        let seen = Collected<String>()
        let exploration = try await explore(options) {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            async let reader = {
                var order = ""
                for await number in stream { order += "\(number)" }
                return order + (Task.isCancelled ? "!" : "")
            }()
            let task = Task {
                await withTaskCancellationHandler {
                    for number in 1...2 {
                        schedulingPoint()
                        if Task.isCancelled { break }
                        continuation.yield(number)
                    }
                    await Task.yield()
                } onCancel: {
                    continuation.yield(0)
                }
                continuation.finish()
            }
            await task.value
            seen.append(await reader)
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
        let orders = Set(seen.takeAll())
        // Before its first number, between the two, and after both, also while the reader is between two numbers.
        for order in ["12", "0", "10", "120"] { #expect(orders.contains(order), "\(orders)") }
    }

    @Test("of every primitive of Swift", arguments: MicroProgram.all)
    func primitives(program: MicroProgram) async throws {
        #expect(try await program.runs(.stops))
    }

    @Test("and outside of a simulation nobody stops")
    func outside() { schedulingPoint() }

    @Test("may have begun within another, and goes on as itself")
    func immediate() async throws {
        let exploration = try await explore(Self.options(.portfolio, iterations: 1_000)) {
            let number = Number()
            let child = Task.immediate {
                let task = withUnsafeCurrentTask { $0?.hashValue }
                schedulingPoint()
                number.value += 1
                guard withUnsafeCurrentTask(body: { $0?.hashValue }) == task else { throw Wrong() }
                await Task.yield()
                schedulingPoint()
                guard withUnsafeCurrentTask(body: { $0?.hashValue }) == task else { throw Wrong() }
            }
            // It has begun, and it has been stopped since.
            if number.value != 1 { throw Wrong() }
            async let other: Void = { number.value += 1 }()
            try await child.value
            await other
        }
        #expect(exploration.failure == nil, "\(exploration.failure?.verdict.description ?? "")")
    }

    @Test("is counted in the header of its order, and an order of other steps is refused")
    func header() async throws {
        let order = RunSchedule([RunDeviation(step: 2, position: 1)])
        let code = ReplayCode(seed: 10, schedule: order, granularity: .stops)
        #expect("\(code)" == "2-a-2.1")
        #expect(try ReplayCode(parsing: "2-a-2.1") == code)
        let body: ExplorationBody = { _ in try await Self.hidden[1].broken() }
        await #expect {
            _ = try await replay(code, settings: SimulationSettings(granularity: .jobs), body: body)
        } throws: { error in
            "\(error)".contains("order 2-a-2.1 was found with granularity: .stops, and the settings say .jobs")
        }
        var settings = SimulationSettings()
        settings.granularity = .stops
        await #expect {
            _ = try await replay(ReplayCode(seed: 10, schedule: order), settings: settings, body: body)
        } throws: { error in
            "\(error)".contains("order 1-a-2.1 was found with granularity: .jobs, and the settings say .stops")
        }
        #expect(try await replay(code, settings: settings, body: body).schedule == order)
        // What deviates nowhere fits all.
        _ = try await replay(ReplayCode(seed: 10, schedule: .firstInFirstOut), settings: settings, body: body)
        let file = ReplayFile(test: "", seed: 10, schedule: order, settings: settings)
        #expect(try ReplayFile(parsing: file.bytes) == file)
        #expect(file.code == code && file.settings().granularity == .stops)
    }
}
