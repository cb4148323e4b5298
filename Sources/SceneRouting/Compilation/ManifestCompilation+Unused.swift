/// Finds what is declared and nothing uses.
extension ManifestCompilation {
    mutating func findUnusedConditions() {
        let needed = Set(manifest.destinations.flatMap(\.conditions))
        for condition in manifest.conditions where !needed.contains(condition.name) {
            warning(
                "conditions.\(condition.name)",
                "no destination needs '\(condition.name)'",
                expected: "'conditions: [\(condition.name)]' in a destination"
            )
        }
    }

    /// Finds facts that nothing looks at or changes. Those of an app with flows of its own code may be for that code.
    mutating func findUnusedFacts() {
        if manifest.flows.contains(where: \.intents.isEmpty) { return }
        let used = manifest.usedFacts
        for fact in manifest.facts where !used.contains(fact.name) {
            warning(
                "facts.\(fact.name)",
                "nothing in the manifest looks at '\(fact.name)' or changes it",
                expected: "a predicate, a value or an effect with it, unless the app's own code uses it"
            )
        }
    }
}

extension AppManifest {
    /// The names of the facts that predicates and effects look at or change, and of those that decide which routes there are.
    fileprivate var usedFacts: Set<String> {
        var used: Set = ["market", "locale"]
        var predicates = preconditions.map(\.holds) + conditions.map(\.holds) + roots.map(\.when)
        predicates += [lock?.when].compactMap(\.self)
        predicates += destinations.flatMap(\.variants).map(\.when) + flows.flatMap(\.start).map(\.when)
        for effect in intents.flatMap(\.effects) + flows.flatMap(\.effects) {
            predicates += effect.conditions
            used.formUnion(effect.unconditional.facts)
        }
        for predicate in predicates { used.formUnion(predicate.facts) }
        return used
    }
}

extension IntentEffect {
    /// The facts that it changes or takes values from, without those of its condition.
    fileprivate var facts: [String] {
        func sources(_ values: [String: ValueSource]) -> [String] { values.values.compactMap(\.fact) }
        return switch self {
        case .set(let fact, let source), .append(let fact, let source), .remove(let fact, let source),
            .add(let fact, let source):
            [fact] + [source.fact].compactMap(\.self)
        case .reset(let fact): [fact]
        case .route(_, let values), .openWindow(_, let values, _), .push(_, let values, _), .replace(_, let values, _),
            .start(_, let values, _), .complete(_, let values), .answer(let values), .closeWindows(_, let values),
            .refreshWindows(_, let values):
            sources(values)
        case .signOut, .markStale, .closeWindow, .refreshWindow, .pop, .popTo, .popToRoot, .cancel, .when: []
        }
    }
}

extension ValueSource {
    fileprivate var fact: String? { if case .fact(let name) = self { name } else { nil } }
}

extension FactPredicate {
    /// The facts that it looks at, some perhaps several times.
    var facts: [String] {
        switch self {
        case .present(let fact), .compare(let fact, _, _), .contains(let fact, _), .oneOf(let fact, _): [fact]
        case .period(let from, let until): [from?.fact, until?.fact].compactMap(\.self)
        case .all(let parts), .any(let parts): parts.flatMap(\.facts)
        case .not(let part): part.facts
        case .always, .signedIn, .freshSignIn, .appVersion: []
        }
    }
}
