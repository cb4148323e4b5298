import Dispatch
import ExploredSynchronization
import Foundation
import Testing

/// Outside of a simulation, a mutex does what that of `Synchronization` does.
@Suite("An explored mutex outside of an exploration")
struct MutexTests {
    @Test("does what the original does, as does a lazy reference")
    func same() {
        let log = ExploredMutexes.log()
        #expect(log == OriginalMutexes.log())
        #expect(log.starts(with: ["4", "nil", "Optional(8)", "refused 9", "refused 10", "9", "1 2", "20"]), "\(log)")
    }

    @Test("keeps threads apart, as an atomic value does")
    func threads() {
        for sums in [ExploredMutexes.sums, OriginalMutexes.sums] {
            #expect(sums(4, 10_000, Self.inThreads) == [40_000, 40_000, 40_000, 40_000])
        }
    }

    /// Runs the same in so many threads at once, and waits for all.
    private static func inThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        for _ in 0..<count {
            group.enter()
            Thread {
                body()
                group.leave()
            }.start()
        }
        group.wait()
    }
}
