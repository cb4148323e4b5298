internal import Basics
internal import SceneRouting

// The effects that a manifest declares, as commands.
extension FlowContext {
    /// The commands of a declared intent, or `nil` if the declaration does not fit this screen or these parameters.
    ///
    /// - Parameter flow: The flow that declares the intent; `nil` for the app.
    /// - Throws: A ``RouteError`` for a screen that does not allow a value that it would be given.
    func commands(
        of declaration: IntentDeclaration,
        for intent: Intent,
        flow: String?,
        from screen: Destination
    ) throws -> [FlowCommand]? {
        guard declaration.screens.isEmpty || declaration.screens.contains(screen.id) else { return nil }
        return try commands(of: declaration, for: intent, flow: flow)
    }

    private func commands(
        of declaration: IntentDeclaration,
        for intent: Intent,
        flow: String?
    ) throws -> [FlowCommand]? {
        guard let parameters = try? engine.parameters(intent.parameters, ofIntent: intent.name, flow: flow) else {
            return nil
        }
        return try commands(of: declaration.effects, flow: flow, parameters: parameters, facts: session.facts)
    }

    /// The commands of an intent of the app that no screen reports; `nil` if it has none of this name that any screen may
    /// report, or its declaration does not fit these parameters.
    package func commands(ofAppIntent intent: Intent) -> [FlowCommand]? {
        guard let declaration = engine.intent(intent.name), declaration.screens.isEmpty else { return nil }
        return try? commands(of: declaration, for: intent, flow: nil)
    }

    /// The commands for effects. Each sees the session as those before it leave it.
    func commands(
        of effects: [IntentEffect],
        flow: String? = nil,
        parameters: [String: String] = [:],
        facts: [String: FactValue]
    ) throws -> [FlowCommand] {
        var foreseen = session
        foreseen.facts = facts
        return try effects.compactMap { effect in
            let command = try command(of: effect, flow: flow, parameters: parameters, foreseen)
            if case .session(let change)? = command { foreseen.foresee(change, engine) }
            return command
        }
    }

    /// The command for an effect, or `nil` if its condition does not hold or a value that it needs is missing.
    private func command(
        of effect: IntentEffect,
        flow: String?,
        parameters: [String: String],
        _ session: RoutingContext
    ) throws -> FlowCommand? {
        func value(_ source: ValueSource) -> FactValue? {
            switch source {
            case .literal(let value): value
            case .parameter(let name): parameters[name].map(FactValue.string)
            case .fact(let name): session.facts[name] ?? engine.fact(name)?.defaultValue
            }
        }
        func texts(_ sources: [String: ValueSource]) -> [String: String] {
            sources.compactMapValues { value($0)?.parameterText }
        }
        func started(_ child: String, _ sources: [String: ValueSource]) throws -> [String: String] {
            let values = texts(sources)
            try engine.checkStart(of: child, with: values, context: session)
            return values
        }
        func completed(_ user: String?, _ sources: [String: ValueSource]) throws -> FlowCompletion? {
            let values = texts(sources)
            guard let flow else { return FlowCompletion(user: user.flatMap { parameters[$0] }) }
            guard sources.count == values.count || engine.isComplete(values, forResultOf: flow) else { return nil }
            return FlowCompletion(
                user: user.flatMap { parameters[$0] },
                values: try engine.checkedResult(values, of: flow)
            )
        }
        func shown(_ screen: String, _ sources: [String: ValueSource]) throws -> Destination? {
            let values = texts(sources)
            guard sources.count == values.count || engine.isComplete(values, forScreen: screen, of: flow) else {
                return nil
            }
            return try engine.screen(screen, of: flow, values, context: session)
        }
        func place(_ destination: String, _ sources: [String: ValueSource]) -> Destination? {
            let values = texts(sources)
            guard sources.count == values.count || engine.isComplete(values, for: destination) else { return nil }
            return Destination(id: destination, parameters: values)
        }
        switch effect {
        case .when(let condition, let effect):
            guard engine.holds(condition, parameters: parameters, context: session) else { return nil }
            return try command(of: effect, flow: flow, parameters: parameters, session)
        case .route(let destination, let sources): return place(destination, sources).map { .route($0) }
        case .openWindow(let destination, let sources, let configuration):
            return place(destination, sources).map { .openWindow($0, configuration: configuration) }
        case .closeWindow: return .closeWindow
        case .closeWindows(let destination, let sources):
            return place(destination, sources).map { .closeWindows(for: $0) }
        case .refreshWindow: return .refreshWindow
        case .refreshWindows(let destination, let sources):
            return place(destination, sources).map { .refreshWindows(for: $0) }
        case .set(let fact, let source): return value(source).map { .session(.set(fact: fact, $0)) }
        case .append(let fact, let source): return value(source).map { .session(.append(fact: fact, $0.parameterText)) }
        case .remove(let fact, let source): return value(source).map { .session(.remove(fact: fact, $0.parameterText)) }
        case .add(let fact, let source):
            return value(source)?.integer.map { .session(.add(fact: fact, $0)) }
        case .reset(let fact): return .session(.reset(fact: fact))
        case .signOut: return .session(.signOut)
        case .markStale: return .session(.markStale)
        case .push(let screen, let sources, let animated):
            return try shown(screen, sources).map { .push($0, animated: animated) }
        case .replace(let screen, let sources, let animated):
            return try shown(screen, sources).map { .replace($0, animated: animated) }
        case .pop(let count, let animated): return .pop(count, animated: animated)
        case .popTo(let screen, let animated): return .popTo(screen: screen, animated: animated)
        case .popToRoot(let animated): return .popToRoot(animated: animated)
        case .start(let child, let sources, let animated):
            return .start(flow: child, parameters: try started(child, sources), animated: animated)
        case .complete(let user, let sources):
            return try completed(user, sources).map { .finish(.completed($0)) }
        case .cancel: return .finish(.cancelled)
        case .answer(let sources): return .answer(sources.compactMapValues(value))
        }
    }
}

