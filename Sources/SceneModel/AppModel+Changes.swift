internal import SceneVocabulary
internal import SceneRouting
package import StrictJSON

// What the session becomes, by <doc:/SceneRuntime/TheSession>.
extension AppModel {
    /// The session that effects make, as far as it is known.
    private struct Change {
        let model: AppModel
        var user: Known<String?>
        var isStale: Bool
        var facts: [String: KnownValue]

        init(_ model: AppModel, _ before: SessionState) {
            self.model = model
            user = .known(before.user)
            isStale = before.isStale
            facts = model.facts.mapValues { model.value($0.name, in: before.facts) }
        }

        private var isSignedIn: Bool {
            if case .known(nil) = user { false } else { true }
        }

        mutating func leave() {
            for fact in model.facts.values where fact.scope == .user { facts[fact.name] = .known(fact.defaultValue) }
        }

        mutating func signIn(_ next: String) {
            // Whoever signs in after nobody keeps the facts.
            if case .known(let user?) = user, !user.utf8.elementsEqual(next.utf8) { leave() }
            user = .known(next)
            isStale = false
        }

        /// Somebody signs in who is not known, and may be somebody else.
        mutating func signInUnknown() {
            if case .known(nil) = user {
            } else {
                for fact in model.facts.values where fact.scope == .user { facts[fact.name] = .unknown }
            }
            user = .unknown
            isStale = false
        }

        /// Sets a fact. A text is read as the fact's type; one that cannot be is refused, and so is everything.
        mutating func set(_ name: String, _ value: KnownValue) {
            switch (model.facts[name]?.type, value) {
            case (_, .known(nil)): return
            case (.string, .known(.string)), (.boolean, .known(.boolean)), (.integer, .known(.integer)),
                (.number, .known(.number)), (.strings, .known(.strings)):
                facts[name] = value
            case (.number, .known(.integer(let integer))): facts[name] = .known(.number(Double(integer)))
            case (.integer, .known(.string(let text))): facts[name] = Int(text).map { .known(.integer($0)) } ?? .unknown
            case (.number, .known(.string(let text))):
                facts[name] = Double(text).flatMap { $0.isFinite ? .known(.number($0)) : nil } ?? .unknown
            case (.boolean, .known(.string("true"))): facts[name] = .known(.boolean(true))
            case (.boolean, .known(.string("false"))): facts[name] = .known(.boolean(false))
            default: facts[name] = .unknown
            }
        }

        mutating func append(_ name: String, _ element: Known<String?>) {
            switch (facts[name], element) {
            case (_, .known(nil)): return
            case (.known(.strings(let list)), .known(let element?)):
                if list.contains(where: { $0.utf8.elementsEqual(element.utf8) }) { return }
                facts[name] = .known(.strings(list + [element]))
            case (.known(nil), .known(let element?)): facts[name] = .known(.strings([element]))
            default: facts[name] = .unknown
            }
        }

        mutating func apply(_ effects: [IntentEffect], _ environment: Environment) {
            var environment = environment
            for effect in effects {
                defer { environment.pass(effect) }
                switch effect {
                case .set(let fact, let source): set(fact, environment.value(source))
                case .append(let fact, let source): append(fact, AppModel.text(environment.value(source)))
                case .reset(let fact): facts[fact] = .known(model.facts[fact]?.defaultValue)
                case .signOut:
                    if isSignedIn { leave() }
                    user = .known(nil)
                    isStale = false
                case .markStale: isStale = isSignedIn
                case .route, .push, .replace, .back, .complete, .cancel: continue
                }
            }
        }

        /// The facts as JSON; `nil` if one is not known.
        var json: [String: JSONValue]? {
            var known: [String: JSONValue] = [:]
            for (name, value) in facts {
                guard case .known(let value) = value else { return nil }
                switch value {
                case nil: continue
                case .string(let text): known[name] = .string(text)
                case .integer(let integer): known[name] = .integer(integer)
                case .number(let number): known[name] = .number(number)
                case .boolean(let bool): known[name] = .bool(bool)
                case .strings(let list): known[name] = .array(list.map(JSONValue.string))
                }
            }
            return known
        }
    }

    /// The session after what a flow reports, and after all that follows.
    ///
    /// - Parameter isSteady: Whether nobody else has committed since the dispatch began, so that the facts at which the completion
    ///   looks are those that the report makes.
    private func changes(
        _ consequences: Consequences,
        to before: SessionState,
        isSteady: Bool
    ) -> (reported: Change, all: Change) {
        var change = Change(self, before)
        for case .complete(let parameter?) in consequences.effects {
            switch Self.text(consequences.parameters[parameter] ?? .known(nil)) {
            case .known(let user?): change.signIn(user)
            case .known(nil): break
            case .unknown: change.signInUnknown()
            }
        }
        if case .completed(let user?, _) = consequences.reported { change.signIn(user) }
        change.apply(consequences.effects, Environment(self, consequences.parameters, consequences.facts))
        if case .completed(_, let facts) = consequences.reported {
            for (name, json) in facts { change.set(name, value(json, of: name).map { .known($0) } ?? .unknown) }
        }
        let reported = change
        change.apply(consequences.completion, Environment(self, [:], isSteady ? reported.json : nil))
        return (reported, change)
    }

    /// The facts at which the effects of the completion look; `nil` if they are not known.
    package func completedFacts(
        _ consequences: Consequences,
        after before: SessionState,
        isSteady: Bool
    ) -> [String: JSONValue]? {
        guard isSteady, consequences.isKnown else { return nil }
        return changes(consequences, to: before, isSteady: isSteady).reported.json
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
        if right.isStale != after.isStale {
            objections.append("\(right.isStale ? "makes the sign-in stale" : "makes no sign-in stale")")
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
        let completes = consequences.effects.contains { if case .complete = $0 { true } else { false } }
        let signsOut = consequences.all.contains(.signOut)
        let isNews = after.isStale && !before.isStale && after.user == before.user
        if isNews, !consequences.all.contains(.markStale) { return "makes no sign-in stale" }
        if after.user != before.user {
            return after.user == nil
                ? signsOut ? nil : "signs nobody out" : completes ? nil : "signs nobody in"
        }
        return after.user != nil && signsOut && !completes ? "signs the user out" : nil
    }

    // MARK: - Facts

    /// The facts of a new session.
    package var startingFacts: [String: JSONValue] { adopting([:]) }

    /// The facts when the user has left and nobody else has come.
    package func factsOfNobody(after facts: [String: JSONValue]) -> [String: JSONValue]? {
        var change = Change(self, SessionState(user: nil, isStale: false, facts: facts, appVersion: nil))
        change.leave()
        return change.json
    }

    /// The facts under this manifest after those under another: what it does not declare, or as another type, is dropped, and new
    /// ones have their defaults.
    package func adopting(_ facts: [String: JSONValue]) -> [String: JSONValue] {
        let kept = facts.filter { value($0.value, of: $0.key) != nil }
        return Change(self, SessionState(user: nil, isStale: false, facts: kept, appVersion: nil)).json ?? [:]
    }

    /// Why the app has no such facts, as clauses.
    package func objections(toFacts facts: [String: JSONValue]) -> [String] {
        facts.sorted { $0.key < $1.key }.compactMap { name, json in
            guard let declaration = self.facts[name] else { return "the app has no fact \(name)" }
            return value(json, of: name) == nil
                ? "\(json.text()) is not a \(declaration.type.rawValue), as \(name) is" : nil
        }
    }
}
