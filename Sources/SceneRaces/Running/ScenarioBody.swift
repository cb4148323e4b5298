package import Interleaving
internal import Locking
package import SceneEntryPoints
package import SceneRouting
internal import SceneRuntime

/// A scenario as something that can be explored: each run is a host of its own, in the simulation's time and on its executors.
package struct ScenarioBody: Sendable {
    package let scenario: Scenario
    private let app: LoadedApp
    private let last = Last()

    /// What the latest run left behind, for who is told only that it failed.
    private final class Last: Sendable {
        let failure = Guarded<RaceFailure?>(nil)
    }

    /// - Parameter adapters: Adapters in Swift, besides those that the manifest declares.
    /// - Throws: What is wrong with the app's manifest, which reading the scenario has ruled out.
    package init(_ scenario: Scenario, adapters: [any EntryPointAdapter] = []) throws(ManifestProblems) {
        self.scenario = scenario
        app = try LoadedApp(manifest: scenario.app, adapters: adapters)
    }

    /// Why the latest run failed; `nil` when it passed, or failed by the simulation's own judgement.
    package var failure: RaceFailure? { last.failure.withLock { $0 } }

    /// Runs the scenario once.
    /// - Throws: ``RaceFailure``.
    package func run(_ generator: SplitMix) async throws {
        last.failure.withLock { $0 = nil }
        let random = Guarded(generator)
        let session = SimulatedExecutor(name: "session")
        let windows = scenario.windows.map(\.id)
        let run = ScenarioRun(
            scenario,
            app: app,
            clock: SystemClock(),
            executors: HostExecutors(
                session: session,
                scene: { number in
                    // Those that a step opens come after; which is which, the order decides.
                    SimulatedExecutor(
                        name: number < windows.count ? "window \(windows[number])" : "window \(number + 1)"
                    )
                }
            )
        ) { range in
            random.withLock { Int.random(in: range, using: &$0) }
        }
        try await run.prepare()
        do {
            try await run.race()
        } catch let failure as RaceFailure {
            last.failure.withLock { $0 = failure }
            throw failure
        }
    }
}
