@testable import SceneRuntime
import Basics
import Testing

@Suite("The ledger counts what events take and who waits", .timeLimit(.minutes(15)))
struct EventLedgerTests {
    @Test("an event that exceeds a limit is refused, and of two limits the sender's own is named")
    func limits() throws {
        for own in 0...4 {
            for others in 0...4 where own + others <= 6 {
                for size in 1...7 {
                    let ledger = EventLedger(.init(openBytes: 6, openBytesPerSender: 4))
                    try ledger.reserve(own, sender: "anna", isInside: false)
                    try ledger.reserve(others, sender: nil, isInside: false)
                    var expected: AdmissionError?
                    if own + size > 4 {
                        expected = .tooMuchWaiting(size: size, waiting: own, limit: 4, perUser: true)
                    } else if own + others + size > 6 {
                        expected = .tooMuchWaiting(size: size, waiting: own + others, limit: 6, perUser: false)
                    }
                    var found: AdmissionError?
                    do {
                        try ledger.reserve(size, sender: "anna", isInside: false)
                    } catch {
                        found = error
                    }
                    #expect(found == expected, "\(own) \(others) \(size)")
                    var use = MemoryUse()
                    ledger.add(to: &use)
                    #expect(use.events.open == own + others + (found == nil ? size : 0), "\(own) \(others) \(size)")
                }
            }
        }
    }

    @Test("the calls that wait are counted for each sender, until their wait ends", arguments: 1...4)
    func waiters(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let test = try TestHost(windows: ["A"])
        let hold = try test.hold(.admitted, scene: "A")
        let senders = ["anna", "bert", nil]
        let events = try (0..<9).map { try test.admit("product/p\($0)", from: senders[$0 % 3]) }
        var waits: [(event: Int, token: Int)] = []
        for _ in 0..<60 {
            if random.below(3) == 0, !waits.isEmpty {
                let wait = waits.remove(at: random.below(waits.count))
                test.host.stopWaiting(wait.token, for: events[wait.event])
            } else {
                let event = random.below(9)
                waits.append((event, try #require(test.host.whenReached(.settled, events[event]) { _ in })))
            }
            let expected = Dictionary(grouping: waits) { senders[$0.event % 3] }.mapValues(\.count)
            #expect(test.host.memoryUse.waitersBySender == expected)
        }
        hold.release()
        await test.host.quiesce()
        #expect(test.host.memoryUse.waitersBySender == [:])
    }
}
