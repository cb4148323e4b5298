/// Whose effects are checked, and what they may name.
struct EffectScope {
    /// What has the parameters, as in `parameter of tapped`; `nil` if there are none to look at.
    let owner: String?
    /// What a parameter is, when there is none of a name.
    let parameter: String
    /// The intent's parameters, or the result of the flow that has ended.
    let parameters: NameList
    private let declared: [ParameterDeclaration]
    /// The flow that may move; `nil` for the app's intents and for a completion.
    let flow: FlowDeclaration?
    /// Whether somebody waits for an answer.
    let answers: Bool
    /// The screens of the flow, and what it hands over.
    let (screens, results): (NameList, NameList)

    /// That of an intent.
    init(_ intent: IntentDeclaration, _ flow: FlowDeclaration?, _ screens: NameList, _ results: NameList) {
        owner = "parameter of \(intent.name)"
        parameter = "parameter of the intent"
        parameters = NameList(intent.parameters.map(\.name))
        declared = intent.parameters
        answers = true
        self.flow = flow
        (self.screens, self.results) = (screens, results)
    }

    /// That of a completion, which has no parameters.
    init() {
        owner = nil
        parameter = "parameter of the intent"
        parameters = NameList([])
        declared = []
        answers = false
        flow = nil
        (screens, results) = (NameList([]), NameList([]))
    }

    /// That of what follows in a flow when another one ends.
    /// - Parameter result: What the other hands over; `nil` if it is cancelled.
    init(
        after other: String,
        _ result: [ParameterDeclaration]?,
        _ flow: FlowDeclaration,
        _ screens: NameList,
        _ results: NameList
    ) {
        owner = result == nil ? nil : "result of \(other)"
        parameter = result == nil ? "result of a cancelled flow" : "result of \(other)"
        declared = result ?? []
        answers = false
        parameters = NameList(declared.map(\.name))
        self.flow = flow
        (self.screens, self.results) = (screens, results)
    }

    /// The type of a parameter.
    func type(of parameter: String) -> ParameterType? { parameters.index[parameter].map { declared[$0].type } }
}

/// Checks the effects of intents and completions.
extension ManifestCompilation {
    mutating func check(_ effect: IntentEffect, at key: String, _ scope: EffectScope) {
        switch effect {
        case .when(let condition, let effect):
            check(condition, at: "\(key).when", parameters: scope.owner.map { _ in .ofEffects(scope) })
            check(effect, at: key, scope)
        case .route(let destination, let parameters):
            check(destination, takes: parameters, for: "route", at: key, scope)
        case .openWindow(let destination, let parameters, let configuration):
            check(destination, takes: parameters, for: "openWindow", at: key, scope)
            if let configuration {
                check(configuration, isOneOf: configurationNames, "configuration", at: "\(key).configuration")
            }
        case .closeWindows(let destination, let parameters):
            check(destination, takes: parameters, for: "closeWindow", at: key, scope)
        case .refreshWindows(let destination, let parameters):
            check(destination, takes: parameters, for: "refreshWindow", at: key, scope)
        case .set(let fact, let source):
            checkFact(fact, at: "\(key).set")
            if check(source, at: "\(key).value", scope) { checkCanTake(fact, source, at: "\(key).value") }
        case .append(let fact, let source):
            checkFact(fact, isOneOf: [.strings], at: "\(key).append")
            if check(source, at: "\(key).value", scope) { checkIsElement(source, at: "\(key).value") }
        case .remove(let fact, let source):
            checkFact(fact, isOneOf: [.strings], at: "\(key).remove")
            if check(source, at: "\(key).value", scope) { checkIsElement(source, at: "\(key).value") }
        case .add(let fact, let source):
            checkFact(fact, isOneOf: [.integer, .number], at: "\(key).add")
            if check(source, at: "\(key).value", scope) { checkIsInteger(source, at: "\(key).value", scope) }
        case .reset(let fact): checkFact(fact, at: "\(key).reset")
        case .signOut, .markStale, .closeWindow, .refreshWindow: break
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
        case .answer(let values): checkAnswer(values, at: "\(key).answer", scope)
        case .popToRoot, .cancel: checkMoves(at: key, scope)
        case .start(let child, let parameters, _): checkStart(of: child, parameters, at: key, scope)
        case .complete(let user, let result):
            guard let flow = scope.flow else {
                error(key, "only an intent of a flow can complete it")
                return
            }
            if let user {
                let what = scope.owner ?? scope.parameter
                check(user, isOneOf: scope.parameters, what, at: "\(key).complete.user")
            }
            checkResult(of: flow, result, at: key, scope)
        }
    }

