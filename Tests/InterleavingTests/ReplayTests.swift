import Interleaving
import Testing

@Suite("A replay")
struct ReplayTests {
    @Test("of any run is that run", arguments: 0..<40)
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

    @Test("of a beginning goes on first in, first out")
    func prefix() {
        let program = ToyProgram.lostUpdate(tasks: 3)
        var random = RandomWalk()
        let run = program.run(&random, seed: 9)
        var replay = Replay(Schedule(Array(run.schedule.deviations.prefix(2))))
        let again = program.run(&replay)
        let end = run.schedule.deviations[1].step
        #expect(again.steps.prefix(end + 1) == run.steps.prefix(end + 1))
        #expect(again.steps.dropFirst(end + 1).allSatisfy { $0.position == 0 })
        #expect(replay.missed == 0)
    }

    @Test("says how much of a schedule did not fit")
    func missed() {
        // Step 0 has no choice, step 1 has two, and step 99 there is none.
        let given = [(0, 1), (1, 7), (2, 1), (99, 1)].map(Deviation.init(step:position:))
        var replay = Replay(Schedule(given))
        let run = ToyProgram.parallel([[1, 1], [2, 2]]).run(&replay)
        #expect(replay.missed == 3)
        #expect(run.schedule == Schedule([Deviation(step: 2, position: 1)]))
        _ = ToyProgram.parallel([[1, 1], [2, 2]]).run(&replay)
        #expect(replay.missed == 3)
    }

    @Test("by names takes the events in the order given, and those it does not know last", arguments: 0..<40)
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
