internal import SceneNavigation
internal import SceneRouting
package import SceneVocabulary

// How flows start.
extension RootRouter {
    /// The screens that a flow starts with: those that its coordinator chooses, up to the first that cannot be shown; if
    /// none can, the first that the manifest declares.
    /// - Parameters:
    ///   - asRoot: Whether the flow is shown instead of tabs rather than presented.
    ///   - afresh: Whether a new coordinator chooses, also if the flow has one.
    ///   - waiting: What waits for the flow, if anything does.
    ///   - parameters: What another flow starts it with; `nil` if none does.
    package func screens(
        startOf flow: String,
        asRoot: Bool,
        afresh: Bool = false,
        at snapshot: SessionSnapshot,
        for waiting: Destination? = nil,
        with parameters: [String: String]? = nil
    ) -> [Destination] {
        let engine = context.app.current.engine
        let session = context.routing(snapshot)
        let coordinator = coordinators.coordinator(
            of: flow,
            startedFrom: asRoot ? nil : window.state,
            afresh: afresh
        )
        let chosen = coordinator.start(
            context: FlowContext(
                session: session,
                screens: place(of: flow)?.screens ?? [],
                engine: engine,
                waiting: waiting,
                parameters: parameters
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
            screens.append(engine.shown(screen, context: session))
        }
        if !screens.isEmpty { return screens }
        let handed = parameters ?? waiting?.parameters ?? [:]
        return declared.prefix(1).map { engine.start($0, of: flow, with: handed, context: session) }
    }

    /// The modal with which a flow starts another over it.
    ///
    /// Only what is in front can present, as in UIKit, and a flow is on screen at most once.
    /// - Throws: Why it cannot be started, as the outcome of the event.
    func start(
        _ child: String,
        with parameters: [String: String],
        by flow: String,
        at newest: SessionSnapshot
    ) throws(Refusal) -> ModalState {
        let engine = context.app.current.engine
        guard place(of: flow) != nil, let declaration = engine.flow(child) else { throw Refusal("noSuchFlow") }
        if place(of: child) != nil { throw Refusal("flowShown") }
        guard responders.first?.flow == flow else { throw Refusal("alreadyPresenting") }
        let screens = screens(startOf: child, asRoot: false, at: newest, with: parameters)
        guard let first = screens.first else { throw Refusal("noSuchFlow") }
        // What a coordinator in Swift makes of the parameters is its own business.
        if coordinators.coordinator(of: child, startedFrom: state) is ManifestCoordinator {
            do {
                try engine.checkStart(with: first.id, of: declaration, with: parameters)
            } catch {
                throw Refusal("intentFailed")
            }
        }
        return ModalState(flow: child, style: declaration.style, stack: screens)
    }

    /// Why something cannot be shown, as the reason of the outcome `rejected`.
    struct Refusal: Error {
        let reason: String

        fileprivate init(_ reason: String) { self.reason = reason }
    }

    /// The flow that has started another that is on screen; `nil` for one that a gate, a route or a restoration has shown.
    func starter(of flow: String) -> String? { startedFlows[flow] }

    /// Notes that a flow which begins to show is started by another.
    func note(_ child: String, startedBy flow: String) { startedFlows[child] = flow }

    /// Forgets who started the flows that the window no longer shows.
    func forgetStarted() {
        guard !startedFlows.isEmpty else { return }
        let window = state
        startedFlows = startedFlows.filter { started in window.modals.contains { $0.flow == started.key } }
    }
}