    private mutating func checkAnswer(_ values: [String: ValueSource], at key: String, _ scope: EffectScope) {
        guard scope.answers else { return error(key, "only an intent can be answered") }
        if values.isEmpty { error(key, "says nothing", expected: "values by name, such as { count: { fact: cart } }") }
        for (name, source) in values.sorted(by: { $0.key < $1.key }) { check(source, at: "\(key).\(name)", scope) }
    }

    // MARK: - Flows that start flows

    /// Checks that a flow can be started, and what it is started with.
    private mutating func checkStart(
        of child: String,
        _ given: [String: ValueSource],
        at key: String,
        _ scope: EffectScope
    ) {
        guard let flow = scope.flow else {
            error(key, "only an intent of a flow can start another flow", expected: "'route' to a destination")
            return
        }
        guard check(child, isOneOf: flowNames, "flow", at: "\(key).start") else { return }
        if child == flow.name {
            error("\(key).start", "'\(child)' is on screen already when it starts itself", expected: "another flow")
        }
        guard !given.isEmpty else { return }
        let starting = startParameters[child] ?? StartParameters([])
        check(
            given,
            areAmong: starting.names,
            "parameter of a screen with which \(child) starts",
            at: "\(key).parameters",
            scope
        ) { starting.checks[$0] ?? [] }
    }

