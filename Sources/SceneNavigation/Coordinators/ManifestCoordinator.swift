public import SceneRouting

/// The coordinator of a flow for which the app has none of its own: it follows what the manifest declares.
///
/// It reads the manifest anew each time, so that a reload reaches flows that are on screen.
public final class ManifestCoordinator: FlowCoordinator {
    private let flow: String

    /// The coordinator of the flow, or of the tab, of this name. A tab has no intents of its own.
    public init(flow: String) {
        self.flow = flow
    }

    /// The screen whose predicate holds first, else the first that the manifest declares, with the parameters that it declares
    /// of what it is started with.
    public func start(context: FlowContext) -> [Destination] {
        let (engine, session) = (context.engine, context.session)
        guard let flow = engine.flow(flow) else { return [] }
        guard let screen = engine.startingScreen(of: flow, context: session) else { return [] }
        return [engine.start(screen, of: flow.name, with: context.parameters, context: session)]
    }

    /// The effects of the flow's intent of this name; `nil` if the flow declares none that fits.
    /// - Throws: A ``/SceneRouting/RouteError`` for a screen that does not allow a value that it would be given.
    public func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        guard let declaration = context.engine.flow(flow)?.intents.first(where: { $0.name == intent.name }) else {
            return nil
        }
        return try context.commands(of: declaration, for: intent, flow: flow, from: screen)
    }

    /// The effects of the flow's completion; nothing if the flow was cancelled.
    public func finished(_ result: FlowResult, context: FlowContext) -> [FlowCommand] {
        guard case .completed(let completion) = result, let flow = context.engine.flow(flow) else { return [] }
        let facts = context.session.facts.merging(completion.facts) { $1 }
        // A completion shows no screen of the flow that could be given something wrong.
        return (try? context.commands(of: flow.completion, facts: facts)) ?? []
    }

    /// The effects that the flow declares for the end of a flow that it has started; nothing for one that a gate has presented.
    /// - Throws: A ``/SceneRouting/RouteError`` for a screen that does not allow a value that it would be given.
    public func childFinished(_ child: String, _ result: FlowResult, context: FlowContext) throws -> [FlowCommand] {
        let engine = context.engine
        guard context.hasStarted, let sequel = engine.flow(flow)?.after.first(where: { $0.flow == child }) else {
            return []
        }
        let facts = context.session.facts
        switch result {
        case .cancelled: return try context.commands(of: sequel.cancelled, flow: flow, facts: facts)
        case .completed(let completion):
            let values = engine.results(completion.values, of: child)
            return try context.commands(of: sequel.completed, flow: flow, parameters: values, facts: facts)
        }
    }
}

/// The coordinator of a scene's root for which the app has none of its own: it takes the intents that the manifest declares
/// for the whole app.
public final class RootCoordinator: FlowCoordinator {
    /// A root that follows the manifest in force.
    public init() {}

    /// The effects of the app's intent of this name; `nil` if the app declares none that fits.
    public func handle(_ intent: Intent, from screen: Destination, context: FlowContext) throws -> [FlowCommand]? {
        guard let declaration = context.engine.intent(intent.name) else { return nil }
        return try context.commands(of: declaration, for: intent, flow: nil, from: screen)
    }
}
