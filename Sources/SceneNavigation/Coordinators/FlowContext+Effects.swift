internal import SceneRouting

// The effects that a manifest declares, as commands.
extension FlowContext {
    /// The commands of a declared intent, or `nil` if the declaration does not fit this screen or these parameters.
    ///
    /// - Parameter flow: The flow that declares the intent; `nil` for the app.
    func commands(
        of declaration: IntentDeclaration,
        for intent: Intent,
        flow: String?,
        from screen: Destination
    ) -> [FlowCommand]? {
        guard declaration.screens.isEmpty || declaration.screens.contains(screen.id) else { return nil }
        return commands(of: declaration, for: intent, flow: flow)
    }

    private func commands(
        of declaration: IntentDeclaration,
        for intent: Intent,
        flow: String?
    ) -> [FlowCommand]? {
        guard let parameters = try? engine.parameters(intent.parameters, ofIntent: intent.name, flow: flow) else {
            return nil
        }
        return commands(of: declaration.effects, parameters: parameters, facts: session.facts)
    }

    /// The commands of an intent of the app that no screen reports; `nil` if it has none of this name that any screen may
    /// report, or its declaration does not fit these parameters.
    package func commands(ofAppIntent intent: Intent) -> [FlowCommand]? {
        guard let declaration = engine.intent(intent.name), declaration.screens.isEmpty else { return nil }
        return commands(of: declaration, for: intent, flow: nil)
    }

    /// The commands for effects. Each sees the facts that those before it set.
    func commands(
        of effects: [IntentEffect],
        parameters: [String: String] = [:],
        facts: [String: FactValue]
    ) -> [FlowCommand] {
        var facts = facts
        return effects.compactMap { effect in
            let command = command(of: effect, parameters: parameters, facts: facts)
            if case .session(.set(let fact, let value))? = command { facts[fact] = value }
            return command
        }
    }

    /// The command for an effect, or `nil` if a value that it needs is missing.
    private func command(
        of effect: IntentEffect,
        parameters: [String: String],
        facts: [String: FactValue]
    ) -> FlowCommand? {
        switch effect {
        case .route(let destination, let sources):
            var values: [String: String] = [:]
            for (name, source) in sources {
                values[name] = value(source, parameters, facts).map(\.text)
            }
            guard sources.count == values.count || engine.isComplete(values, for: destination) else { return nil }
            return .route(Destination(id: destination, parameters: values))
        case .set(let fact, let source): return value(source, parameters, facts).map { .session(.set(fact: fact, $0)) }
        case .append(let fact, let source):
            return value(source, parameters, facts).map { .session(.append(fact: fact, $0.text)) }
        case .reset(let fact): return .session(.reset(fact: fact))
        case .signOut: return .session(.signOut)
        case .markStale: return .session(.markStale)
        case .push(let screen): return .push(Destination(id: screen))
        case .replace(let screen): return .replace(Destination(id: screen))
        case .back: return .pop()
        case .complete(let user): return .finish(.completed(FlowCompletion(user: user.flatMap { parameters[$0] })))
        case .cancel: return .finish(.cancelled)
        }
    }

    private func value(
        _ source: ValueSource,
        _ parameters: [String: String],
        _ facts: [String: FactValue]
    ) -> FactValue? {
        switch source {
        case .literal(let value): value
        case .parameter(let name): parameters[name].map(FactValue.string)
        case .fact(let name): facts[name] ?? engine.fact(name)?.defaultValue
        }
    }
}

extension FactValue {
    /// The value as the text of a destination's parameter.
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .boolean(let boolean): String(boolean)
        case .strings(let list): list.joined(separator: ",")
        }
    }
}
