internal import SceneRouting
package import SceneVocabulary
package import StrictJSON

extension IntentEffect {
    /// Its conditions, and what it does if they all hold.
    var parts: (conditions: [FactPredicate], effect: IntentEffect) {
        guard case .when(let condition, let effect) = self else { return ([], self) }
        let (conditions, bare) = effect.parts
        return ([condition] + conditions, bare)
    }
}

// Which effects are taken, what they see and where they lead, by <doc:/SceneRuntime/Windows>.
extension AppModel {
    /// What effects look at: what came with the intent, and the session as the effects before leave it.
    struct Environment {
        private let parameters: [String: KnownValue]
        private var session: Session

        init(_ parameters: [String: KnownValue], _ session: Session) {
            self.parameters = parameters
            self.session = session
        }

        func value(_ source: ValueSource) -> KnownValue {
            switch source {
            case .literal(let value): .known(value)
            case .parameter(let name): parameters[name] ?? .known(nil)
            case .fact(let name): session.facts[name] ?? .known(nil)
            }
        }

        /// Whether conditions hold. By which time they were judged no record says.
        private func hold(_ conditions: [FactPredicate]) -> Truth {
            AppModel.all(
                conditions.map { condition in
                    let users = session.isSignedIn.map { [$0] } ?? [true, false]
                    let truths = users.map { AppModel.holds(condition, known(isSignedIn: $0)) }
                    return truths.allSatisfy { $0 == truths[0] } ? truths[0] : nil
                }
            )
        }

        private func known(isSignedIn: Bool) -> KnownFacts {
            var known = KnownFacts(isSignedIn: isSignedIn, session)
            known.parameters = [:]
            for (name, value) in parameters {
                switch value {
                case .known(.string(let text)): known.parameters?[name] = text
                case .known: continue
                case .unknown: known.unknownParameters.insert(name)
                }
            }
            return known
        }

        /// Goes past an effect.
        mutating func pass(_ possible: Possible) {
            let here = self
            session.apply(possible, here)
        }

        /// Those of the effects that are taken, or may be.
        func taken(_ effects: [IntentEffect]) -> [Possible] {
            var environment = self
            return effects.compactMap { effect in
                let (conditions, bare) = effect.parts
                let holds = environment.hold(conditions)
                if holds == false { return nil }
                let possible = Possible(effect: bare, isCertain: holds == true)
                environment.pass(possible)
                return possible
            }
        }
    }

    /// Why this answer is not theirs, as a clause, as far as what is known decides it.
    package func objection(toAnswer answer: [String: JSONValue]?, of consequences: Consequences) -> String? {
        var environment = Environment(consequences.parameters, consequences.session)
        var expected: [String: KnownValue] = [:]
        var isCertain = false
        for possible in consequences.effects {
            defer { environment.pass(possible) }
            guard case .answer(let sources) = possible.effect else { continue }
            isCertain = isCertain || possible.isCertain
            for (name, source) in sources {
                let value = environment.value(source)
                // What is missing leaves an earlier value as it is.
                if value == .known(nil) { continue }
                expected[name] = possible.isCertain && value != .unknown ? value : .unknown
            }
        }
        guard let answer else { return isCertain ? "it is not answered" : nil }
        if let name = answer.keys.sorted().first(where: { expected[$0] == nil }) { return "nothing answers \(name)" }
        for (name, value) in expected.sorted(by: { $0.key < $1.key }) {
            guard case .known(let right?) = value else { continue }
            if answer[name].map({ $0 != right.json }) ?? true {
                return "\(name) is \(answer[name]?.text() ?? "missing"), by the manifest \(right.json.text())"
            }
        }
        return nil
    }

    /// Whether they lead to the destination, as far as what is known decides it.
    package func lead(_ consequences: Consequences, to wanted: Destination) -> Bool {
        leads(consequences, to: wanted) { if case .route(wanted.id, let sources) = $0 { sources } else { nil } }
    }

    /// Whether they ask for a window for the destination, in a configuration or in the first, as far as what is known decides it.
    package func ask(_ consequences: Consequences, for wanted: Destination, in configuration: String?) -> Bool {
        leads(consequences, to: wanted) {
            if case .openWindow(wanted.id, let sources, configuration) = $0 { sources } else { nil }
        }
    }

    /// Whether they close, or refresh, the windows that are for the destination, as far as what is known decides it.
    package func ask(_ consequences: Consequences, _ wish: WindowWish, ofWindowsFor wanted: Destination) -> Bool {
        leads(consequences, to: wanted) { $0.ofWindows(wish, for: wanted.id) }
    }

