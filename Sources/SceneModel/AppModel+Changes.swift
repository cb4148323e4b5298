internal import SceneVocabulary
internal import SceneRouting
package import StrictJSON

// What the session becomes, by <doc:/SceneRuntime/TheSession>.
extension AppModel {
    /// A session, as far as it is known.
    struct Session: Sendable {
        private let model: AppModel
        private(set) var user: Known<String?>
        private(set) var isSignedIn: Truth
        private(set) var isStale: Truth
        private(set) var facts: [String: KnownValue]
        let appVersion: Known<String?>

        /// A session that records describe; `nil` if they do not.
        init(_ model: AppModel, _ state: SessionState?) {
            self.model = model
            user = state.map { .known($0.user) } ?? .unknown
            isSignedIn = state.map { $0.user != nil }
            isStale = state?.isStale
            facts = model.facts.mapValues { model.value($0.name, in: state?.facts) }
            // Records that do not carry facts do not carry the version either.
            appVersion = state?.facts == nil ? .unknown : .known(state?.appVersion)
        }

        mutating func leave() {
            for fact in model.facts.values where fact.scope == .user { facts[fact.name] = .known(fact.defaultValue) }
        }

        mutating func signIn(_ next: String) {
            // Whoever signs in after nobody keeps the facts.
            switch user {
            case .known(nil): break
            case .known(let user?): if !user.utf8.elementsEqual(next.utf8) { leave() }
            case .unknown: maybe { $0.leave() }
            }
            user = .known(next)
            isSignedIn = true
            isStale = false
        }

        /// Somebody signs in who is not known, and may be somebody else.
        mutating func signInUnknown() {
            if isSignedIn != false {
                for fact in model.facts.values where fact.scope == .user { facts[fact.name] = .unknown }
            }
            user = .unknown
            isSignedIn = true
            isStale = false
        }

        private mutating func signOut() {
            switch isSignedIn {
            case true: leave()
            case false: break
            default: maybe { $0.leave() }
            }
            user = .known(nil)
            isSignedIn = false
            isStale = false
        }

        /// Does something that may also not happen: what it changes is not known then.
        private mutating func maybe(_ change: (inout Session) -> Void) {
            var other = self
            change(&other)
            for (name, value) in other.facts where facts[name] != value { facts[name] = .unknown }
            if other.user != user { user = .unknown }
            if other.isSignedIn != isSignedIn { isSignedIn = nil }
            if other.isStale != isStale { isStale = nil }
        }

        /// Sets a fact. A text is read as the fact's type; one that cannot be is refused, and so is everything.
        mutating func set(_ name: String, _ value: KnownValue) {
            switch (model.facts[name]?.type, value) {
            case (_, .known(nil)): return
            case (.string, .known(.string)), (.boolean, .known(.boolean)), (.integer, .known(.integer)),
                (.number, .known(.number)), (.strings, .known(.strings)):
                facts[name] = value
            case (.number, .known(.integer(let integer))): facts[name] = .known(.number(Double(integer)))
            case (.date, .known(.string(let text))):
                facts[name] = Instant.canonical(text).map { .known(.string($0)) } ?? .unknown
            case (.integer, .known(.string(let text))): facts[name] = Int(text).map { .known(.integer($0)) } ?? .unknown
            case (.number, .known(.string(let text))):
                facts[name] = Double(text).flatMap { $0.isFinite ? .known(.number($0)) : nil } ?? .unknown
            case (.boolean, .known(.string("true"))): facts[name] = .known(.boolean(true))
            case (.boolean, .known(.string("false"))): facts[name] = .known(.boolean(false))
            default: facts[name] = .unknown
            }
        }

        private mutating func append(_ name: String, _ element: Known<String?>) {
            switch (facts[name], element) {
            case (_, .known(nil)): return
            case (.known(.strings(let list)), .known(let element?)):
                if list.contains(where: { $0.utf8.elementsEqual(element.utf8) }) { return }
                facts[name] = .known(.strings(list + [element]))
            case (.known(nil), .known(let element?)): facts[name] = .known(.strings([element]))
            default: facts[name] = .unknown
            }
        }