    /// Checks what a completion hands over.
    private mutating func checkResult(
        of flow: FlowDeclaration,
        _ given: [String: ValueSource],
        at key: String,
        _ scope: EffectScope
    ) {
        let declared = flowResults[flow.name] ?? []
        // That there are too many has been said.
        guard flow.result.count <= Self.maximumParts, !given.isEmpty || !declared.isEmpty else { return }
        check(given, areAmong: scope.results, "result of \(flow.name)", at: "\(key).complete.result", scope) { name in
            Self.checks(of: name, in: declared)
        }
        for parameter in declared.map(\.declaration) where parameter.isRequired && parameter.defaultValue == nil {
            guard given[parameter.name] == nil else { continue }
            error(
                "\(key).complete",
                "the result of '\(flow.name)' needs '\(parameter.name)'",
                expected: "a value for it in 'result'"
            )
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
        let compiled = destinationIndex[screen].map { parameters[$0] } ?? own
        let declared = declaration(screen)?.parameters ?? own.map(\.declaration)
        // That there are too many has been said.
        guard declared.count <= Self.maximumParts else { return }
        let names = NameList(declared.map(\.name))
        check(given, areAmong: names, "parameter of \(screen)", at: "\(key).parameters", scope) { name in
            Self.checks(of: name, in: compiled)
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

    /// Checks where an effect leads, and what it gives the destination.
    private mutating func check(
        _ destination: String,
        takes given: [String: ValueSource],
        for effect: String,
        at key: String,
        _ scope: EffectScope
    ) {
        guard check(destination, isOneOf: destinationNames, "destination", at: "\(key).\(effect)"),
            let declaration = declaration(destination), declaration.parameters.count <= Self.maximumParts
        else { return }
        let names = NameList(declaration.parameters.map(\.name))
        let compiled = destinationIndex[destination].map { parameters[$0] } ?? []
        check(given, areAmong: names, "parameter of \(destination)", at: "\(key).parameters", scope) { name in
            Self.checks(of: name, in: compiled)
        }
        for parameter in declaration.parameters where parameter.isRequired && parameter.defaultValue == nil {
            guard given[parameter.name] == nil else { continue }
            error(
                "\(key).\(effect)",
                "'\(destination)' needs the parameter '\(parameter.name)'",
                expected: "a value for it"
            )
        }
    }

    /// Checks the values that an effect gives to something by name: that it takes them, and that it can allow them.
    /// - Parameter checks: What a value of a name may be: whatever one of them allows. None takes anything.
    private mutating func check(
        _ given: [String: ValueSource],
        areAmong names: NameList,
        _ what: String,
        at key: String,
        _ scope: EffectScope,
        _ checks: (String) -> [ParameterCheck]
    ) {
        for (name, source) in given.sorted(by: { $0.key < $1.key }) {
            let key = "\(key).\(name)"
            guard check(name, isOneOf: names, what, at: key), check(source, at: key, scope),
                problems.count < Self.maximumProblems
            else { continue }
            let checks = checks(name)
            guard let expected = checks.first?.expectation else { continue }
            switch source {
            case .literal(let value):
                let text = value.parameterText.normalizedNFC
                if checks.contains(where: { $0.canonical(text) != nil }) { continue }
                error(key, "'\(value.parameterText)' is not allowed", expected: expected)
            case .fact(let fact):
                guard let type = factType(fact), !checks.contains(where: { $0.canBe(type) }) else { continue }
                error(
                    "\(key).fact",
                    "'\(fact)' is of type \(type.rawValue)",
                    expected: "a fact that can be \(expected)"
                )
            // What an intent's parameter allows is judged when it is given.
            case .parameter: continue
            }
        }
    }

    /// What a parameter may be; nothing of one that was left out because there are too many.
    static func checks(
        of name: String,
        in parameters: [CompiledDestination.Parameter]
    ) -> [ParameterCheck] {
        parameters.first { $0.declaration.name == name }.map { [$0.check] } ?? []
    }

    /// Checks that a fact can be given what another has.
    private mutating func checkCanTake(_ fact: String, _ source: ValueSource, at key: String) {
        guard case .fact(let other) = source, let type = factType(fact), let given = factType(other) else { return }
        // A text is read as what the fact is.
        if given == type || given == .string || given == .integer && type == .number { return }
        if given == .date, type == .string { return }
        error(
            "\(key).fact",
            "'\(other)' is of type \(given.rawValue), and '\(fact)' of type \(type.rawValue)",
            expected: "a fact of type \(type.rawValue)"
        )
    }

    /// Checks that what is put into a list, or taken out of it, is no list itself.
    private mutating func checkIsElement(_ source: ValueSource, at key: String) {
        guard case .fact(let fact) = source, factType(fact) == .strings else { return }
        error("\(key).fact", "'\(fact)' is of type strings", expected: "a fact that is one value")
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
            check(name, isOneOf: scope.parameters, scope.parameter, at: "\(key).parameter")
        case .fact(let name): checkFact(name, at: "\(key).fact") != nil
        }
    }

    /// Reports a source that exists and is no integer.
    private mutating func checkIsInteger(_ source: ValueSource, at key: String, _ scope: EffectScope) {
        switch source {
        case .literal(let value):
            if !value.isOf(.integer) { error(key, "only an integer can be added", expected: "such as 1 or -1") }
        case .parameter(let name):
            if case .integer? = scope.type(of: name) { return }
            error(
                "\(key).parameter",
                "'\(name)' is not always an integer, and only an integer can be added",
                expected: "a parameter of type integer"
            )
        case .fact(let name): checkFact(name, isOneOf: [.integer], at: "\(key).fact")
        }
    }
}
