import Basics
@testable import Interleaving
import Testing

@Suite("A shrinker")
struct ShrinkerTests {
    private let shrinker = Shrinker(dependency: .executors(.fifo))

    @Test("leaves the one deviation that the bug needs, and no other event", arguments: [1, 2], 1...8)
    func minimal(_ pairs: Int, _ seed: Int) throws {
        let program = ToyProgram.swappedPairs(pairs, noise: 5)
        let failing = try #require(program.firstFailure(seed: UInt64(seed)))
        let shrunk = shrinker.shrink(failing, events: program.tasks.count - 1, run: program.trial)
        #expect(shrunk.kind == "\(pairs) swapped")
        // A second pair is swapped by what is held back for the first, if that is held longer.
        #expect(shrunk.schedule.deviations.count == 1)
        #expect(shrunk.deleted == Set(pairs..<pairs + 5))
        #expect(shrunk.steps.count == 1 + 4 * pairs)
        #expect(shrunk.isMinimal)
        #expect(shrunk.confirmation == .confirmed)
        #expect(shrunk.trials <= 2_502)
        let again = program.trial(Replay(shrunk.schedule), without: shrunk.deleted)
        #expect(again.failure == shrunk.kind)
        #expect(again.steps == shrunk.steps)
    }

    @Test("ends at the same run, whichever failing run it begins with")
    func canonical() throws {
        let program = ToyProgram.swappedPairs(2)
        let ends = try (1...6).map { seed in
            shrinker.shrink(try #require(program.firstFailure(seed: seed)), run: program.trial).schedule
        }
        #expect(Set(ends).count == 1)
    }

    @Test("finds the two steps whose order decides, and a passing run that has them in the other order")
    func deciding() throws {
        let program = ToyProgram.swappedPairs(1, noise: 3)
        let failing = try #require(program.firstFailure(seed: 4))
        let shrunk = shrinker.shrink(failing, events: 5, run: program.trial)
        let passing = try #require(shrunk.passing)
        let pair = try #require(passing.deciding)
        // The second of the pair, task 5, came to actor 1 before the first, task 1.
        #expect([pair.first, pair.second].map { shrunk.steps[$0].choice.task } == [5, 1])
        #expect([pair.first, pair.second].map { shrunk.steps[$0].choice.executor } == [1, 1])
        #expect([pair.passingFirst, pair.passingSecond].map { passing.steps[$0].choice.task } == [5, 1])
        #expect(pair.passingSecond < pair.passingFirst)
        #expect(program.trial(Replay(passing.schedule), without: shrunk.deleted).failure == nil)
    }

    @Test("shows where the runs diverge if no steps are known to depend on each other")
    func undeclared() throws {
        // Both steps are on no serial executor.
        let program = ToyProgram(
            tasks: [
                [.init(executor: 0, begins: [1, 2])],
                [.init(executor: 0) { $0.values[0] = 1 }],
                [.init(executor: 0) { if $0.values[0] == 0 { $0.failure = "too early" } }],
            ]
        )
        let failing = try #require(program.firstFailure(seed: 1))
        let shrunk = shrinker.shrink(failing, run: program.trial)
        #expect(shrunk.schedule == RunSchedule([RunDeviation(step: 1, position: 1)]))
        #expect(shrunk.passing?.deciding == DecidingPair(first: 1, second: 2, passingFirst: 2, passingSecond: 1))
    }

    @Test("comes to no deviation at all where first in, first out fails")
    func plain() throws {
        let program = ToyProgram.lostUpdate(tasks: 4)
        var random = RandomWalk()
        let runs = (0..<50).map { program.run(&random, seed: UInt64($0)) }
        let run = try #require(runs.first { $0.failure != nil && !$0.schedule.deviations.isEmpty })
        let shrunk = shrinker.shrink(Trial(steps: run.steps, failure: run.failure), run: program.trial)
        #expect(shrunk.schedule == .firstInFirstOut)
        #expect(shrunk.isMinimal)
        // Two of four tasks are enough.
        let fewer = shrinker.shrink(Trial(steps: run.steps, failure: run.failure), events: 4) { strategy, deleted in
            let trial = program.trial(strategy, without: deleted)
            return deleted.count == 4 ? Trial(steps: trial.steps, failure: nil) : trial
        }
        #expect(fewer.deleted.count == 3, "a task that is alone does not come to four, either")
    }

    @Test("does not take another failure for the one it shrinks")
    func otherFailure() throws {
        var program = ToyProgram.swappedPairs(1, noise: 2)
        program.check = { $0.values[0] == 0 ? "the first never ran" : $0.values[7] == 1 ? "swapped" : nil }
        let failing = try #require(program.firstFailure(seed: 2))
        let shrunk = shrinker.shrink(failing, events: 4, run: program.trial)
        #expect(shrunk.kind == "swapped")
        // Without the first of the pair it would fail at once, but not so.
        #expect(shrunk.deleted == [1, 2])
        #expect(program.trial(Replay(shrunk.schedule), without: shrunk.deleted).failure == "swapped")
    }

    @Test("says so if the failure does not come again")
    func flaky() throws {
        let program = ToyProgram.swappedPairs(1)
        let failing = try #require(program.firstFailure(seed: 2))
        let never = shrinker.shrink(failing) { _, _ in Trial(steps: failing.steps, failure: nil) }
        #expect(never.confirmation == .notReproduced)
        #expect(never.steps == failing.steps)
        #expect(never.trials == 1)

        var count = 0
        let other = shrinker.shrink(failing) { strategy, deleted in
            count += 1
            let trial = program.trial(strategy, without: deleted)
            // Something that no strategy chose differs from run to run.
            let last = RunStep(
                choice: RunChoice(
                    event: RunEventID(task: UInt64(count) + 100, ordinal: 0),
                    task: 9,
                    executor: 0,
                    priority: 0,
                    kind: .job
                ),
                position: 0,
                alternatives: 1,
                enabler: 0,
                time: 0
            )
            return Trial(steps: trial.steps + [last], failure: trial.failure)
        }
        #expect(other.confirmation == .diverged(step: other.steps.count - 1))
    }

    @Test("keeps to its budget, and what it has by then still fails", arguments: [0, 1, 3, 10, 50, 200])
    func budget(_ budget: Int) throws {
        let program = ToyProgram.swappedPairs(3, noise: 4)
        let failing = try #require(program.firstFailure(seed: 3))
        let shrunk = Shrinker(dependency: .executors(.fifo), budget: budget)
            .shrink(failing, events: program.tasks.count - 1, run: program.trial)
        #expect(shrunk.trials <= budget + 3 + budget / 4)
        #expect(shrunk.schedule.deviations.count <= RunSchedule(following: failing.steps).deviations.count)
        let again = program.trial(Replay(shrunk.schedule), without: shrunk.deleted)
        #expect(again.failure == "3 swapped")
    }

    @Test("is content with what it has when it is asked to end, and confirms it", arguments: [0, 1, 10, 50])
    func asked(after count: Int) throws {
        let program = ToyProgram.swappedPairs(3, noise: 4)
        let failing = try #require(program.firstFailure(seed: 3))
        var shrinker = Shrinker(dependency: .executors(.fifo))
        let asked = Guarded(0)
        shrinker.isAskedToEnd = {
            asked.withLock { asked in
                asked += 1
                return asked > count
            }
        }
        let shrunk = shrinker.shrink(failing, events: program.tasks.count - 1, run: program.trial)
        // One to begin with, and two to confirm.
        #expect(shrunk.trials <= count + 3)
        #expect(shrunk.confirmation == .confirmed && shrunk.passing == nil)
        #expect(program.trial(Replay(shrunk.schedule), without: shrunk.deleted).failure == "3 swapped")
    }

    /// Two tasks that wait for a flag which a third one may set and clear before they look.
    private static func spin() async {
        let flag = Guarded(false)
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { while !flag.withLock({ $0 }) { await Task.yield() } } }
            group.addTask {
                await Task.yield()
                flag.withLock { $0 = true }
                await Task.yield()
                flag.withLock { $0 = false }
            }
        }
    }

    @Test("takes no more steps for a run of twice as many than to try it twice as long", arguments: [1, 2])
    func long(_ factor: Int) async throws {
        let settings = SimulationSettings(maxSteps: 6_000 * factor, granularity: .jobs)
        let budget = 100
        let shrunk = try await withExplorationRunner(settings, body: { _ in await Self.spin() }) { runner in
            let exploration = try runner.explore(ExplorationOptions(seed: 1, strategy: .random, settings: settings))
            return try exploration.failure.map { try runner.shrink($0, budget: budget) }
        }
        let found = try #require(shrunk)
        #expect(found.kind == "livelock")
        #expect(found.steps.count == settings.maxSteps)
        #expect(RunSchedule(following: found.original).deviations.count > 500)
        #expect(found.schedule.deviations.count <= 1)
        #expect(found.confirmation == .confirmed)
        // A thousand for each run of the budget and its quarter; one run may go beyond in each phase, and three are made anyhow.
        #expect(found.stepsTaken <= budget * 5 / 4 * 1_000 + settings.maxSteps * (5 + 3))
        #expect(found.trials < budget)
        #expect(found.isCutShort)
        let report = FailureReport(title: "spin", message: "m", replay: "r", failure: found)
        #expect(report.remarks.contains { $0.hasPrefix("too long to compare") })
        #expect(found.passing?.isTooLong != false)
    }

    /// A task that has to be held back while another takes many steps, and others that do not matter.
    private static func patience(_ steps: Int) -> ToyProgram {
        var last = ToyProgram.Step(executor: 0)
        last.action = { if $0.values[0] == 0 { $0.failure = "too late" } }
        return ToyProgram(
            tasks: [
                [.init(executor: 0, begins: [1, 2, 3])],
                [.init(executor: 0) { $0.values[0] = 1 }],
                Array(repeating: .init(executor: 0), count: steps - 1) + [last],
                Array(repeating: .init(executor: 0), count: steps / 2),
            ]
        )
    }

    /// Takes anything but one task, as long as there is anything else.
    private struct HoldingBack: ExplorationStrategy {
        let task: Int
        let isRandom: Bool
        var random = SplitMix(seed: 3)
        let name = "holding-back"

        mutating func begin(seed: UInt64, length: Int) {}

        mutating func choose(among choices: Span<RunChoice>, at step: Int) -> Int {
            let others = choices.indices.filter { choices[$0].task != task }
            return others.isEmpty ? 0 : isRandom ? others[random.below(others.count)] : others[0]
        }

        mutating func end(_ steps: Span<RunStep>, _ accesses: RunAccesses) {}
    }

    @Test(
        "needs one deviation for a task that is held back, and a few runs to find out for how long",
        arguments: [50, 200],
        [false, true]
    )
    func heldBack(_ steps: Int, isRandom: Bool) throws {
        let program = Self.patience(steps)
        var strategy = HoldingBack(task: 1, isRandom: isRandom)
        let run = program.run(&strategy)
        #expect(run.failure != nil)
        let failing = Trial(steps: run.steps, failure: run.failure)
        #expect(run.steps.count { $0.position > 0 } >= steps)
        let budget = 150
        let shrunk = Shrinker(dependency: .executors(.fifo), budget: budget).shrink(failing, run: program.trial)
        let deviation = try #require(shrunk.schedule.deviations.first)
        #expect(shrunk.schedule.deviations.count == 1, "\(shrunk.schedule)")
        // The other tasks take turns, so it is held back until the one with more steps has taken all of them.
        #expect(deviation.count == steps + steps / 2, "\(deviation)")
        #expect(shrunk.confirmation == .confirmed)
        #expect(
            "\(ReplayCode(seed: 0, schedule: shrunk.schedule))"
                == "1-0-\(deviation.step).\(deviation.position)x\(deviation.count)"
        )
        // One step less, and it passes.
        let passing = try #require(shrunk.passing)
        #expect(passing.schedule.deviations.map(\.count) == [deviation.count - 1])
        #expect(shrunk.trials <= budget + 3 + budget / 4)
    }

    @Test("gives back a run that passed as it is")
    func passed() {
        let trial = Trial(steps: [], failure: nil)
        #expect(shrinker.shrink(trial) { _, _ in trial }.confirmation == .notReproduced)
    }

    @Test("leaves out parts by halves, and makes no more shorter lists than it may test")
    func halves() {
        var tested = 0
        func left(atMost most: Int) -> [Int] {
            tested = 0
            return deltaDebug(Array(0..<10_000)) { rest, gap in
                tested += 1
                #expect(gap == 0 || rest[gap - 1] < rest.last ?? 0 || gap == rest.count)
                return rest.contains(4_321) && rest.contains(8_765) ? rest : nil
            } while: {
                tested < most
            }
        }
        #expect(left(atMost: .max) == [4_321, 8_765])
        #expect(tested < 200)
        #expect(left(atMost: 9).count > 2)
        #expect(tested == 9)
    }

    @Test("hands on what running throws")
    func throwing() throws {
        struct Broken: Error {}
        let failing = try #require(ToyProgram.swappedPairs(1).firstFailure(seed: 2))
        #expect(throws: Broken.self) {
            try shrinker.shrink(failing) { (_, _) throws(Broken) -> Trial in throw Broken() }
        }
    }
}
