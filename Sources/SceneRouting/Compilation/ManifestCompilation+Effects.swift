/// Whose effects are checked, and what they may name.
struct EffectScope {
    /// The intent; `nil` for a completion.
    let intent: IntentDeclaration?
    /// The intent's parameters.
    let parameters: NameList
    /// The intent's flow; `nil` for the app's intents and for a completion.
    let flow: FlowDeclaration?
    /// The screens of the flow.
    let screens: NameList

    /// That of an intent.
    init(_ intent: IntentDeclaration, _ flow: FlowDeclaration?, _ screens: NameList) {
        self.intent = intent
        parameters = NameList(intent.parameters.map(\.name))
        self.flow = flow
        self.screens = screens
    }

    /// That of a completion, which has no parameters.
    init() {
        intent = nil
        parameters = NameList([])
        flow = nil
        screens = NameList([])
    }
}

/// Checks the effects of intents and completions.
extension ManifestCompilation {
    mutating func check(_ effect: IntentEffect, at key: String, _ scope: EffectScope) {
        switch effect {
        case .when(let condition, let effect):
            check(condition, at: "\(key).when", parameters: scope.intent.map { .ofIntent($0.name, scope.parameters) })
            check(effect, at: key, scope)
        case .route(let destination, let parameters): checkRoute(to: destination, parameters, at: key, scope)
        case .set(let fact, let source):
            checkFact(fact, at: "\(key).set")
            check(source, at: "\(key).value", scope)
        case .append(let fact, let source):
            checkFact(fact, isOneOf: [.strings], at: "\(key).append")
            check(source, at: "\(key).value", scope)
        case .remove(let fact, let source):
            checkFact(fact, isOneOf: [.strings], at: "\(key).remove")
            check(source, at: "\(key).value", scope)
        case .add(let fact, let source):
            checkFact(fact, isOneOf: [.integer, .number], at: "\(key).add")
            if check(source, at: "\(key).value", scope) { checkIsInteger(source, at: "\(key).value", scope) }
        case .reset(let fact): checkFact(fact, at: "\(key).reset")
        case .signOut, .markStale: break
        case .push(let screen, let parameters, _), .replace(let screen, let parameters, _):
            guard let flow = checkMoves(at: key, scope),
                check(screen, isOneOf: scope.screens, "screen of \(flow.name)", at: key)
            else { return }
            checkParameters(of: screen, of: flow, parameters, at: key, scope)
        case .popTo(let screen, _):
            guard let flow = checkMoves(at: key, scope) else { return }
            check(screen, isOneOf: scope.screens, "screen of \(flow.name)", at: key)
        case .pop(let count, _):
            guard checkMoves(at: key, scope) != nil else { return }
            let most = max(1, manifest.policies.maximumStackDepth - 1)
            guard !(1...most).contains(count) else { return }
            error(
                "\(key).pop",
                "a flow cannot go back by \(count) screens",
                expected: "1 to \(most), and fewer than the flow shows: its first screen stays"
            )
        case .popToRoot, .cancel: checkMoves(at: key, scope)
        case .complete(let user):
            guard scope.flow != nil else {
                error(key, "only an intent of a flow can complete it")
                return
            }
            guard let user, let intent = scope.intent else { return }
            check(user, isOneOf: scope.parameters, "parameter of \(intent.name)", at: "\(key).complete.user")
        }
    }

    /// The flow that is moved; reports what cannot be.
    @discardableResult
    private mutating func checkMoves(at key: String, _ scope: EffectScope) -> FlowDeclaration? {
        if let flow = scope.flow { return flow }
        error(key, "only an intent of a flow can move within the flow", expected: "'route' to a destination")
        return nil
    }

    /// Checks what a screen of a flow is given.
    private mutating func checkParameters(
        of screen: String,
        of flow: FlowDeclaration,
        _ given: [String: ValueSource],
        at key: String,
        _ scope: EffectScope
    ) {
        let own = flowScreens[flow.name]?[screen] ?? []
        if given.isEmpty, own.isEmpty { return }
        let declared = declaration(screen)?.parameters ?? own.map(\.declaration)
        // That there are too many has been said.
        guard declared.count <= Self.maximumParts else { return }
        let names = NameList(declared.map(\.name))
        for (name, source) in given.sorted(by: { $0.key < $1.key }) {
            let key = "\(key).parameters.\(name)"
            guard check(name, isOneOf: names, "parameter of \(screen)", at: key), check(source, at: key, scope),
                case .literal(.string(let text)) = source, let place = names.index[name], own.indices.contains(place),
                own[place].check.canonical(text.normalizedNFC) == nil
            else { continue }
            error(key, "'\(text)' is not allowed", expected: own[place].check.expectation)
        }
        // What a destination needs is said only of an effect that gives it something: without, it is refused when it is shown.
        for parameter in given.isEmpty ? own.map(\.declaration) : declared
        where parameter.isRequired && parameter.defaultValue == nil {
            guard given[parameter.name] == nil else { continue }
            error(
                key,
                "'\(screen)' needs the parameter '\(parameter.name)'",
                expected: "a value for it in 'parameters'"
            )
        }
    }

    private mutating func checkRoute(
        to destination: String,
        _ parameters: [String: ValueSource],
        at key: String,
        _ scope: EffectScope
    ) {
        guard check(destination, isOneOf: destinationNames, "destination", at: "\(key).route"),
            let declaration = declaration(destination), declaration.parameters.count <= Self.maximumParts
        else { return }
        let names = NameList(declaration.parameters.map(\.name))
        for (name, source) in parameters.sorted(by: { $0.key < $1.key }) {
            let key = "\(key).parameters.\(name)"
            check(name, isOneOf: names, "parameter of \(destination)", at: key)
            check(source, at: key, scope)
        }
        for parameter in declaration.parameters where parameter.isRequired && parameter.defaultValue == nil {
            guard parameters[parameter.name] == nil else { continue }
            error(
                "\(key).route",
                "'\(destination)' needs the parameter '\(parameter.name)'",
                expected: "a value for it"
            )
        }
    }

    /// Reports a fact that does not exist or has none of these types.
    private mutating func checkFact(_ fact: String, isOneOf types: [FactDeclaration.FactType], at key: String) {
        guard let type = checkFact(fact, at: key), !types.contains(type) else { return }
        let right = types.map(\.rawValue).joined(separator: " or ")
        error(key, "'\(fact)' is of type \(type.rawValue)", expected: "a fact of type \(right)")
    }

    /// Reports a source of something that does not exist; returns whether it exists.
    @discardableResult
    private mutating func check(_ source: ValueSource, at key: String, _ scope: EffectScope) -> Bool {
        switch source {
        case .literal: true
        case .parameter(let name):
            check(name, isOneOf: scope.parameters, "parameter of the intent", at: "\(key).parameter")
        case .fact(let name): checkFact(name, at: "\(key).fact") != nil
        }
    }

    /// Reports a source that exists and is no integer.
    private mutating func checkIsInteger(_ source: ValueSource, at key: String, _ scope: EffectScope) {
        switch source {
        case .literal(let value):
            if !value.isOf(.integer) { error(key, "only an integer can be added", expected: "such as 1 or -1") }
        case .parameter(let name):
            if let place = scope.parameters.index[name], case .integer? = scope.intent?.parameters[place].type {
                return
            }
            error(
                "\(key).parameter",
                "'\(name)' is not always an integer, and only an integer can be added",
                expected: "a parameter of type integer"
            )
        case .fact(let name): checkFact(name, isOneOf: [.integer], at: "\(key).fact")
        }
    }
}
