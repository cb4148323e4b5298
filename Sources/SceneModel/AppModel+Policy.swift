internal import SceneRouting
package import SceneVocabulary

/// Whether something holds; `nil` if what is known does not decide it.
package typealias Truth = Bool?

/// What is known of the session, from which a predicate is judged.
package struct KnownFacts: Sendable {
    /// Whether somebody is signed in.
    package let isSignedIn: Bool
    /// Whether the sign-in is fresh.
    package let isFresh: Bool
    /// The value of a fact: absent is `.some(nil)`; `nil` if it is not known.
    let value: @Sendable (String) -> FactValue??

    /// A session of which only this is known.
    package init(isSignedIn: Bool, isFresh: Bool) {
        self.isSignedIn = isSignedIn
        self.isFresh = isFresh
        value = { _ in nil }
    }

    /// The session as it would be if nobody were signed in: facts of the user have their defaults
    /// (S9 of <doc:/SceneRuntime/TheSession>).
    init(nobodyWith facts: [String: FactDeclaration]) {
        isSignedIn = false
        isFresh = false
        value = { name in
            guard let fact = facts[name], fact.scope == .user else { return nil }
            return .some(fact.defaultValue)
        }
    }
}

extension AppModel {
    /// Whether a predicate holds, as far as the facts decide it. Parameters are not known.
    static func holds(_ predicate: FactPredicate, _ facts: KnownFacts) -> Truth {
        switch predicate {
        case .always: true
        case .signedIn: facts.isSignedIn
        case .freshSignIn: facts.isSignedIn && facts.isFresh
        case .present(let fact): facts.value(fact).map(isPresent)
        case .contains(let fact, .value(let value)):
            facts.value(fact).map { list in
                guard case .strings(let list) = list, case .string(let text) = value else { return false }
                return list.contains(text)
            }
        case .compare(let fact, .equal, .value(let value)): facts.value(fact).flatMap { isEqual($0, value) }
        case .compare(let fact, .notEqual, .value(let value)):
            facts.value(fact).flatMap { isEqual($0, value).map { !$0 } }
        case .oneOf(let fact, let values):
            facts.value(fact).flatMap { known in any(values.map { isEqual(known, $0) }) }
        case .compare, .contains, .appVersion, .period: nil
        case .all(let parts): all(parts.map { holds($0, facts) })
        case .any(let parts): any(parts.map { holds($0, facts) })
        case .not(let part): holds(part, facts).map { !$0 }
        }
    }

    static func all(_ truths: [Truth]) -> Truth { any(truths.map { $0.map { !$0 } }).map { !$0 } }

    private static func any(_ truths: [Truth]) -> Truth {
        if truths.contains(true) { return true }
        return truths.contains { $0 == nil } ? nil : false
    }

    private static func isPresent(_ value: FactValue?) -> Bool {
        switch value {
        case nil: false
        case .string(let text): !text.isEmpty
        case .strings(let list): !list.isEmpty
        default: true
        }
    }

    /// `nil` for values of different types, which the model leaves to the runtime.
    private static func isEqual(_ one: FactValue?, _ other: FactValue) -> Truth {
        switch (one, other) {
        case (nil, _): false
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.boolean(let one), .boolean(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        default: nil
        }
    }

    /// Whether a precondition or condition holds, as far as the facts decide it; `nil` for an unknown name, too.
    package func holds(_ name: String, _ facts: KnownFacts) -> Truth {
        predicate(name).flatMap { Self.holds($0, facts) }
    }

    /// Whether a precondition or condition would hold if nobody were signed in; `nil` as above.
    package func holdsForNobody(_ name: String) -> Truth { holds(name, nobody) }

    private func predicate(_ name: String) -> FactPredicate? { preconditions[name]?.holds ?? conditions[name]?.holds }

    /// Whether a fresh sign-in decides whether the predicate holds.
    package func asksForFreshSignIn(_ name: String) -> Bool {
        predicate(name).map { Self.looks($0, at: .freshness) } ?? false
    }

    /// What a predicate may look at.
    enum Subject { case time, parameters, freshness }

    static func looks(_ predicate: FactPredicate, at subject: Subject) -> Bool {
        switch predicate {
        case .period: subject == .time
        case .freshSignIn: subject == .freshness
        case .compare(_, _, .parameter), .contains(_, .parameter): subject == .parameters
        case .all(let parts), .any(let parts): parts.contains { looks($0, at: subject) }
        case .not(let part): looks(part, at: subject)
        default: false
        }
    }

    // MARK: - Verdicts

    /// What the engine may answer to a request; several if what is known does not decide it.
    package struct Answer: Hashable, Sendable {
        package let verdict: RouteVerdict
        /// For `gated` the precondition, for `refused` the condition.
        package let reason: String?
    }

    /// The answers to a request for a destination: the first of the roots, of its ancestry's preconditions and its own that
    /// does not hold gates it, then the first of the conditions refuses it. None for a destination that the app does not have.
    ///
    /// - Parameter holds: Whether a precondition or condition holds.
    package func answers(_ id: String, _ holds: (String) -> Truth) -> [Answer] {
        guard let declaration = destination(id) else { return [] }
        let path = declaration.ancestry.compactMap(destination) + [declaration]
        var answers: [Answer] = []
        for (names, verdict) in [
            (manifest.roots.map(\.flow) + path.flatMap(\.preconditions), RouteVerdict.gated),
            (path.flatMap(\.conditions), .refused),
        ] {
            for name in names {
                let truth = holds(name)
                if truth != true { answers.append(Answer(verdict: verdict, reason: name)) }
                if truth == false { return answers }
            }
        }
        return answers + [Answer(verdict: .proceed, reason: nil)]
    }

    /// Whether what is shown may stay, by what it needs itself.
    ///
    /// - Parameter forbids: Whether what needs this must go.
    package func mayStay(_ id: String, _ forbids: (String) -> Truth) -> Truth {
        isScreen(id) ? Self.all(needs(of: id).map { forbids($0).map { !$0 } }) : false
    }

    /// The flow to be shown instead of tabs; `.some(nil)` while the tabs are, `nil` if that is not known.
    package func root(_ holds: (String) -> Truth) -> String?? {
        for root in manifest.roots {
            switch holds(root.flow) {
            case false: return .some(root.flow)
            case nil: return nil
            default: continue
            }
        }
        return .some(manifest.tabs.isEmpty ? manifest.roots.last?.flow : nil)
    }
}