    /// How often they certainly ask for a new window, or close or refresh windows that are for a destination.
    package func least(_ wish: WindowWish, _ consequences: Consequences) -> Int {
        func certain(_ effects: [Possible], _ environment: Environment) -> Int {
            var (environment, count) = (environment, 0)
            for possible in effects {
                defer { environment.pass(possible) }
                guard possible.isCertain, let sources = possible.effect.ofWindows(wish) else { continue }
                let isWhole = sources.values.allSatisfy { source in
                    if case .known(_?) = environment.value(source) { true } else { false }
                }
                if isWhole { count += 1 }
            }
            return count
        }
        let own = Environment(consequences.parameters, consequences.session)
        let ended = Environment([:], consequences.completed)
        return certain(consequences.effects, own) + certain(ended.taken(consequences.completion), ended)
    }

    /// How many windows they may ask for.
    package func mostWindows(_ consequences: Consequences) -> Int {
        (consequences.effects + Environment([:], consequences.completed).taken(consequences.completion)).count {
            if case .openWindow = $0.effect { true } else { false }
        }
    }

    /// Whether they close the window in which they are; `nil` if that is not known.
    package func closes(_ consequences: Consequences) -> Bool? { takes(.closeWindow, consequences) }

    /// Whether they refresh the window in which they are; `nil` if that is not known.
    package func refreshes(_ consequences: Consequences) -> Bool? { takes(.refreshWindow, consequences) }

    private func takes(_ effect: IntentEffect, _ consequences: Consequences) -> Bool? {
        let taken =
            (consequences.effects + Environment([:], consequences.completed).taken(consequences.completion))
            .filter { $0.effect == effect }
        return taken.isEmpty ? false : taken.contains(where: \.isCertain) ? true : nil
    }

    /// - Parameter sources: What an effect that may lead there gives the destination; `nil` for any other effect.
    private func leads(
        _ consequences: Consequences,
        to wanted: Destination,
        _ sources: (IntentEffect) -> [String: ValueSource]?
    ) -> Bool {
        let own = Environment(consequences.parameters, consequences.session)
        let ended = Environment([:], consequences.completed)
        return leads(consequences.effects, own, to: wanted, sources)
            || leads(ended.taken(consequences.completion), ended, to: wanted, sources)
    }

    private func leads(
        _ effects: [Possible],
        _ environment: Environment,
        to wanted: Destination,
        _ sources: (IntentEffect) -> [String: ValueSource]?
    ) -> Bool {
        var environment = environment
        for possible in effects {
            defer { environment.pass(possible) }
            guard let sources = sources(possible.effect) else { continue }
            let declared = destination(wanted.id)?.parameters ?? []
            let isMeant = sources.allSatisfy { name, source in
                guard case .known(let text?) = Self.text(environment.value(source)),
                    let given = wanted.parameters[name]
                else { return true }
                if let declaration = declared.first(where: { $0.name == name }),
                    case .known(.string(let canonical)?) = canonical(text, declaration)
                {
                    return given.utf8.elementsEqual(canonical.utf8)
                }
                // What has a canonical form that the model does not know differs from it only in this.
                return given.lowercased() == text.lowercased()
            }
            if isMeant { return true }
        }
        return false
    }
}

extension IntentEffect {
    /// What it gives the destination whose window it opens, closes or refreshes; `nil` for any other effect.
    ///
    /// - Parameter id: The destination that is meant; `nil` for any.
    fileprivate func ofWindows(_ wish: WindowWish, for id: String? = nil) -> [String: ValueSource]? {
        let (destination, sources): (String, [String: ValueSource])
        switch (wish, self) {
        case (.open, .openWindow(let named, let given, _)), (.close, .closeWindows(let named, let given)),
            (.refresh, .refreshWindows(let named, let given)):
            (destination, sources) = (named, given)
        default: return nil
        }
        return id.map { $0 == destination } ?? true ? sources : nil
    }
}

extension KnownFacts {
    /// What is known of a session in which somebody, or nobody, is signed in.
    fileprivate init(isSignedIn: Bool, _ session: AppModel.Session) {
        self.isSignedIn = isSignedIn
        // No effect's condition asks for a fresh sign-in.
        isFresh = session.isStale == false
        appVersion = session.appVersion
        let facts = session.facts
        value = { facts[$0] ?? .known(nil) }
    }
}
