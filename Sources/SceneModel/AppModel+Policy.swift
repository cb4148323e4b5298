internal import SceneRouting
package import SceneVocabulary

/// Whether something holds; `nil` if what is known does not decide it.
package typealias Truth = Bool?

/// What is known of the session and of a destination, from which a predicate is judged.
package struct KnownFacts: Sendable {
    /// Whether somebody is signed in.
    let isSignedIn: Bool
    /// Whether the sign-in is fresh.
    let isFresh: Bool
    /// The version of the app that conditions see.
    var appVersion = Known<String?>.unknown
    /// The destination's parameters; `nil` if they are not known.
    package var parameters: [String: String]?
    /// The names of parameters whose values are not known.
    package var unknownParameters: Set<String> = []
    /// Whether the window is locked.
    package var isLocked = false
    /// The time in seconds since 1970; `nil` if it is not known.
    package var wall: Double?
    /// The value of a fact.
    let value: @Sendable (String) -> AppModel.KnownValue

    /// The session as it would be if nobody were signed in: facts of the user have their defaults
    /// (S9 of <doc:/SceneRuntime/TheSession>).
    init(nobodyWith facts: [String: FactDeclaration]) {
        isSignedIn = false
        isFresh = false
        value = { name in
            guard let fact = facts[name], fact.scope == .user else { return .unknown }
            return .known(fact.defaultValue)
        }
    }

    fileprivate init(_ session: SessionState, _ model: AppModel, isFresh: Bool) {
        isSignedIn = session.user != nil
        self.isFresh = isFresh
        // Records that do not carry facts do not carry the version either.
        appVersion = session.facts == nil ? .unknown : .known(session.appVersion)
        value = { name in model.value(name, in: session.facts) }
    }
}

extension AppModel {
    /// The facts by which a predicate is judged in a session.
    ///
    /// - Parameter isShown: Whether it is about what is shown already, for which a stale sign-in counts as fresh
    ///   (S10 of <doc:/SceneRuntime/TheSession>).
    package func known(_ session: SessionState, isShown: Bool = false) -> KnownFacts {
        KnownFacts(session, self, isFresh: session.user != nil && (isShown || !session.isStale))
    }

    /// Whether a predicate holds, as far as what is known decides it.
    static func holds(_ predicate: FactPredicate, _ facts: KnownFacts) -> Truth {
        switch predicate {
        case .always: true
        case .signedIn: facts.isSignedIn
        case .freshSignIn: facts.isSignedIn && facts.isFresh
        case .present(let fact): with(facts.value(fact), isPresent)
        case .contains(let fact, let operand):
            with(facts.value(fact)) { list in
                with(value(operand, facts, like: nil)) { element in
                    guard case .strings(let list) = list, case .string(let text) = element else { return false }
                    return list.contains { $0.utf8.elementsEqual(text.utf8) }
                }
            }
        case .compare(let fact, let comparison, let operand):
            with(facts.value(fact)) { one in
                with(value(operand, facts, like: one)) { other in Self.holds(comparison, order(one, other)) }
            }
        case .oneOf(let fact, let values):
            with(facts.value(fact)) { one in values.contains { order(one, $0) == 0 } }
        case .appVersion(let comparison, let version):
            switch facts.appVersion {
            case .unknown: nil
            case .known(let mine):
                if let mine = mine.flatMap(numbers), let theirs = numbers(version) {
                    Self.holds(comparison, order(mine, theirs))
                } else {
                    false
                }
            }
        case .period(let from, let until):
            all([
                from.map { moment in has(moment, facts) { $0 >= $1 } } ?? true,
                until.map { moment in has(moment, facts) { $0 < $1 } } ?? true,
            ])
        case .all(let parts): all(parts.map { holds($0, facts) })
        case .any(let parts): any(parts.map { holds($0, facts) })
        case .not(let part): holds(part, facts).map { !$0 }
        }
    }

    /// Whether the time is so to a moment, which may have no date.
    private static func has(
        _ moment: FactPredicate.Moment,
        _ facts: KnownFacts,
        _ isSo: (_ now: Double, _ then: Double) -> Bool
    ) -> Truth {
        func judge(_ value: FactValue?, _ offset: Duration) -> Truth {
            guard case .string(let text) = value, let date = Instant.seconds(text) else { return false }
            let then = date + Double(offset.components.seconds) + Double(offset.components.attoseconds) / 1e18
            return facts.wall.map { isSo($0, then) }
        }
        return switch moment {
        case .date(let seconds): facts.wall.map { isSo($0, seconds) }
        case .fact(let fact, let offset): with(facts.value(fact)) { judge($0, offset) }
        case .parameter(let name, let offset):
            with(value(.parameter(name), facts, like: nil)) { judge($0, offset) }
        }
    }

