@testable import SceneRuntime
import Basics
import Testing

@Suite("Whoever listens to the records gets each of them once, in order")
struct RecordLogTests {
    @Test(
        "a listener gets what comes while it listens, and before that what is retained if it asks",
        arguments: [true, false]
    )
    func listens(replaying: Bool) {
        let log = RecordLog(host: "test", clock: ManualClock(), capacity: 3)
        for _ in 0..<5 { log.append(.hostQuiet) }
        let heard = Guarded<[Int]>([])
        let token = log.listen(replaying: replaying) { record in heard.withLock { $0.append(record.index) } }
        log.append(.hostQuiet)
        log.stopListening(token)
        log.append(.hostQuiet)
        #expect(heard.withLock { $0 } == (replaying ? [3, 4, 5, 6] : [6]))
    }

    @Test("whichever listener stops, the others go on, in the order in which they began", arguments: 0..<3)
    func stops(stopped: Int) {
        let log = RecordLog(host: "test", clock: ManualClock(), capacity: 3)
        let heard = Guarded<[Int]>([])
        let tokens = (0..<3).map { number in log.listen { _ in heard.withLock { $0.append(number) } } }
        log.stopListening(tokens[stopped])
        log.append(.hostQuiet)
        #expect(heard.withLock { $0 } == (0..<3).filter { $0 != stopped })
    }
}
