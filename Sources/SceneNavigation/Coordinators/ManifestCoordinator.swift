public import SceneRouting

/// The generic coordinator: follows what the manifest declares of its flow.
///
/// It reads the manifest anew at every question, so that a reload reaches flows that are on screen.
public final class ManifestCoordinator: FlowCoordinator {
    private let flow: String

    /// The coordinator of the flow of this name, or of a tab, which has no intents of its own.
    public init(flow: String) {
        self.flow = flow
    }

    public func start(context: FlowContext) -> [Destination] {
        context.engine.flow(flow)?.screens.first.map { [Destination(id: $0.id)] } ?? []
    }

    public func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        guard let declaration = context.engine.flow(flow)?.intents.first(where: { $0.name == intent.name }) else {
            return nil
        }
        return context.commands(of: declaration, for: intent, flow: flow, from: screen)
    }

    public func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand] {
        guard case .completed(let completion) = result, let flow = context.engine.flow(flow) else { return [] }
        let facts = context.session.facts.merging(completion.facts) { $1 }
        return flow.completion.compactMap { context.command(of: $0, parameters: [:], facts: facts) }
    }
}

/// A scene's generic root: takes the intents that the app declares for every screen.
///
/// It knows which destination an intent means and nothing of screens; the destination's flow is the manifest's to name.
public final class RootCoordinator: FlowCoordinator {
    /// A root.
    public init() {}

    public func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        guard let declaration = context.engine.intent(intent.name) else { return nil }
        return context.commands(of: declaration, for: intent, flow: nil, from: screen)
    }
}
