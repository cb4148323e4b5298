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

    @Test("a snapshot is due once, after as many records as it was scheduled for")
    func snapshots() {
        let log = RecordLog(host: "test", clock: ManualClock(), capacity: 3, snapshotAfter: 4)
        var due: [Int] = []
        for number in 1...20 {
            log.append(.hostQuiet)
            guard log.takeSnapshotDue() else { continue }
            due.append(number)
            #expect(!log.takeSnapshotDue())
            if number < 10 { log.scheduleSnapshot(after: 3) }
        }
        #expect(due == [4, 7, 10])
    }

    @Test("a reader that has fallen behind is told so before anything else, whether it filters or not")
    func gaps() {
        let log = RecordLog(host: "test", clock: ManualClock(), capacity: 3)
        for _ in 1...6 { log.append(.hostQuiet) }
        func bodies(_ read: (records: [Record], next: Int)) -> [String] {
            read.records.map { "\($0.index) \($0.kind.rawValue)" } + ["then \(read.next)"]
        }
        let odd: (Record) -> Bool = { !$0.index.isMultiple(of: 2) }
        #expect(bodies(log.read(after: 1)) == ["4 gap", "4 host.quiet", "5 host.quiet", "6 host.quiet", "then 6"])
        #expect(bodies(log.read(after: 1, matching: odd)) == ["4 gap", "5 host.quiet", "then 6"])
        #expect(bodies(log.read(after: 1, limit: 1)) == ["4 gap", "then 3"])
        #expect(bodies(log.read(after: 1, limit: 1, matching: odd)) == ["4 gap", "then 3"])
        #expect(bodies(log.read(after: 3, limit: 1, matching: odd)) == ["5 host.quiet", "then 5"])
        #expect(log.read(after: 1).records.first?.body == .gap(count: 2))
    }
}
