import Interleaving
import InterleavingTesting
import Testing

/// Apart from other tests, as ``WorkerTests`` are: what forks is not made for a process with many threads at work.
@Suite("The trait and processes of its own")
struct WorkerTraitTests {
    @Test(
        "reports what ended a worker, and lives",
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
