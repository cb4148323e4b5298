internal import SceneRouting
package import SceneVocabulary
package import StrictJSON

/// What somebody does in a window, besides its kind and its name, as far as records say it.
package struct Act: Hashable, Sendable {
    /// The parameters of an intent, as reported.
    package var parameters: [String: String]?
    /// The tab that is tapped.
    package var tab: String?
    /// Whether a swipe is let go halfway.
    package var isCancelled: Bool
    /// How a flow ended.
    package var result: End?

    /// The result of a flow.
    package enum End: Hashable, Sendable {
        case completed(user: String?, facts: [String: JSONValue])
        case cancelled
    }

    package init(
        parameters: [String: String]? = nil,
        tab: String? = nil,
        isCancelled: Bool = false,
        result: End? = nil
    ) {
        self.parameters = parameters
        self.tab = tab
        self.isCancelled = isCancelled
        self.result = result
    }
}

/// The session, as far as records say it.
package struct SessionState: Hashable, Sendable {
    package var user: String?
    package var isStale: Bool
    /// Every fact that has a value; `nil` if the facts are not known.
    package var facts: [String: JSONValue]?
    /// The version that conditions on the app's version see.
    package var appVersion: String?

    package init(user: String?, isStale: Bool, facts: [String: JSONValue]?, appVersion: String?) {
        self.user = user
        self.isStale = isStale
        self.facts = facts
        self.appVersion = appVersion
    }
}

/// Something that records may not say.
enum Known<Thing: Sendable>: Sendable {
    case known(Thing)
    case unknown
}

// What follows from what screens report, by <doc:/SceneRuntime/Windows>.
extension AppModel {
    /// A value, or none, as far as it is known.
    typealias KnownValue = Known<FactValue?>

    /// What may follow from what a flow's screen reports, or from the flow's end.
    package struct Consequences: Sendable {
        /// The flow that takes it; `root` for the app.
        package let flow: String
        /// The effects of the intent, or the flow's end.
        let effects: [IntentEffect]
        /// Those of the flow's completion.
        let completion: [IntentEffect]
        /// Whether what came with it is known.
        let isKnown: Bool
        /// The intent's parameters in canonical form.
        let parameters: [String: KnownValue]
        /// What a flow's result has.
        let reported: Act.End?
        /// The facts by which the effects take their values; `nil` if they are not known.
        fileprivate(set) var facts: [String: JSONValue]?
        /// Those by which the effects of the completion do.
        package var completedFacts: [String: JSONValue]?

        var all: [IntentEffect] { effects + completion }

        /// The same, decided by these facts; `nil` if they are not known.
        package func decided(by facts: [String: JSONValue]?) -> Consequences {
            var consequences = self
            consequences.facts = facts
            return consequences
        }

        /// Whether they change the session.
        package var commits: Bool {
            all.contains { effect in
                switch effect {
                case .set, .append, .reset, .signOut, .markStale, .complete: true
                case .route, .push, .replace, .back, .cancel: false
                }
            }
        }
    }

    /// What follows from an intent if this flow, or `root` for the app, takes it from the screen; `nil` if it does not.
    ///
    /// - Parameter facts: Those by which it is taken; `nil` if they are not known.
    package func consequences(
        ofIntent name: String,
        _ act: Act?,
        takenBy flow: String,
        from screen: String,
        by facts: [String: JSONValue]?
    ) -> Consequences? {
        let intents = flow == Self.root ? manifest.intents : self.flow(flow)?.intents ?? []
        guard let intent = intents.first(where: { $0.name == name }),
            intent.screens.isEmpty || intent.screens.contains(screen)
        else { return nil }
        return consequences(of: intent, act, takenBy: flow, by: facts)
    }

    private func consequences(
        of intent: IntentDeclaration,
        _ act: Act?,
        takenBy flow: String,
        by facts: [String: JSONValue]?
    ) -> Consequences {
        let completes = intent.effects.contains { if case .complete = $0 { true } else { false } }
        var parameters: [String: KnownValue] = [:]
        for declaration in intent.parameters {
            parameters[declaration.name] =
                act?.parameters.map { canonical($0[declaration.name], declaration) } ?? .unknown
        }
        let ends = intent.effects.count { effect in
            switch effect {
            case .complete, .cancel: true
            default: false
            }
        }
        return Consequences(
            flow: flow,
            effects: intent.effects,
            completion: completes ? self.flow(flow)?.completion ?? [] : [],
            isKnown: act?.parameters != nil && ends <= 1,
            parameters: parameters,
            reported: nil,
            facts: facts
        )
    }

    /// Whether an action of a notification hands this intent to the app.
    package func handsOver(_ intent: String) -> Bool {
        manifest.notificationCategories.contains { $0.actions.contains { $0.intent?.name == intent } }
    }

    /// What follows from an intent that an action of a notification hands to the app; `nil` if the app does not take it so.
    package func consequences(ofHandingOver name: String, _ act: Act?) -> Consequences? {
        guard let intent = manifest.intents.first(where: { $0.name == name }), intent.screens.isEmpty else {
            return nil
        }
        return consequences(of: intent, act, takenBy: Self.root, by: nil)
    }

