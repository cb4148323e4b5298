import Interleaving
import Testing

@Suite("A replay")
struct ReplayTests {
    @Test("an order of other code says that it does not fit")
    func misfit() async throws {
        let settings = SimulationSettings()
        let run = try await replay(.firstInFirstOut, settings: settings) { await Task.yield() }
        #expect(run.misfit(with: run.code) == nil)
        for word in ["2-1-50.1", "2-1-0.9", "2-1-0.1x3_50.1"] {
            let code = try ReplayCode(parsing: word)
            let again = try await replay(code.schedule, settings: settings) { await Task.yield() }
            let text = try #require(again.misfit(with: code))
            #expect(
                text.contains(" of the \(code.schedule.deviations.count) deviations of \(code) fit no step"),
                "\(text)"
            )
            #expect(text.contains("SWIFT_DETERMINISTIC_HASHING=1"), "\(text)")
        }
    }

    @Test("of any run takes the same steps", arguments: 0..<40)
    func faithful(_ seed: UInt64) {
        let program = ToyProgram.lostUpdate(tasks: 4)
        var random = RandomWalk()
        let run = program.run(&random, seed: seed)
        var replay = Replay(run.schedule)
        let again = program.run(&replay)
        #expect(again.steps == run.steps)
        #expect(again.failure == run.failure)
        #expect(replay.missed == 0)
    }

    /// A schedule that holds back this and that for a while.
    private static func holds(_ seed: UInt64) -> RunSchedule {
        var random = SplitMix(seed: seed)
        return RunSchedule(
            (0..<5).map { _ in
                RunDeviation(step: random.below(20), position: 1 + random.below(3), count: 1 + random.below(8))
            }
        )
    }

    @Test(
        "of the word for any run takes the same steps, however long something was held back in it",
        arguments: MailboxPolicy.allCases,
        0..<60
    )
    func words(_ mailboxes: MailboxPolicy, _ seed: UInt64) throws {
        var program = ToyProgram.lostUpdate(tasks: 5)
        program.mailboxes = mailboxes
        var first = Replay(Self.holds(seed))
        let run = program.run(&first)
        let code = ReplayCode(seed: seed, schedule: run.schedule)
        let parsed = try ReplayCode(parsing: "\(code)")
        #expect(parsed == code)
        var replay = Replay(parsed.schedule)
        #expect(program.run(&replay).steps == run.steps)
        #expect(replay.missed == 0 && run.schedule.missed(by: run.steps) == 0)
        // A trap writes each step by itself.
        let each = run.steps.indices.filter { run.steps[$0].position > 0 }
        let plain = each.map { "\($0).\(run.steps[$0].position)" }.joined(separator: "_")
        var stepwise = Replay(try ReplayCode(parsing: "1-0-\(plain.isEmpty ? "fifo" : plain)").schedule)
        #expect(program.run(&stepwise).steps == run.steps)
        #expect(run.schedule.deviations.count <= each.count)
    }

    @Test("of the word for any run of tasks takes the same steps", arguments: SimulationSettings.Granularity.allCases)
    func tasks(_ granularity: SimulationSettings.Granularity) async throws {
        let settings = SimulationSettings(granularity: granularity, faults: SimulatedFaults([.cancellation], limit: 2))
        let shorter = try await withExplorationRunner(
            settings,
            body: { _ in
                await withTaskGroup { group in
                    for _ in 0..<3 {
                        group.addTask {
                            await Task.yield()
                            try? await Task.sleep(for: .seconds(1))
                            await Task.yield()
                        }
                    }
                }
            }
        ) { runner in
            var shorter = 0
            for seed: UInt64 in 0..<60 {
                var random: any ExplorationStrategy = seed % 2 == 0 ? RandomWalk() : Replay(Self.holds(seed))
                random.begin(seed: seed, length: 40)
                _ = runner.run(seed: seed, strategy: &random)
                let steps = runner.steps
                let schedule = RunSchedule(following: steps)
                let again = runner.run(seed: seed, schedule: schedule)
                #expect(again.steps == steps)
                if schedule.deviations.count < steps.count(where: { $0.position > 0 }) { shorter += 1 }
            }
            return shorter
        }
        #expect(shorter > 10)
    }

    @Test("of a prefix goes on first in, first out")
    func prefix() {
        let program = ToyProgram.lostUpdate(tasks: 3)
        var random = RandomWalk()
        let run = program.run(&random, seed: 9)
        var replay = Replay(RunSchedule(Array(run.schedule.deviations.prefix(2))))
        let again = program.run(&replay)
        let end = run.schedule.deviations[1].step + run.schedule.deviations[1].count - 1
        #expect(again.steps.prefix(end + 1) == run.steps.prefix(end + 1))
        #expect(again.steps.dropFirst(end + 1).allSatisfy { $0.position == 0 })
        #expect(replay.missed == 0)
    }

    @Test("counts the deviations that did not fit")
    func missed() {
        // Step 0 has no choice, step 1 has two, and step 99 does not exist.
        let given = [(0, 1), (1, 7), (2, 1), (99, 1)].map { RunDeviation(step: $0, position: $1) }
        var replay = Replay(RunSchedule(given))
        let run = ToyProgram.parallel([[1, 1], [2, 2]]).run(&replay)
        #expect(replay.missed == 3)
        #expect(run.schedule == RunSchedule([RunDeviation(step: 2, position: 1)]))
        _ = ToyProgram.parallel([[1, 1], [2, 2]]).run(&replay)
        #expect(replay.missed == 3)
    }

    @Test("by event takes the events in the given order, and unknown events last", arguments: 0..<40)
    func follow(_ seed: UInt64) {
        let program = ToyProgram.lostUpdate(tasks: 3)
        var random = RandomWalk()
        let run = program.run(&random, seed: seed)
        var follow = FollowOrder(run.steps.map(\.choice.event))
        #expect(program.run(&follow).steps == run.steps)
        // Without the first task, the others keep their order.
        let order = run.steps.map(\.choice.event)
        let rest = program.run(&follow, without: [1]).steps.map(\.choice.event)
        #expect(rest.first == order.first)
        #expect(rest.count == order.count - 3)
    }
}
