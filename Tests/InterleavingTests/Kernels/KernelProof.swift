import Interleaving

/// How thoroughly a corrected kernel was searched.
struct KernelProof: Sendable {
    /// How many schedules it took to see every class; nil if there are too many.
    let complete: Int?
    let runs: Int
    let failure: ExploredRun?

    /// Searches all classes, or, if they are too many, schedules of the portfolio.
    /// - Parameters:
    ///   - search: The most runs for all classes.
    ///   - runs: How many runs of the portfolio.
    init(of kernel: Kernel, search limit: Int, runs: Int) async throws {
        let search = try await explore(
            ExplorationOptions(
                iterations: limit,
                seed: 1,
                strategy: .exhaustive(preemptions: nil),
                settings: kernel.settings
            ),
            body: kernel.body(.fixed)
        )
        guard search.failure == nil, !search.isComplete else {
            (complete, self.runs, failure) = (search.isComplete ? search.runs : nil, search.runs, search.failure)
            return
        }
        let sample = try await explore(
            ExplorationOptions(iterations: runs, seed: 1, strategy: .portfolio, settings: kernel.settings),
            body: kernel.body(.fixed)
        )
        (complete, self.runs, failure) = (nil, sample.runs, sample.failure)
    }
}