    /// What follows from a flow's result, whichever it is if that is not known.
    package func consequences(ofEnding flow: String, _ act: Act?) -> Consequences {
        let isCancelled = act?.result == .cancelled
        return Consequences(
            flow: flow,
            effects: [isCancelled ? .cancel : .complete(user: nil)],
            completion: isCancelled ? [] : self.flow(flow)?.completion ?? [],
            isKnown: act?.result != nil,
            parameters: [:],
            reported: act?.result,
            facts: nil
        )
    }

    /// Whether a completion names who signed in, for all that is known.
    package func namesUser(_ consequences: Consequences) -> Bool {
        if case .completed(_?, _) = consequences.reported { return true }
        return consequences.effects.contains { effect in
            guard case .complete(let name?) = effect, case .known(_?) = consequences.parameters[name] else {
                return false
            }
            return true
        }
    }

    /// Whether whoever declares an intent of this name declares it with the same parameters, so that an intent which was admitted
    /// fits all of them.
    package func hasOneShape(intent name: String) -> Bool {
        let declarations = ([manifest.intents] + manifest.flows.map(\.intents)).joined().filter { $0.name == name }
        return Set(declarations.map(\.parameters)).count == 1
    }

    // MARK: - Values

    /// A parameter in canonical form, if the model knows that: other texts than ASCII, UUIDs and lists may have another.
    private func canonical(_ given: String?, _ declaration: ParameterDeclaration) -> KnownValue {
        if given == nil, !declaration.variantDefaults.isEmpty { return .unknown }
        guard let text = given ?? declaration.defaultValue else { return .known(nil) }
        switch declaration.type {
        case .string, .oneOf, .pattern: return text.utf8.allSatisfy { $0 < 0x80 } ? .known(.string(text)) : .unknown
        case .integer:
            let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
            guard digits.allSatisfy({ (48...57).contains($0) }), let integer = Int(text) else { return .unknown }
            return .known(.string(String(integer)))
        case .uuid, .list: return .unknown
        }
    }

    /// A value given as JSON; `nil` if it is not of the fact's type.
    func value(_ json: JSONValue, of name: String) -> FactValue? {
        switch (facts[name]?.type, json) {
        case (.string, .string(let text)): .string(text)
        case (.boolean, .bool(let bool)): .boolean(bool)
        case (.integer, .integer(let integer)): .integer(integer)
        case (.number, .integer(let integer)): .number(Double(integer))
        case (.number, .number(let number)): .number(number)
        case (.strings, .array(let list)):
            list.allSatisfy { $0.stringValue != nil } ? .strings(list.compactMap(\.stringValue)) : nil
        default: nil
        }
    }

    /// The value of a fact of the session; without one it has its declared default.
    func value(_ name: String, in facts: [String: JSONValue]?) -> KnownValue {
        guard let facts else { return .unknown }
        guard let json = facts[name] else { return .known(self.facts[name]?.defaultValue) }
        return value(json, of: name).map { .known($0) } ?? .unknown
    }

    /// A value as the text of a destination's parameter. That of a list or a fraction is left to the runtime.
    static func text(_ value: KnownValue) -> Known<String?> {
        switch value {
        case .known(nil): .known(nil)
        case .known(.string(let text)): .known(text)
        case .known(.integer(let integer)): .known(String(integer))
        case .known(.boolean(let bool)): .known(bool ? "true" : "false")
        case .known(.number), .known(.strings), .unknown: .unknown
        }
    }

    // MARK: - Where it leads

    /// Whether they lead to the destination, as far as what is known decides it.
    package func lead(_ consequences: Consequences, to wanted: Destination) -> Bool {
        let own = Environment(self, consequences.parameters, consequences.facts)
        let ended = Environment(self, [:], consequences.completedFacts)
        return leads(consequences.effects, own, to: wanted) || leads(consequences.completion, ended, to: wanted)
    }

    /// What effects take values from. An effect sees what earlier ones have set.
    struct Environment {
        let model: AppModel
        let parameters: [String: KnownValue]
        private let facts: [String: JSONValue]?
        private var set: [String: KnownValue] = [:]

        init(_ model: AppModel, _ parameters: [String: KnownValue], _ facts: [String: JSONValue]?) {
            self.model = model
            self.parameters = parameters
            self.facts = facts
        }

        func value(_ source: ValueSource) -> KnownValue {
            switch source {
            case .literal(let value): .known(value)
            case .parameter(let name): parameters[name] ?? .known(nil)
            case .fact(let name): set[name] ?? model.value(name, in: facts)
            }
        }

        /// Goes past an effect. A value that is missing is not set.
        mutating func pass(_ effect: IntentEffect) {
            guard case .set(let fact, let source) = effect else { return }
            let value = value(source)
            if case .known(nil) = value { return }
            set[fact] = value
        }
    }

    private func leads(_ effects: [IntentEffect], _ environment: Environment, to wanted: Destination) -> Bool {
        var environment = environment
        for effect in effects {
            defer { environment.pass(effect) }
            guard case .route(wanted.id, let sources) = effect else { continue }
            let isMeant = sources.allSatisfy { name, source in
                guard case .known(let text?) = Self.text(environment.value(source)),
                    let given = wanted.parameters[name]
                else { return true }
                // Some types have another canonical form than the manifest may use.
                return given.utf8.elementsEqual(text.utf8) || given.lowercased() == text.lowercased()
            }
            if isMeant { return true }
        }
        return false
    }
}