    private static func with(_ value: KnownValue, _ judge: (FactValue?) -> Truth) -> Truth {
        if case .known(let value) = value { judge(value) } else { nil }
    }

    /// The other side of a comparison. A parameter is read as the type that it is compared with.
    private static func value(_ operand: FactPredicate.Operand, _ facts: KnownFacts, like one: FactValue?) -> KnownValue
    {
        switch operand {
        case .value(let value): return .known(value)
        case .parameter(let name):
            guard let parameters = facts.parameters, !facts.unknownParameters.contains(name) else { return .unknown }
            guard let text = parameters[name] else { return .known(nil) }
            switch one {
            case .integer: return .known(Int(text).map(FactValue.integer))
            case .number: return .known(Double(text).map(FactValue.number))
            case .boolean: return .known(["true": .boolean(true), "false": .boolean(false)][text])
            default: return .known(.string(text))
            }
        }
    }

    /// Whether a relation holds for two values in this order; only `notEqual` does for those that have none.
    private static func holds(_ comparison: FactPredicate.Comparison, _ order: Int?) -> Bool {
        switch comparison {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order.map { $0 < 0 } ?? false
        case .lessOrEqual: order.map { $0 <= 0 } ?? false
        case .greater: order.map { $0 > 0 } ?? false
        case .greaterOrEqual: order.map { $0 >= 0 } ?? false
        }
    }

    /// Negative, zero or positive; `nil` for values that cannot be compared.
    private static func order(_ one: FactValue?, _ other: FactValue?) -> Int? {
        func order<Number: Comparable>(_ one: Number, _ other: Number) -> Int {
            one < other ? -1 : one == other ? 0 : 1
        }
        return switch (one, other) {
        case (.string(let one), .string(let other)): AppModel.order(Array(one.utf8), Array(other.utf8))
        case (.integer(let one), .integer(let other)): order(one, other)
        case (.integer(let one), .number(let other)): order(Double(one), other)
        case (.number(let one), .integer(let other)): order(one, Double(other))
        case (.number(let one), .number(let other)): order(one, other)
        case (.boolean(let one), .boolean(let other)): order(one ? 1 : 0, other ? 1 : 0)
        case (.strings(let one), .strings(let other)):
            one.map { Array($0.utf8) } == other.map { Array($0.utf8) } ? 0 : nil
        default: nil
        }
    }

    /// The order of two lists by their first difference.
    private static func order<Element: Comparable>(_ one: [Element], _ other: [Element]) -> Int {
        one.lexicographicallyPrecedes(other) ? -1 : one == other ? 0 : 1
    }