        private mutating func remove(_ name: String, _ element: Known<String?>) {
            switch (facts[name], element) {
            case (_, .known(nil)), (.known(nil), _): return
            case (.known(.strings(let list)), .known(let element?)):
                facts[name] = .known(.strings(list.filter { !$0.utf8.elementsEqual(element.utf8) }))
            default: facts[name] = .unknown
            }
        }

        /// Counts. A sum that an integer cannot have is refused, and so is everything.
        private mutating func add(_ name: String, _ amount: KnownValue) {
            let more: Int
            switch amount {
            case .known(.integer(let integer)): more = integer
            case .known(.string(let text)):
                guard let integer = Int(text) else { return }
                more = integer
            case .known: return
            case .unknown:
                facts[name] = .unknown
                return
            }
            switch (model.facts[name]?.type, facts[name]) {
            case (.integer, .known(nil)): facts[name] = .known(.integer(more))
            case (.integer, .known(.integer(let count))):
                // What is above the greatest integer, or below the least, is found before it is made.
                let isPossible = more > 0 ? count <= Int.max - more : count >= Int.min - more
                facts[name] = isPossible ? .known(.integer(count + more)) : .unknown
            case (.number, .known(nil)): facts[name] = .known(.number(Double(more)))
            case (.number, .known(.number(let number))): facts[name] = .known(.number(number + Double(more)))
            case (.number, .known(.integer(let count))):
                facts[name] = .known(.number(Double(count) + Double(more)))
            default: facts[name] = .unknown
            }
        }

        /// Makes the change of an effect, if it makes one.
        mutating func apply(_ possible: Possible, _ environment: Environment) {
            guard possible.isCertain else { return maybe { $0.apply(possible.effect, environment) } }
            apply(possible.effect, environment)
        }

        private mutating func apply(_ effect: IntentEffect, _ environment: Environment) {
            switch effect {
            case .set(let fact, let source): set(fact, environment.value(source))
            case .append(let fact, let source): append(fact, AppModel.text(environment.value(source)))
            case .remove(let fact, let source): remove(fact, AppModel.text(environment.value(source)))
            case .add(let fact, let source): add(fact, environment.value(source))
            case .reset(let fact): facts[fact] = .known(model.facts[fact]?.defaultValue)
            case .signOut: signOut()
            case .markStale: isStale = isSignedIn
            case .route, .push, .replace, .pop, .popTo, .popToRoot, .start, .complete, .cancel, .openWindow, .answer,
                .closeWindow, .closeWindows, .refreshWindow, .refreshWindows, .when:
                return
            }
        }

        /// Makes the changes of effects, which look at another session than this: that by which they were decided.
        mutating func apply(_ effects: [Possible], _ environment: Environment) {
            var environment = environment
            for possible in effects {
                apply(possible, environment)
                environment.pass(possible)
            }
        }

        /// The facts as JSON; `nil` if one is not known.
        var json: [String: JSONValue]? {
            var known: [String: JSONValue] = [:]
            for (name, value) in facts {
                guard case .known(let value) = value else { return nil }
                known[name] = value?.json
            }
            return known
        }
    }

    /// The session after what a flow reports, and after all that follows.
    ///
    /// - Parameter isSteady: Whether nobody else has committed since the dispatch began, so that the session at which the completion
    ///   looks is the one that the report makes.
    private func changes(
        _ consequences: Consequences,
        to before: SessionState,
        isSteady: Bool
    ) -> (reported: Session, all: Session) {
        var session = Session(self, before)
        for possible in consequences.effects {
            guard case .complete(let parameter?, _) = possible.effect else { continue }
            switch Self.text(consequences.parameters[parameter] ?? .known(nil)) {
            case .known(let user?): session.signIn(user)
            case .known(nil): break
            case .unknown: session.signInUnknown()
            }
        }
        if case .completed(let user?, _, _) = consequences.reported { session.signIn(user) }
        session.apply(consequences.effects, Environment(consequences.parameters, consequences.session))
        if case .completed(_, let facts, _) = consequences.reported {
            for (name, json) in facts { session.set(name, value(json, of: name).map { .known($0) } ?? .unknown) }
        }
        let reported = session
        let ended = Environment([:], isSteady ? reported : Session(self, nil))
        session.apply(ended.taken(consequences.completion), ended)
        return (reported, session)
    }

