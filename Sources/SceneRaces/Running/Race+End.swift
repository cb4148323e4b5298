internal import Basics
internal import Interleaving
internal import SceneRuntime

extension Race {
    /// What the windows that the scenario begins with show when all have acted, in one order, as `expect` writes it; `nil` if
    /// something goes wrong in it. In another order they may show something else: expect it, and search.
    /// - Throws: `ExplorationError` if this process cannot be explored.
    package func end() async throws -> [(scene: String, shown: String)]? {
        let shown = Guarded<[(scene: String, shown: String)]>([])
        let one = ExplorationOptions(iterations: 1, seed: 1, settings: settings, determinismChecks: 0)
        let exploration = try await explore(one) { generator in
            try await body.run(generator) { run in
                shown.withLock { shown in
                    shown = scenario.windows.map { ($0.id, run.shown(in: $0.id)) }
                }
            }
        }
        return exploration.failure == nil ? shown.withLock { $0 } : nil
    }
}

extension ScenarioRun {
    /// What is in front in a window, with a placeholder for each secret.
    fileprivate func shown(in scene: String) -> String {
        "\(secrets.concealed(WrittenWindow(try? host.scene(scene))).front)"
    }
}
