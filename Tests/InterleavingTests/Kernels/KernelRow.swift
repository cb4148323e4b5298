import Interleaving

/// The measured row of one kernel.
struct KernelRow: Sendable {
    /// The strategies, one for each column.
    static let strategies: [StrategyName] = [
        .fifo, .random, .pct(depth: 2), .pct(depth: 3), .pos, .urw, .portfolio, .exhaustive(preemptions: nil),
    ]
    /// The most runs to find a kernel.
    static let limit = 10_000
    /// The most runs to see all classes of a corrected kernel.
    static let searchLimit = 4_000
    /// The seeds of the runs for the median.
    static let seeds: [UInt64] = [1, 2, 3, 4, 5]
    /// The number of runs for the share.
    static let shareRuns = 1_000

    struct Cell: Sendable {
        /// The number of the first run that failed; nil if none did.
        let first: Int?
        /// How many of a hundred runs fail.
        let share: Double
    }

    let kernel: Kernel
    /// One for each of ``strategies``.
    let cells: [Cell]
    let proof: KernelProof

    init(measuring kernel: Kernel) async throws {
        self.kernel = kernel
        cells = try await withExplorationRunner(kernel.settings, body: kernel.body(.broken)) { runner in
            try Self.strategies.map { try Self.cell(kernel, $0, runner) }
        }
        proof = try await KernelProof(of: kernel, search: Self.searchLimit, runs: Self.limit)
    }

    private static func cell(_ kernel: Kernel, _ name: StrategyName, _ runner: ExplorationRunner) throws -> Cell {
        // Strategies without randomness do the same for all seeds.
        let hasChance = name != .fifo && name != .exhaustive(preemptions: nil)
        var firsts: [Int] = []
        for seed in hasChance ? seeds : [1] {
            let exploration = try runner.explore(options(kernel, name, seed, name == .fifo ? 1 : limit))
            firsts.append(exploration.failure == nil ? .max : exploration.runs)
        }
        firsts.sort()
        let median = firsts[firsts.count / 2]
        var options = options(kernel, name, 1, name == .fifo ? 1 : shareRuns)
        options.continuesAfterFailure = true
        let all = try runner.explore(options)
        return Cell(first: median == .max ? nil : median, share: Double(all.failures) / Double(all.runs) * 100)
    }

    private static func options(
        _ kernel: Kernel,
        _ name: StrategyName,
        _ seed: UInt64,
        _ runs: Int
    ) -> ExplorationOptions {
        ExplorationOptions(
            iterations: runs,
            seed: seed,
            strategy: name,
            settings: kernel.settings,
            determinismChecks: 0
        )
    }
}

extension KernelRow.Cell: CustomStringConvertible {
    var description: String {
        guard let first else { return share > 0 ? "– (\(percent))" : "–" }
        return "\(first) (\(percent))"
    }

    private var percent: String {
        switch share {
        case 0: "0 %"
        case ..<1: "< 1 %"
        default: "\(Int(share.rounded())) %"
        }
    }
}
