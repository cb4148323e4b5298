package import Interleaving
internal import Basics
package import SceneEntryPoints
internal import SceneModel
package import SceneRouting
internal import SceneRuntime

/// A scenario as a body to explore: each run creates a host with the simulation's clock and executors.
package struct ScenarioBody: Sendable {
    /// The scenario that each run plays.
    package let scenario: Scenario
    private let app: LoadedApp
    /// Every version of the app that is in force at some time; none if records cannot tell them apart.
    private let models: [AppModel]
    private let secrets: ShownSecrets
    private let last = Last()

    /// The failure of the latest run: the simulation passes on only its text.
    private final class Last: Sendable {
        let failure = Guarded<RaceFailure?>(nil)
    }

    /// - Parameter adapters: Adapters in Swift, in addition to those that the manifest declares.
    /// - Throws: What is wrong with the app's manifest; never for a scenario that was read.
    package init(_ scenario: Scenario, adapters: [any EntryPointAdapter] = []) throws(ManifestProblems) {
        self.scenario = scenario
        app = try LoadedApp(manifest: scenario.app, adapters: adapters)
        let reloaded = scenario.steps.compactMap { if case .reload(let app) = $0.action { app } else { nil } }
        models = Set([scenario.app] + reloaded).map { AppModel($0) }
        var versions = [app]
        for manifest in reloaded where manifest.hasSecrets {
            versions.append(try LoadedApp(manifest: manifest, adapters: []))
        }
        secrets = ShownSecrets(versions)
    }

    /// Why the latest run failed; `nil` if it passed, or if only the simulation found it wrong.
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
            models: models,
            secrets: secrets,
            clock: scenario.start.map { DatedClock(start: $0) } ?? SystemClock(),
            executors: HostExecutors(
                session: session,
                scene: { number in
                    // Windows that steps open come later, in an order that depends on the run.
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