    /// The numbers of an app's version, without zeros at the end; `nil` for anything else than 1 to 8 numbers between dots.
    private static func numbers(_ version: String) -> [Int]? {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) : nil }
        guard (1...8).contains(parts.count), numbers.count == parts.count else { return nil }
        return Array(numbers.reversed().drop { $0 == 0 }.reversed())
    }

    static func all(_ truths: [Truth]) -> Truth { any(truths.map { $0.map { !$0 } }).map { !$0 } }

    static func any(_ truths: [Truth]) -> Truth {
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

    /// Whether a precondition or condition holds, as far as the facts decide it; `nil` for an unknown name, too.
    package func holds(_ name: String, _ facts: KnownFacts) -> Truth {
        if name == lockFlow { return !facts.isLocked }
        return predicate(name).flatMap { Self.holds($0, facts) }
    }

    /// Whether a window that is left in this session is locked.
    package func locks(_ session: SessionState) -> Truth {
        manifest.lock.map { Self.holds($0.when, known(session)) } ?? false
    }

    /// Whether a precondition or condition would hold if nobody were signed in; `nil` as above.
    package func holdsForNobody(_ name: String) -> Truth { holds(name, nobody) }

    /// Whether the app has a precondition or condition of this name.
    package func declares(need name: String) -> Bool { predicate(name) != nil }

    private func predicate(_ name: String) -> FactPredicate? { preconditions[name]?.holds ?? conditions[name]?.holds }

    /// Whether a fresh sign-in decides whether the predicate holds.
    package func asksForFreshSignIn(_ name: String) -> Bool {
        predicate(name).map { Self.looks($0, at: .freshness) } ?? false
    }

    /// What a predicate may look at.
    enum Subject: Equatable {
        case time, parameters, freshness
        /// Who is signed in, or one of these facts.
        case user(facts: Set<String>)
    }

    static func looks(_ predicate: FactPredicate, at subject: Subject) -> Bool {
        switch predicate {
        case .period(let from, let until):
            subject == .time
                || [from, until].contains { end in
                    switch end {
                    case .fact(let fact, _): subject.includes(fact)
                    case .parameter: subject == .parameters
                    case .date, nil: false
                    }
                }
        case .signedIn: subject.isUser
        case .freshSignIn: subject == .freshness || subject.isUser
        case .present(let fact), .oneOf(let fact, _): subject.includes(fact)
        case .compare(let fact, _, .parameter), .contains(let fact, .parameter):
            subject == .parameters || subject.includes(fact)
        case .compare(let fact, _, .value), .contains(let fact, .value): subject.includes(fact)
        case .all(let parts), .any(let parts): parts.contains { looks($0, at: subject) }
        case .not(let part): looks(part, at: subject)
        case .always, .appVersion: false
        }
    }

    // MARK: - Verdicts

    /// What the engine may answer to a request; several if what is known does not decide it.
    package struct Answer: Hashable, Sendable {
        package let verdict: RouteVerdict
        /// For `gated` the precondition, for `refused` the condition.
        package let reason: String?

        /// The answer to a request that is for another user than the one who is signed in.
        package static let otherUser = Answer(verdict: .refused, reason: "otherUser")
    }

    /// The answers to a request for a destination. The first of the conditions of its ancestry and its own that look at nobody and
    /// does not hold refuses it; then the lock, or the first of the roots and of the preconditions gates it; then the first of the other
    /// conditions refuses it. None for a destination that the app does not have.
    ///
    /// - Parameter holds: Whether a precondition or condition holds for the destination of this ID, which the condition is declared
    ///   with.
    package func answers(_ id: String, _ holds: (_ name: String, _ id: String) -> Truth) -> [Answer] {
        guard let declaration = destination(id) else { return [] }
        let path = declaration.ancestry.compactMap(destination) + [declaration]
        let roots = declaration.isOverCurrent ? [] : manifest.roots.map { ($0.flow, id) }
        let conditions = path.flatMap { step in step.conditions.map { ($0, step.id) } }
        var answers: [Answer] = []
        for (needs, verdict) in [
            (conditions.filter { !personal.contains($0.0) }, RouteVerdict.refused),
            (
                (lockFlow.map { [($0, id)] } ?? []) + roots
                    + path.flatMap { step in step.preconditions.map { ($0, step.id) } }, .gated
            ),
            (conditions.filter { personal.contains($0.0) }, .refused),
        ] {
            for (name, owner) in needs {
                let truth = holds(name, owner)
                if truth != true { answers.append(Answer(verdict: verdict, reason: name)) }
                if truth == false { return answers }
            }
        }
        return answers + [Answer(verdict: .proceed, reason: nil)]
    }

    /// The facts with the parameters that a condition sees which is declared with the destination of this ID, on the way to another:
    /// what that one takes of them. Those that were left out have their defaults; one that depends on the market or the locale is
    /// not known.
    package func known(_ facts: KnownFacts, of id: String, onTheWayTo wanted: Destination) -> KnownFacts {
        var (all, unknown) = (wanted.parameters, Set<String>())
        for parameter in destination(wanted.id)?.parameters ?? [] where all[parameter.name] == nil {
            if parameter.variantDefaults.isEmpty {
                all[parameter.name] = parameter.canonicalDefault
            } else {
                unknown.insert(parameter.name)
            }
        }
        var known = facts
        known.unknownParameters = unknown
        known.parameters = all
        guard id != wanted.id else { return known }
        known.parameters = [:]
        for parameter in destination(id)?.parameters ?? [] {
            known.parameters?[parameter.name] = all[parameter.name] ?? parameter.canonicalDefault
        }
        return known
    }

    /// Whether what is shown may stay: the app has it, and what it needs itself holds.
    ///
    /// - Parameters:
    ///   - earlier: As ``allows(_:since:)`` has them.
    ///   - forbids: Whether what needs this must go.
    package func mayStay(_ shown: Destination, since earlier: [AppModel]?, _ forbids: (String) -> Truth) -> Truth {
        Self.all([allows(shown, since: earlier)] + needs(of: shown.id).map { forbids($0).map { !$0 } })
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

extension AppModel.Subject {
    fileprivate var isUser: Bool { if case .user = self { true } else { false } }

    fileprivate func includes(_ fact: String) -> Bool {
        if case .user(let facts) = self { facts.contains(fact) } else { false }
    }
}
