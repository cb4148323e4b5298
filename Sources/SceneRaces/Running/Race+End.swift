internal import Interleaving

extension Race {
    /// What the windows that the scenario begins with show when all have acted, in one order, as `expect` writes it; `nil` if
    /// something goes wrong in it. In another order they may show something else: expect it, and search.
    /// - Throws: `ExplorationError` if this process cannot be explored.
    package func end() async throws -> [(scene: String, shown: String)]? {
        let one = ExplorationOptions(iterations: 1, seed: 1, settings: settings(), determinismChecks: 0)
        guard try await explore(one, body: body.run).failure == nil, let windows = body.end?.windows else { return nil }
        let began = Set(scenario.windows.map(\.id))
        return windows.filter { began.contains($0.scene) }
    }
}
