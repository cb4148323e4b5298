import Interleaving
import Testing

@Suite("A replay")
struct ReplayTests {
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

    @Test("of a prefix goes on first in, first out")
    func prefix() {
        let program = ToyProgram.lostUpdate(tasks: 3)
        var random = RandomWalk()
        let run = program.run(&random, seed: 9)
        var replay = Replay(RunSchedule(Array(run.schedule.deviations.prefix(2))))
        let again = program.run(&replay)
        let end = run.schedule.deviations[1].step
        #expect(again.steps.prefix(end + 1) == run.steps.prefix(end + 1))
        #expect(again.steps.dropFirst(end + 1).allSatisfy { $0.position == 0 })
        #expect(replay.missed == 0)
    }

    @Test("counts the deviations that did not fit")
    func missed() {
        // Step 0 has no choice, step 1 has two, and step 99 does not exist.
        let given = [(0, 1), (1, 7), (2, 1), (99, 1)].map(RunDeviation.init(step:position:))
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