    /// The same, once it is known at which session the effects of the completion look: at what the report makes of this one, if
    /// nobody else has committed since the dispatch began.
    package func reported(
        _ consequences: Consequences,
        to before: SessionState,
        isSteady: Bool
    ) -> Consequences {
        var consequences = consequences
        let isKnown = isSteady && consequences.isKnown
        consequences.completed =
            isKnown ? changes(consequences, to: before, isSteady: true).reported : Session(self, nil)
        return consequences
    }

    /// Why they do not change the session like this, as clauses.
    package func objections(
        to after: SessionState,
        _ before: SessionState,
        by consequences: Consequences,
        isSteady: Bool
    ) -> [String] {
        if !consequences.commits { return ["does not change the session"] }
        if let user = after.user, user != before.user, !NameRule.allows(user) {
            return ["signs in \(user.utf8.count) bytes that are no name"]
        }
        if !consequences.isKnown { return vagueObjection(to: after, before, consequences).map { [$0] } ?? [] }
        let right = changes(consequences, to: before, isSteady: isSteady).all
        var objections: [String] = []
        if case .known(let user) = right.user, user != after.user {
            objections.append("signs \(user ?? "nobody") in, not \(after.user ?? "nobody")")
        }
        if let isStale = right.isStale, isStale != after.isStale {
            objections.append("\(isStale ? "makes the sign-in stale" : "makes no sign-in stale")")
        }
        guard before.facts != nil, let facts = after.facts else { return objections }
        for (name, value) in right.facts.sorted(by: { $0.key < $1.key }) {
            guard case .known(let value) = value else { continue }
            let said = facts[name].map { self.value($0, of: name) }
            // Whoever reads a fact sees its default if it has no value.
            if (said ?? self.facts[name]?.defaultValue) != value {
                objections.append("does not make \(name) \(facts[name]?.text() ?? "absent")")
            }
        }
        return objections
    }

    /// The same if it is not known what came with it.
    private func vagueObjection(
        to after: SessionState,
        _ before: SessionState,
        _ consequences: Consequences
    ) -> String? {
        let completes = consequences.effects.contains(where: \.completes)
        let signsOut = consequences.mayBe(.signOut)
        let isNews = after.isStale && !before.isStale && after.user == before.user
        if isNews, !consequences.mayBe(.markStale) { return "makes no sign-in stale" }
        if after.user != before.user {
            return after.user == nil
                ? signsOut ? nil : "signs nobody out" : completes ? nil : "signs nobody in"
        }
        return after.user != nil && signsOut && !completes ? "signs the user out" : nil
    }

    // MARK: - Facts

    /// The facts of a new session.
    package var startingFacts: [String: JSONValue] { declared([:]) }

    /// The facts when the user has left and nobody else has come.
    package func factsOfNobody(after facts: [String: JSONValue]) -> [String: JSONValue]? {
        var session = Session(self, SessionState(user: nil, isStale: false, facts: facts, appVersion: nil))
        session.leave()
        return session.json
    }

    /// The facts that this manifest declares, in their types: what it does not declare, or as another type, is left out, and what is
    /// missing has its default.
    package func declared(_ facts: [String: JSONValue]) -> [String: JSONValue] {
        let kept = facts.filter { value($0.value, of: $0.key) != nil }
        return Session(self, SessionState(user: nil, isStale: false, facts: kept, appVersion: nil)).json ?? [:]
    }

    /// The facts under this manifest after those under another: what it declares as the other does is kept; what it does not declare is
    /// dropped, and what is new, or of another type or scope, has its default.
    package func adopting(_ facts: [String: JSONValue], of former: AppModel) -> [String: JSONValue] {
        declared(
            facts.filter { name, _ in
                guard let declaration = self.facts[name], let before = former.facts[name] else { return false }
                return declaration.type == before.type && declaration.scope == before.scope
            }
        )
    }

    /// Whether a fact is a secret, of which records have a placeholder.
    package func isSecret(fact name: String) -> Bool { facts[name]?.isSecret ?? false }

    /// Why the app has no such facts, as clauses.
    package func objections(toFacts facts: [String: JSONValue]) -> [String] {
        facts.sorted { $0.key < $1.key }.compactMap { name, json in
            guard let declaration = self.facts[name] else { return "the app has no fact \(name)" }
            return value(json, of: name) == nil
                ? "\(json.text()) is not a \(declaration.type.rawValue), as \(name) is" : nil
        }
    }
}
