import Basics
import Testing

@Suite struct GuardedTests {
    @Test func `many tasks get the value one after the other`() async {
        let counter = Guarded((inside: 0, most: 0, count: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<1_000 {
                        counter.withLock { state in
                            state.inside += 1
                            state.most = max(state.most, state.inside)
                            state.count += 1
                            state.inside -= 1
                        }
                    }
                }
            }
        }
        #expect(counter.withLock { $0.count } == 16_000)
        #expect(counter.withLock { $0.most } == 1)
    }

    @Test func `an error releases the lock and keeps changes`() {
        struct Refusal: Error {}
        let value = Guarded(0)
        #expect(throws: Refusal.self) {
            try value.withLock { value throws(Refusal) in
                value = 1
                throw Refusal()
            }
        }
        #expect(value.withLock { $0 } == 1)
    }

    @Test func `the value is released with its guard`() {
        final class Guest: Sendable {}
        weak var guest: Guest?
        do {
            let guarded = Guarded(Guest())
            guest = guarded.withLock { $0 }
            #expect(guest != nil)
        }
        #expect(guest == nil)
    }
}