extension RoutingContext {
    /// Makes a change as the commit will make it, so that later effects see it. What the commit will refuse stays as it is: then
    /// nothing is done at all.
    fileprivate mutating func foresee(_ change: SessionChange, _ engine: RoutingEngine) {
        func now(_ fact: String) -> FactValue? { facts[fact] ?? engine.fact(fact)?.defaultValue }
        switch change {
        case .set(let fact, let value): facts[fact] = value.read(as: engine.fact(fact)?.type)
        case .append(let fact, let element):
            guard case .strings(let list)? = now(fact) else {
                facts[fact] = .strings([element])
                return
            }
            if !list.contains(where: { $0.hasSameBytes(as: element) }) { facts[fact] = .strings(list + [element]) }
        case .remove(let fact, let element):
            guard case .strings(let list)? = now(fact) else { return }
            facts[fact] = .strings(list.filter { !$0.hasSameBytes(as: element) })
        case .add(let fact, let amount):
            switch (engine.fact(fact)?.type, now(fact)) {
            case (.number, .number(let number)?): facts[fact] = .number(number + Double(amount))
            case (.number, let value): facts[fact] = .number(Double(value?.integer ?? 0) + Double(amount))
            case (_, let value):
                let (sum, isTooLarge) = (value?.integer ?? 0).addingReportingOverflow(amount)
                if !isTooLarge { facts[fact] = .integer(sum) }
            }
        case .reset(let fact): facts[fact] = engine.fact(fact)?.defaultValue
        case .signIn(let next):
            if user != nil, user != next { leave(engine) }
            (user, isStale) = (next, false)
        case .signOut:
            if user != nil { leave(engine) }
            (user, isStale) = (nil, false)
        case .markStale: isStale = user != nil
        }
    }

    private mutating func leave(_ engine: RoutingEngine) {
        for fact in engine.manifest.facts where fact.scope == .user { facts[fact.name] = fact.defaultValue }
    }
}

extension FactValue {
    /// The integer that it is, or that its text says.
    fileprivate var integer: Int? {
        switch self {
        case .integer(let integer): integer
        case .string(let text): Int(text)
        case .number, .boolean, .strings: nil
        }
    }

    /// The value as a fact of this type has it; a text is read as that type.
    fileprivate func read(as type: FactDeclaration.FactType?) -> FactValue {
        switch (type, self) {
        case (.integer, .string(let text)): Int(text).map(FactValue.integer) ?? self
        case (.number, .string(let text)): Double(text).map(FactValue.number) ?? self
        case (.number, .integer(let integer)): .number(Double(integer))
        case (.date, .string(let text)): Instant.canonical(text).map(FactValue.string) ?? self
        case (.boolean, .string("true")): .boolean(true)
        case (.boolean, .string("false")): .boolean(false)
        default: self
        }
    }
}
