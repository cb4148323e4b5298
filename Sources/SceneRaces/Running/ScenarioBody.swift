package import Interleaving
internal import Basics
package import SceneEntryPoints
internal import SceneModel
package import SceneRouting
package import SceneRuntime

/// A scenario as a body to explore: each run creates a host with the simulation's clock and executors.
package struct ScenarioBody: Sendable {
    /// The scenario that each run plays.
    package let scenario: Scenario
    private let app: LoadedApp
    private let code: @Sendable () -> AppCode
    /// Every version of the app that is in force at some time; none if records cannot tell them apart.
    private let models: [AppModel]
    private let secrets: ShownSecrets
    private let last = Last()

    /// The latest run.
    private final class Last: Sendable {
        /// Its failure: the simulation passes on only its text.
        let failure = Guarded<RaceFailure?>(nil)
        /// Its history, if it passed.
        let history = Guarded<[Record]>([])
        /// Its end; `nil` if it did not come to one.
        let end = Guarded<EndOfRun?>(nil)
        let run = Guarded(Run())

        struct Run {
            var number = 0
            var isUnderWay = false
            /// Not the host: whoever looks at it may be the last to let it go, on a thread outside of the simulation.
            weak var records: RecordLog?
        }
    }

    /// - Parameters:
    ///   - code: What the app has in Swift besides its adapters. It is asked for once for each run, so that no run finds what another left.
    ///   - adapters: Adapters in Swift, in addition to those that the manifest declares.
    /// - Throws: What is wrong with the app's manifest, also after a step `reload`, or does not fit its code; never for a scenario that
    ///   was read, if there is no code.
    package init(
        _ scenario: Scenario,
        code: @escaping @Sendable () -> AppCode = { AppCode() },
        adapters: [any EntryPointAdapter] = []
    ) throws(ManifestProblems) {
        self.scenario = scenario
        self.code = code
        let first = code()
        do throws(ManifestProblems) {
            app = try LoadedApp(manifest: scenario.app, adapters: adapters, code: first)
        } catch {
            throw error.inFile(scenario.appSource)
        }
        var manifests: Set = [scenario.app]
        var versions = [app]
        for step in scenario.steps {
            guard case .reload(let manifest) = step.action, manifests.insert(manifest).inserted else { continue }
            do throws(ManifestProblems) {
                versions.append(try LoadedApp(manifest: manifest, adapters: adapters, code: first))
            } catch {
                throw ManifestProblems(
                    error.problems.map { problem in
                        ManifestProblem(
                            key: step.key,
                            message: "the app would be wrong: \(problem)",
                            line: step.line,
                            column: step.column
                        )
                    }
                )
            }
        }
        models = manifests.map { AppModel($0) }
        secrets = ShownSecrets(versions)
    }

    /// Why the latest run failed; `nil` if it passed, or if only the simulation found it wrong.
    package var failure: RaceFailure? { last.failure.withLock { $0 } }

    /// The history of the latest run, one record each, as JSON; none if it failed.
    package var history: [String] { last.history.withLock { $0 }.map(\.line) }

    /// The end of the latest run; `nil` if it did not come to one.
    package var end: EndOfRun? { last.end.withLock { $0 } }

    /// How far the runs of this process have come. Any thread may ask.
    package var progress: RaceProgress {
        let (number, log) = last.run.withLock { ($0.isUnderWay ? $0.number : 0, $0.records) }
        let records = log.map { $0.read(after: $0.newestIndex - 1).records } ?? []
        return RaceProgress(run: number, record: records.last?.index ?? 0, doing: records.last.map(RaceProgress.words))
    }

    /// Runs the scenario once.
    /// - Throws: ``RaceFailure``.
    package func run(_ generator: SplitMix) async throws {
        last.failure.withLock { $0 = nil }
        last.end.withLock { $0 = nil }
        last.history.withLock { $0 = [] }
        let random = Guarded(generator)
        let times = DrawnTimes(scenario).times(of: generator)
        let session = SimulatedExecutor(name: "session")
        let windows = scenario.windows.map(\.id)
        let run = ScenarioRun(
            scenario,
            app: app,
            models: models,
            secrets: secrets,
            code: code(),
            clock: scenario.start.map { DatedClock(start: $0) } ?? SystemClock(),
            executors: HostExecutors(
                session: session,
                scene: { number in
                    // Windows that steps open come later, in an order that depends on the run.
                    SimulatedExecutor(
                        name: number < windows.count ? "window \(windows[number])" : "window \(number + 1)"
                    )
                }
            ),
            isProof: times != nil
        ) { step, range in
            times?[step.name] ?? random.withLock { Int.random(in: range, using: &$0) }
        }
        last.run.withLock { last in
            last.number += 1
            last.isUnderWay = true
            last.records = run.host.records
        }
        defer { last.run.withLock { $0.isUnderWay = false } }
        try await run.prepare()
        do {
            let (history, end) = try await run.race()
            last.history.withLock { $0 = history }
            last.end.withLock { $0 = end }
        } catch let failure as RaceFailure {
            last.failure.withLock { $0 = failure }
            last.end.withLock { $0 = failure.end }
            throw failure
        }
    }
}
