/// What may become of the session.
struct SessionChanges {
    /// What may become of a fact.
    enum FactChange: Hashable {
        /// It may get any value.
        case anything
        case to(FactValue)
        case toDefault
        /// The list may get this element, or `nil` for any.
        case gains(String?)
        case losesSome
    }

    private(set) var signsIn = false
    private(set) var signsOut = false
    private(set) var goesStale = false
    private(set) var facts: [String: Set<FactChange>] = [:]

    /// Adds what an effect does, without its conditions.
    mutating func add(_ effect: IntentEffect) {
        switch effect {
        case .complete(let user, _):
            if user != nil { signsIn = true }
        case .set(let fact, .literal(let value)): add(.to(value), to: fact)
        case .append(let fact, .literal(.string(let text))): add(.gains(text), to: fact)
        case .append(let fact, _): add(.gains(nil), to: fact)
        case .remove(let fact, _): add(.losesSome, to: fact)
        case .set(let fact, _), .add(let fact, _): add(.anything, to: fact)
        case .reset(let fact): add(.toDefault, to: fact)
        case .signOut: signsOut = true
        case .markStale: goesStale = true
        case .cancel, .closeWindow, .closeWindows, .refreshWindow, .refreshWindows, .route, .openWindow, .push,
            .replace, .pop, .popTo, .popToRoot, .start, .answer,
            .when:
            break
        }
    }

    mutating func noteSignIn() { signsIn = true }

    private mutating func add(_ change: FactChange, to fact: String) { facts[fact, default: []].insert(change) }
}

/// What is known of a gate besides its predicate.
struct GateKnowledge {
    /// The facts by name.
    let facts: [String: FactDeclaration]
    /// The facts that some effect of the manifest changes; the others come from outside.
    let changed: Set<String>
    /// What the parameters of that are which may wait for it, by name.
    let checks: [String: [ParameterCheck]]

    /// Whether a parameter of what waits may be this text.
    func parameter(_ name: String, mayBe text: String) -> Bool {
        guard let checks = checks[name] else { return true }
        return checks.contains { $0.canonical(text.normalizedNFC) != nil }
    }
}

extension FactPredicate {
    /// Whether it may come to hold, or not to hold, by one of these changes or because time passes. Where it depends on what comes from
    /// outside, it may.
    func mayBecome(
        _ wanted: Bool,
        by changes: [SessionChanges],
        _ known: GateKnowledge
    ) -> Bool {
        switch self {
        case .always: false
        case .period, .appVersion: true
        case .signedIn: changes.contains { wanted ? $0.signsIn : $0.signsOut }
        case .freshSignIn: changes.contains { wanted ? $0.signsIn : $0.signsOut || $0.goesStale }
        case .all(let parts), .any(let parts): parts.contains { $0.mayBecome(wanted, by: changes, known) }
        case .not(let inner): inner.mayBecome(!wanted, by: changes, known)
        case .present(let fact), .compare(let fact, _, _), .contains(let fact, _), .oneOf(let fact, _):
            !known.changed.contains(fact)
                || changes.contains { changes in
                    // Who signs in or out begins with the defaults of the user's facts.
                    let isReset = (changes.signsIn || changes.signsOut) && known.facts[fact]?.scope == .user
                    let defaultValue = known.facts[fact]?.defaultValue
                    return isReset && mayBe(wanted, of: defaultValue, known)
                        || changes.facts[fact, default: []].contains { mayBecome(wanted, by: $0, defaultValue, known) }
                }
        }
    }

    private func mayBecome(
        _ wanted: Bool,
        by change: SessionChanges.FactChange,
        _ defaultValue: FactValue?,
        _ known: GateKnowledge
    ) -> Bool {
        switch (change, self) {
        case (.anything, _): true
        case (.to(let value), _): mayBe(wanted, of: value, known)
        case (.toDefault, _): mayBe(wanted, of: defaultValue, known)
        case (.gains(let text?), .contains(_, .value(let element))): wanted && element == .string(text)
        case (.gains(let text?), .contains(_, .parameter(let name))): wanted && known.parameter(name, mayBe: text)
        case (.gains, .contains), (.gains, .present): wanted
        case (.losesSome, .contains), (.losesSome, .present): !wanted
        case (.gains, _), (.losesSome, _): true
        }
    }

    private func mayBe(_ wanted: Bool, of value: FactValue?, _ known: GateKnowledge) -> Bool {
        if let holds = holds(of: value) { return holds == wanted }
        switch (self, value) {
        // What a date is has several texts.
        case (.compare(let fact, .equal, .parameter(let name)), .string(let text))
        where wanted && known.facts[fact]?.type == .string,
            (.compare(let fact, .notEqual, .parameter(let name)), .string(let text))
        where !wanted && known.facts[fact]?.type == .string:
            return known.parameter(name, mayBe: text)
        case (.contains(_, .parameter(let name)), .strings(let list)) where wanted:
            return list.contains { known.parameter(name, mayBe: $0) }
        default: return true
        }
    }

    /// What it looks at that a flow can change, for a message: at most four facts, and the sign-in.
    var looksAt: [String] {
        var names = Set<String>().union(facts).sorted().prefix(4).map { "'\($0)'" }
        if usesUser([]) { names.append("who is signed in") }
        return names
    }
}
