import Interleaving
import Testing

@Suite("A schedule")
struct ScheduleTests {
    @Test("is ordered by step, whatever order its deviations were given in")
    func ordered() {
        let schedule = Schedule([Deviation(step: 9, position: 1), Deviation(step: 2, position: 3)])
        #expect(schedule.deviations.map(\.step) == [2, 9])
        #expect(schedule == Schedule([Deviation(step: 2, position: 3), Deviation(step: 9, position: 1)]))
    }

    @Test("takes what became possible first wherever nothing deviates")
    func positions() {
        let schedule = Schedule([2, 5, 6].map { Deviation(step: $0, position: $0 * 10) })
        #expect((0..<9).map { schedule.position(at: $0) } == [0, 0, 20, 0, 0, 50, 60, 0, 0])
        #expect(Schedule.firstInFirstOut.position(at: 3) == 0)
    }

    @Test("has one deviation a step, the last, and none that is none")
    func normal() {
        let given = [(1, 2), (1, 3), (4, 0), (5, 2), (5, 0), (6, -1), (-2, 1)].map(Deviation.init(step:position:))
        #expect(Schedule(given).deviations == [Deviation(step: 1, position: 3)])
    }

    @Test("of a run is where the run was not first in, first out")
    func following() {
        let steps = [0, 2, 0, 1].map { position in
            Step(
                choice: Choice(event: EventID(task: 1, ordinal: 0), task: 0, executor: 1, priority: 0, kind: .job),
                position: position,
                alternatives: 3,
                enabler: nil,
                time: 0
            )
        }
        #expect(
            Schedule(following: steps) == Schedule([Deviation(step: 1, position: 2), Deviation(step: 3, position: 1)])
        )
    }
}
