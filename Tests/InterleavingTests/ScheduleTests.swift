import Interleaving
import Testing

@Suite("A schedule")
struct ScheduleTests {
    @Test("is sorted by step, whatever the order of the given deviations")
    func ordered() {
        let schedule = RunSchedule([RunDeviation(step: 9, position: 1), RunDeviation(step: 2, position: 3)])
        #expect(schedule.deviations.map(\.step) == [2, 9])
        #expect(schedule == RunSchedule([RunDeviation(step: 2, position: 3), RunDeviation(step: 9, position: 1)]))
    }

    @Test("holds nothing back beyond the next deviation")
    func clipped() {
        let given = [(2, 1, 9), (5, 2, 0), (6, 1, .max)].map(RunDeviation.init(step:position:count:))
        #expect(RunSchedule(given).deviations.map(\.count) == [3, 1, .max - 6])
    }

    @Test("keeps the last deviation of each step, and none to position 0")
    func normal() {
        let given = [(1, 2), (1, 3), (4, 0), (5, 2), (5, 0), (6, -1), (-2, 1)].map {
            RunDeviation(step: $0, position: $1)
        }
        #expect(RunSchedule(given).deviations == [RunDeviation(step: 1, position: 3)])
    }

    @Test("of a run has its deviations from first in, first out")
    func following() {
        let steps = [0, 2, 0, 1].map { position in
            RunStep(
                choice: RunChoice(
                    event: RunEventID(task: 1, ordinal: 0),
                    task: 0,
                    executor: 1,
                    priority: 0,
                    kind: .job
                ),
                position: position,
                alternatives: 3,
                enabler: nil,
                time: 0
            )
        }
        #expect(
            RunSchedule(following: steps)
                == RunSchedule([RunDeviation(step: 1, position: 2), RunDeviation(step: 3, position: 1)])
        )
    }
}

@Suite("The model of a run")
struct ModelTests {
    @Test("a choice is named by its event, whatever its place in the queue")
    func names() {
        let event = RunEventID(task: 7, ordinal: 2)
        let first = RunChoice(event: event, task: 1, executor: 1, priority: 25, kind: .job)
        #expect(first.event == RunEventID(task: 7, ordinal: 2))
        #expect(first != RunChoice(event: event, task: 1, executor: 2, priority: 25, kind: .job))
    }
}
