import Interleaving
import Testing

/// The most runs for one kernel: many for the evidence, few for a test.
enum KernelLimits {
    static let find = 10_000
    static let search = 700
    static let pass = 2_000
    static let shrink = 4_000
}

@Suite("The kernels")
struct KernelTests {
    @Test("are at least thirty, with unique names")
    func many() {
        #expect(Kernel.all.count >= 30)
        #expect(Set(Kernel.all.map(\.name)).count == Kernel.all.count)
    }

    @Test("are found by the portfolio, and shrink to a minimum that fails again", arguments: Kernel.all)
    func found(_ kernel: Kernel) async throws {
        let seed: UInt64 = 1
        let result = try await withExplorationRunner(kernel.settings, body: kernel.body(.broken)) { runner in
            let exploration = try runner.explore(
                ExplorationOptions(
                    iterations: KernelLimits.find,
                    seed: seed,
                    strategy: .portfolio,
                    settings: kernel.settings
                )
            )
            guard let failure = exploration.failure else { return KernelFinding?.none }
            let shrinker = Shrinker(
                dependency: .unisolated(kernel.settings.mailbox),
                budget: KernelLimits.shrink
            )
            let trial = Trial(steps: failure.steps, failure: failure.verdict.kind)
            let shrunk = shrinker.shrink(trial) { strategy, _ in
                var strategy = strategy
                strategy.begin(seed: failure.seed, length: failure.steps.count)
                let verdict = runner.run(seed: failure.seed, strategy: &strategy)
                return Trial(steps: runner.steps, failure: verdict.isFailure ? verdict.kind : nil)
            }
            let again = runner.run(seed: failure.seed, schedule: shrunk.schedule)
            return KernelFinding(failure: failure, shrunk: shrunk, again: again)
        }
        let finding = try #require(result, "not found in \(KernelLimits.find) schedules")
        #expect(finding.failure.verdict.kind == kernel.verdict, "\(finding.failure.verdict)")
        // It is enough to hold one thing back.
        #expect(finding.shrunk.schedule.deviations.count == 1, "\(finding.shrunk.schedule)")
        #expect(finding.shrunk.isMinimal)
        #expect(finding.shrunk.confirmation == .confirmed)
        #expect(finding.again.verdict.kind == kernel.verdict, "\(finding.again.verdict)")
        #expect(finding.again.steps == finding.shrunk.steps)
    }

    @Test("pass when they are corrected", arguments: Kernel.all)
    func fixed(_ kernel: Kernel) async throws {
        let proof = try await KernelProof(of: kernel, search: KernelLimits.search, runs: KernelLimits.pass)
        let failure = proof.failure.map { "\($0.verdict) with \(ReplayCode(seed: $0.seed, schedule: $0.schedule))" }
        #expect(failure == nil)
    }

    @Test(
        "are found where jobs are stopped, too, and pass when they are corrected",
        arguments: Kernel.all,
        [SimulationSettings.Granularity.stops, .locks]
    )
    func stopped(_ kernel: Kernel, _ granularity: SimulationSettings.Granularity) async throws {
        var settings = kernel.settings
        settings.granularity = granularity
        let broken = try await explore(
            ExplorationOptions(iterations: KernelLimits.find, seed: 1, strategy: .portfolio, settings: settings),
            body: kernel.body(.broken)
        )
        #expect(broken.failure?.verdict.kind == kernel.verdict)
        let fixed = try await explore(
            ExplorationOptions(iterations: KernelLimits.pass, seed: 1, strategy: .portfolio, settings: settings),
            body: kernel.body(.fixed)
        )
        let failure = fixed.failure.map { "\($0.verdict) with \($0.code)" }
        #expect(failure == nil)
    }

    @Test(
        "cannot fail with mailboxes that keep order if they are marked so",
        arguments: Kernel.all.filter { $0.settings.mailbox != .fifo }
    )
    func mailboxes(_ kernel: Kernel) async throws {
        var settings = kernel.settings
        settings.mailbox = .fifo
        let search = try await explore(
            ExplorationOptions(
                iterations: KernelLimits.pass,
                seed: 1,
                strategy: .exhaustiveAll,
                settings: settings
            ),
            body: kernel.body(.broken)
        )
        #expect(search.failure == nil)
        #expect(search.isComplete)
    }
}

/// A kernel's failure, made small and repeated.
private struct KernelFinding: Sendable {
    let failure: ExploredRun
    let shrunk: ShrunkFailure
    let again: ExploredRun
}
