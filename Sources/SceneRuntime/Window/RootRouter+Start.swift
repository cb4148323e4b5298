internal import SceneNavigation
internal import SceneRouting
package import SceneVocabulary

// How flows start.
extension RootRouter {
    /// The screens that a flow starts with: those that its coordinator chooses, up to the first that cannot be shown; if
    /// none can, the first that the manifest declares.
    /// - Parameters:
    ///   - asRoot: Whether the flow is shown instead of tabs rather than presented.
    ///   - waiting: What waits for the flow, if anything does.
    package func screens(
        startOf flow: String,
        asRoot: Bool,
        at snapshot: SessionSnapshot,
        for waiting: Destination? = nil
    ) -> [Destination] {
        let engine = context.app.current.engine
        let session = context.routing(snapshot)
        let coordinator = coordinators.coordinator(of: flow, startedFrom: asRoot ? nil : window.state)
        let chosen = coordinator.start(
            context: FlowContext(
                session: session,
                screens: place(of: flow)?.screens ?? [],
                engine: engine,
                waiting: waiting
            )
        )
        let declared = engine.flow(flow)?.screens.map(\.id) ?? []
        var screens: [Destination] = []
        for screen in chosen {
            guard engine.verdict(for: screen, context: session) == .allowed,
                !screens.isEmpty || declared.contains(screen.id),
                screens.last?.id != screen.id || engine.traits.repeats(screen.id),
                screens.count < engine.manifest.policies.maximumStackDepth
            else { break }
            screens.append(screen)
        }
        if !screens.isEmpty { return screens }
        return declared.prefix(1).map { engine.start($0, of: flow, for: waiting, context: session) }
    }
}
