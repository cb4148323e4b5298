import Interleaving
import Testing

@Suite("The model of a run")
struct ModelTests {
    @Test("a choice is named by its event, whatever its place in the queue")
    func names() {
        let event = EventID(task: 7, ordinal: 2)
        let first = Choice(event: event, task: 1, executor: 1, priority: 25, kind: .job)
        #expect(first.event == EventID(task: 7, ordinal: 2))
        #expect(first != Choice(event: event, task: 1, executor: 2, priority: 25, kind: .job))
    }
}
