internal import SceneRouting
package import StrictJSON

/// What somebody does in a window, besides its kind and its name, as far as records say it.
package struct Act: Hashable, Sendable {
    /// The parameters of an intent, as reported.
    package var parameters: [String: String]?
    /// The screen or container that reports an intent by itself.
    package var reporter: String?
    /// The tab that is tapped.
    package var tab: String?
    /// Whether a swipe is let go halfway.
    package var isCancelled: Bool
    /// How a flow ended.
    package var result: End?

    /// The result of a flow.
    package enum End: Hashable, Sendable {
        case completed(user: String?, facts: [String: JSONValue], values: [String: String] = [:])
        case cancelled
    }

    package init(
        parameters: [String: String]? = nil,
        reporter: String? = nil,
        tab: String? = nil,
        isCancelled: Bool = false,
        result: End? = nil
    ) {
        self.parameters = parameters
        self.reporter = reporter
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

extension Known: Equatable where Thing: Equatable {}

// What follows from what screens report, by <doc:/SceneRuntime/Windows>.
extension AppModel {
    /// A value, or none, as far as it is known.
    typealias KnownValue = Known<FactValue?>

    /// What may follow from what a flow's screen reports, or from the flow's end.
    package struct Consequences: Sendable {
        private let model: AppModel
        /// The flow that takes it; `root` for the app.
        package let flow: String
        /// The effects of the intent, or the flow's end, as they are declared.
        private let declared: [IntentEffect]
        /// Those of the intent, or the flow's end, that are taken or may be. An end after one that is taken is none.
        private(set) var effects: [Possible]
        /// Whether all that came with it was recorded.
        private let isTold: Bool
        /// The intent's parameters in canonical form.
        let parameters: [String: KnownValue]
        /// What a flow's result has.
        let reported: Act.End?
        /// The session by which the effects are decided.
        private(set) var session: Session
        /// That by which those of the completion are.
        var completed: Session

        fileprivate init(
            _ model: AppModel,
            flow: String,
            effects: [IntentEffect],
            isTold: Bool,
            parameters: [String: KnownValue] = [:],
            reported: Act.End? = nil,
            by session: SessionState?
        ) {
            self.model = model
            self.flow = flow
            declared = effects
            self.isTold = isTold
            self.parameters = parameters
            self.reported = reported
            self.session = Session(model, session)
            completed = Session(model, nil)
            self.effects = []
            decide()
        }

        private mutating func decide() {
            var hasEnded = false
            effects = Environment(parameters, session).taken(declared).filter { possible in
                guard possible.ends else { return true }
                defer { hasEnded = hasEnded || possible.isCertain }
                return !hasEnded
            }
        }

        /// The effects of the flow's completion, as they are declared.
        var completion: [IntentEffect] {
            effects.contains(where: \.completes) ? model.flow(flow)?.completion ?? [] : []
        }

        /// Whether it is known what came with it, and how it ends the flow.
        var isKnown: Bool { isTold && effects.allSatisfy { !$0.ends || $0.isCertain } }

        /// Whether they may end the flow as completed.
        package var mayComplete: Bool { effects.contains(where: \.completes) }

        /// Whether one of them may be this effect.
        func mayBe(_ effect: IntentEffect) -> Bool {
            effects.contains { $0.effect == effect } || completion.contains { $0.parts.effect == effect }
        }

        /// The same, decided by this session; `nil` if it is not known.
        package func decided(by session: SessionState?) -> Consequences {
            var consequences = self
            consequences.session = Session(model, session)
            consequences.decide()
            return consequences
        }

        /// Whether they may move within the flow once the session has changed, which may have taken the flow away.
        package var moves: Bool {
            effects.contains { possible in
                switch possible.effect {
                case .push, .replace, .pop, .popTo, .popToRoot, .start: true
                case .route, .set, .append, .remove, .add, .reset, .signOut, .markStale, .complete, .cancel,
                    .openWindow, .answer, .closeWindow, .closeWindows, .refreshWindow, .refreshWindows, .when:
                    false
                }
            }
        }

        /// Whether they change nothing but the session: nothing moves, ends or is gone to.
        package var isOfSessionOnly: Bool {
            effects.allSatisfy { possible in
                switch possible.effect {
                case .set, .append, .remove, .add, .reset, .signOut, .markStale, .answer: true
                case .route, .push, .replace, .pop, .popTo, .popToRoot, .start, .complete, .cancel, .openWindow,
                    .closeWindow, .closeWindows, .refreshWindow, .refreshWindows, .when:
                    false
                }
            }
        }

        /// Whether they may change the session.
        package var commits: Bool {
            effects.contains { possible in
                switch possible.effect {
                case .set, .append, .remove, .add, .reset, .signOut, .markStale, .complete: true
                case .route, .push, .replace, .pop, .popTo, .popToRoot, .start, .cancel, .openWindow, .answer,
                    .closeWindow, .closeWindows, .refreshWindow, .refreshWindows, .when:
                    false
                }
            }
        }
    }

    /// An effect without its condition, which holds as far as is known.
    struct Possible: Sendable {
        let effect: IntentEffect
        /// Whether the condition certainly holds.
        let isCertain: Bool

        var completes: Bool { if case .complete = effect { true } else { false } }

        var ends: Bool { completes || effect == .cancel }
    }

    /// What follows from an intent if this flow, or `root` for the app, takes it from the screen; `nil` if it does not.
    ///
    /// - Parameter session: That by which it is taken; `nil` if it is not known.
    package func consequences(
        ofIntent name: String,
        _ act: Act?,
        takenBy flow: String,
        from screen: String,
        by session: SessionState?
    ) -> Consequences? {
        let intents = flow == Self.root ? manifest.intents : self.flow(flow)?.intents ?? []
        guard let intent = intents.first(where: { $0.name == name }),
            intent.screens.isEmpty || intent.screens.contains(screen)
        else { return nil }
        return consequences(of: intent, act, takenBy: flow, by: session)
    }

    private func consequences(
        of intent: IntentDeclaration,
        _ act: Act?,
        takenBy flow: String,
        by session: SessionState?
    ) -> Consequences {
        var parameters: [String: KnownValue] = [:]
        for declaration in intent.parameters {
            parameters[declaration.name] =
                act?.parameters.map { canonical($0[declaration.name], declaration) } ?? .unknown
        }
        return Consequences(
            self,
            flow: flow,
            effects: intent.effects,
            isTold: act?.parameters != nil,
            parameters: parameters,
            by: session
        )
    }

    /// Whether a notification hands this intent to the app, by an action or when it is presented or dismissed.
    package func handsOver(_ intent: String) -> Bool {
        manifest.notificationCategories.contains { $0.handovers.contains { $0.name == intent } }
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
            self,
            flow: flow,
            effects: [isCancelled ? .cancel : .complete(user: nil)],
            isTold: act?.result != nil,
            reported: act?.result,
            by: nil
        )
    }

    /// What follows from the end of a flow in the one that started it; `nil` if it is not known how it ended.
    ///
    /// - Parameter session: That after the end; `nil` if it is not known.
    package func consequences(
        ofEnd ended: Consequences,
        inStarter starter: String,
        by session: SessionState?
    ) -> Consequences? {
        guard ended.isKnown, let end = ended.effects.first(where: \.ends)?.effect else { return nil }
        let sequel = flow(starter)?.after.first { $0.flow == ended.flow }
        guard case .complete(_, let sources) = end else {
            return Consequences(self, flow: starter, effects: sequel?.cancelled ?? [], isTold: true, by: session)
        }
        var environment = Environment(ended.parameters, ended.session)
        for possible in ended.effects.prefix(while: { !$0.ends }) { environment.pass(possible) }
        var values: [String: KnownValue] = [:]
        for declaration in flow(ended.flow)?.result ?? [] {
            let given: Known<String?> =
                if case .completed(_, _, let values)? = ended.reported {
                    .known(values[declaration.name])
                } else {
                    sources[declaration.name].map { Self.text(environment.value($0)) } ?? .known(nil)
                }
            values[declaration.name] =
                if case .known(let text) = given, text.map({ Self.isCertainlyAllowed($0, declaration) }) ?? true {
                    canonical(text, declaration)
                } else {
                    .unknown
                }
        }
        return Consequences(
            self,
            flow: starter,
            effects: sequel?.completed ?? [],
            isTold: true,
            parameters: values,
            by: session
        )
    }

    /// Whether a parameter certainly takes a text; what looks like no plain integer, and patterns, are left to the runtime.
    private static func isCertainlyAllowed(_ text: String, _ declaration: ParameterDeclaration) -> Bool {
        switch declaration.type {
        case .string: true
        case .integer(let minimum, let maximum):
            Int(text).map { String($0) == text && $0 >= minimum ?? .min && $0 <= maximum ?? .max } ?? false
        case .oneOf(let words): words.contains { $0.utf8.elementsEqual(text.utf8) }
        case .date: Instant.seconds(text) != nil
        case .pattern, .uuid, .list: false
        }
    }

    /// Whether a completion names who signed in, for all that is known.
    package func namesUser(_ consequences: Consequences) -> Bool {
        if case .completed(_?, _, _) = consequences.reported { return true }
        return consequences.effects.contains { possible in
            guard possible.isCertain, case .complete(let name?, _) = possible.effect,
                case .known(_?) = consequences.parameters[name]
            else { return false }
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
    func canonical(_ given: String?, _ declaration: ParameterDeclaration) -> KnownValue {
        if given == nil, !declaration.variantDefaults.isEmpty { return .unknown }
        guard let text = given ?? declaration.canonicalDefault else { return .known(nil) }
        switch declaration.type {
        case .string, .oneOf, .pattern: return text.utf8.allSatisfy { $0 < 0x80 } ? .known(.string(text)) : .unknown
        case .integer:
            let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
            guard digits.allSatisfy({ (48...57).contains($0) }), let integer = Int(text) else { return .unknown }
            return .known(.string(String(integer)))
        case .date: return Instant.canonical(text).map { .known(.string($0)) } ?? .unknown
        case .uuid, .list: return .unknown
        }
    }

    /// A value given as JSON; `nil` if it is not of the fact's type.
    func value(_ json: JSONValue, of name: String) -> FactValue? {
        switch (facts[name]?.type, json) {
        case (.string, .string(let text)): .string(text)
        case (.date, .string(let text)): Instant.canonical(text) == text ? .string(text) : nil
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
}
