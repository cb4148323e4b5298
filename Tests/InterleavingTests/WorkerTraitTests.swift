import Interleaving
import InterleavingTesting
import Testing

/// Separate from other tests, like ``WorkerTests``: forking does not suit a process in which many threads work.
@Suite("The trait with worker processes")
struct WorkerTraitTests {
    @Test(
        "reports a failure that ended a worker, and survives",
        .expectedIssue { $0.description.contains("double resume: ") },
        InterleavingsTrait(ExplorationOptions(iterations: 10, seed: 1, workers: 1))
    )
    func resumedTwice() async {
        await withCheckedContinuation { continuation in
            continuation.resume()
            continuation.resume()
        }
    }
}
