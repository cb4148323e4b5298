import Interleaving
import Testing

@Suite("Strategies")
struct StrategyTests {
    static let names = ["fifo", "random", "pct-2", "pct-5", "pos", "urw", "portfolio", "exhaustive", "exhaustive-all"]

    /// The schedules of some runs of a strategy.
    private func schedules(_ name: String, _ program: ToyProgram, runs: Int, seed: UInt64) throws -> [RunSchedule] {
        var random = SplitMix(seed: seed)
        func all(_ strategy: some ExplorationStrategy) -> [RunSchedule] {
            var strategy = strategy
            return (0..<runs).map { _ in program.run(&strategy, seed: random.next(), length: 12).schedule }
        }
        return all(try StrategyName(name).strategy(mailboxes: program.mailboxes))
    }

    /// The share of runs that fail.
    private func share(_ strategy: some ExplorationStrategy, _ program: ToyProgram, runs: Int, length: Int) -> Double {
        var strategy = strategy
        var random = SplitMix(seed: 42)
        var failures = 0
        for _ in 0..<runs where program.run(&strategy, seed: random.next(), length: length).failure != nil {
            failures += 1
        }
        return Double(failures) / Double(runs)
    }

    @Test("choose alike for the same seeds", arguments: names)
    func deterministic(_ name: String) throws {
        let program = ToyProgram.lostUpdate(tasks: 3)
        #expect(try schedules(name, program, runs: 30, seed: 5) == schedules(name, program, runs: 30, seed: 5))
    }

    @Test("choose otherwise for other seeds", arguments: ["random", "pct-2", "pct-5", "pos", "urw", "portfolio"])
    func seeded(_ name: String) throws {
        let program = ToyProgram.lostUpdate(tasks: 3)
        #expect(try schedules(name, program, runs: 30, seed: 5) != schedules(name, program, runs: 30, seed: 6))
        #expect(Set(try schedules(name, program, runs: 30, seed: 5)).count > 3)
    }

    @Test("tell their name as it is read", arguments: names + ["exhaustive-actors", "exhaustive-2", "pct-1"])
    func named(_ name: String) throws {
        #expect(try StrategyName(name).strategy(mailboxes: .fifo).name == name)
        #expect(try StrategyName(name).description == name)
    }

    @Test(
        "are not known by other names",
        arguments: [
            "", "PCT", "pct", "pct-", "pct-0", "pct-21", "pct-99999999999999999999", "pct--1", "exhaustive-x", "fifo ",
        ]
    )
    func unknown(_ name: String) throws {
        let error = #expect(throws: StrategyNameError.self) { try StrategyName(name) }
        #expect(error?.name == name)
        #expect(
            error?.description.contains(
                "portfolio, exhaustive, exhaustive-N, exhaustive-actors, exhaustive-reported, exhaustive-all"
            )
                == true
        )
    }

    @Test("first in, first out has no deviation")
    func fifo() throws {
        #expect(try Set(schedules("fifo", .lostUpdate(tasks: 3), runs: 5, seed: 1)) == [.firstInFirstOut])
    }

    @Test("a random walk takes each choice as often as any other")
    func uniformChoice() {
        // Whether the third of three tasks goes first.
        var program = ToyProgram.parallel([[1], [2], [3]])
        program.tasks[3][0].action = { if $0.values[0] == 0 { $0.failure = "first" } }
        for task in 1...2 { program.tasks[task][0].action = { $0.values[0] = 1 } }
        #expect((0.30...0.37) ~= share(RandomWalk(), program, runs: 5_000, length: 4))
    }

    @Test("changing priorities finds a long delay at least as often as promised, which a random walk does not")
    func longDelay() {
        // One constraint, so depth 1 suffices: the other task has the higher priority, or it has not.
        let program = ToyProgram.starved(steps: 20)
        #expect((0.45...0.55) ~= share(PriorityChanges(depth: 1), program, runs: 4_000, length: 22))
        #expect(share(RandomWalk(), program, runs: 4_000, length: 22) < 0.001)
    }

    @Test("changing priorities keeps its bound for bugs of depth 2", arguments: 2...5)
    func depthTwo(_ tasks: Int) {
        let program = ToyProgram.lostUpdate(tasks: tasks)
        let length = 1 + 3 * tasks
        let bound = 1 / (Double(tasks) * Double(length))
        #expect(share(PriorityChanges(depth: 2), program, runs: 2_000, length: length) > bound)
    }

    @Test("partial order sampling does not let independent steps decide")
    func partialOrder() {
        // Which of two steps comes first on executor 1, while one of the tasks has many steps to do that nobody else sees:
        // a random walk nearly always takes the short one first, and sampling by the events that matter does not.
        var program = ToyProgram.parallel([[1], [2, 3, 4, 5, 6, 7, 1]], mailboxes: .anyOrder)
        program.tasks[1][0].action = { if $0.values[0] == 1 { $0.failure = "late" } }
        program.tasks[2][6].action = { $0.values[0] = 1 }
        let sampled = share(PartialOrderSampling(), program, runs: 4_000, length: 9)
        let walked = share(RandomWalk(), program, runs: 4_000, length: 9)
        #expect(walked < 0.02)
        #expect(sampled > 0.1, "\(sampled)")
    }

    @Test("a uniform walk makes each order of a run about as likely as any other")
    func uniformWalk() {
        // 10 steps against 2: 66 orders. A random walk takes the one where the short task goes last 1 time in 1024.
        let program = ToyProgram.parallel([[1, 1, 1, 1, 1, 1, 1, 1, 1, 1], [2, 2]])
        var counts: [RunSchedule: Int] = [:]
        var strategy = UniformWalk()
        var random = SplitMix(seed: 3)
        for _ in 0..<6_600 { counts[program.run(&strategy, seed: random.next()).schedule, default: 0] += 1 }
        #expect(counts.count == 66)
        #expect(counts.values.allSatisfy { (50...160) ~= $0 }, "\(counts.values.sorted())")
    }

    @Test("a uniform walk counts the tasks that a task is still going to begin")
    func uniformTrees() {
        // The first task begins the third, with 5 steps: it has more to do than the second, which has 3.
        var program = ToyProgram.parallel([[1], [2, 2, 2]])
        program.tasks.append((0..<5).map { _ in ToyProgram.Step(executor: 3) })
        program.tasks[1][0].begins = [3]
        var counts: [RunSchedule: Int] = [:]
        var strategy = UniformWalk()
        var random = SplitMix(seed: 3)
        for _ in 0..<8_400 { counts[program.run(&strategy, seed: random.next()).schedule, default: 0] += 1 }
        // 6 steps in a row against 3: 84 orders.
        #expect(counts.count == 84)
        #expect(counts.values.allSatisfy { (50...170) ~= $0 }, "\(counts.values.sorted())")
    }

    @Test("a portfolio begins with first in, first out, and then takes turns")
    func portfolio() {
        var strategy = Portfolio()
        let members = (0..<13).map { run in
            _ = ToyProgram.lostUpdate(tasks: 2).run(&strategy, seed: UInt64(run))
            return strategy.member
        }
        let turn = ["random", "pos", "pct-2", "pct-3", "pct-5", "urw"]
        #expect(members == ["fifo"] + turn + turn)
    }

    @Test("a portfolio finds what only some of its members find")
    func portfolioFinds() {
        var strategy = Portfolio()
        var found: [Bool] = []
        for program in [ToyProgram.starved(steps: 30), .lostUpdate(tasks: 2)] {
            found.append((0..<200).contains { program.run(&strategy, seed: UInt64($0)).failure != nil })
        }
        #expect(found == [true, true])
    }
}
