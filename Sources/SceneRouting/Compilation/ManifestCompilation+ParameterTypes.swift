/// Finds parameters whose values can never be what a fact is that gets them or is compared with them.
extension ManifestCompilation {
    mutating func findParametersThatNoFactIs() {
        // More than anybody writes.
        var budget = 200_000
        for (key, holds, users) in needs {
            let compared = holds.comparedParameters(at: key).filter { !$0.isElement }
            for user in users {
                budget -= compared.count + 1
                guard budget > 0 else { return }
                for one in compared { check(one, parameters[user], "'\(manifest.destinations[user].id)'") }
            }
        }
        for (effects, parameters, key) in listsOfEffects {
            budget -= effects.count * (parameters.count + 1)
            guard budget > 0 else { return }
            for (index, effect) in effects.enumerated() {
                let key = "\(key)[\(index)]"
                var effect = effect
                while case .when(let condition, let inner) = effect {
                    for one in condition.comparedParameters(at: "\(key).when") where !one.isElement {
                        check(one, parameters, nil)
                    }
                    effect = inner
                }
                guard case .set(let fact, .parameter(let name)) = effect,
                    let (check, type) = mismatch(of: name, parameters, fact)
                else { continue }
                warning(
                    "\(key).value.parameter",
                    "'\(name)' is \(check.expectation), and never of type \(type.rawValue), as '\(fact)' is, so whoever gives it is rejected "
                        + "as invalidFact",
                    expected: type == .strings
                        ? "'append' for an element" : "a parameter that can be of type \(type.rawValue)"
                )
            }
        }
    }

    /// The predicates of preconditions and conditions, each with its key and the destinations that need it, by their positions.
    private var needs: [(key: String, holds: FactPredicate, users: [Int])] {
        var users: (preconditions: [String: [Int]], conditions: [String: [Int]]) = ([:], [:])
        for (index, destination) in manifest.destinations.enumerated() {
            for need in Set(destination.preconditions) { users.preconditions[need, default: []].append(index) }
            for need in Set(destination.conditions) { users.conditions[need, default: []].append(index) }
        }
        return manifest.preconditions.map {
            ("preconditions.\($0.name).holds", $0.holds, users.preconditions[$0.name, default: []])
        }
            + manifest.conditions.map {
                ("conditions.\($0.name).holds", $0.holds, users.conditions[$0.name, default: []])
            }
    }

    private mutating func check(
        _ compared: ComparedParameter,
        _ parameters: [CompiledDestination.Parameter],
        _ owner: String?
    ) {
        guard let (check, type) = mismatch(of: compared.parameter, parameters, compared.fact) else { return }
        let what = "'\(compared.parameter)'\(owner.map { " of \($0)" } ?? "")"
        warning(
            compared.key,
            "\(what) is \(check.expectation), and never of type \(type.rawValue), as '\(compared.fact)' is, so nothing but 'notEquals' holds of "
                + "them",
            expected: type == .strings
                ? "'contains' for an element" : "a parameter that can be of type \(type.rawValue)"
        )
    }

    /// What a parameter may be, and what a fact is that it can never be.
    private func mismatch(
        of name: String,
        _ parameters: [CompiledDestination.Parameter],
        _ fact: String
    ) -> (ParameterCheck, FactDeclaration.FactType)? {
        guard let check = parameters.first(where: { $0.declaration.name == name })?.check, let type = factType(fact),
            !check.mayBeRead(as: type)
        else { return nil }
        return (check, type)
    }

    /// The lists of effects of the app and of its flows that can look at parameters, each with these and its key.
    private var listsOfEffects: [(effects: [IntentEffect], parameters: [CompiledDestination.Parameter], key: String)] {
        intents.map { flow, intent, parameters in
            (intent.effects, parameters, (flow.map { "flows.\($0)." } ?? "") + "intents.\(intent.name).effects")
        }
            + manifest.flows.flatMap { flow in
                flow.after.map {
                    ($0.completed, flowResults[$0.flow] ?? [], "flows.\(flow.name).after.\($0.flow).completed")
                }
            }
    }
}

extension ParameterCheck {
    /// Whether the text of some value can be read as a value of a fact of this type.
    fileprivate func mayBeRead(as type: FactDeclaration.FactType) -> Bool {
        switch (self, type) {
        // No text is read as a list.
        case (_, .strings): false
        case (.list(let element), _): element.mayBeRead(as: type)
        case (.oneOf(let words), .date): words.contains { Instant.canonical($0) != nil }
        default: canBe(type)
        }
    }
}

/// A comparison of a fact with a parameter.
struct ComparedParameter {
    let fact: String
    let parameter: String
    let key: String
    /// Whether it is looked for among the elements of the fact.
    let isElement: Bool
}

extension FactPredicate {
    /// The facts that are compared with a parameter, or looked through for one.
    func comparedParameters(at key: String) -> [ComparedParameter] {
        switch self {
        case .compare(let fact, let comparison, .parameter(let name)):
            return [
                ComparedParameter(fact: fact, parameter: name, key: "\(key).\(comparison.member)", isElement: false)
            ]
        case .contains(let fact, .parameter(let name)):
            return [ComparedParameter(fact: fact, parameter: name, key: "\(key).contains", isElement: true)]
        case .all(let parts):
            return parts.enumerated().flatMap { $1.comparedParameters(at: "\(key).all[\($0)]") }
        case .any(let parts):
            return parts.enumerated().flatMap { $1.comparedParameters(at: "\(key).any[\($0)]") }
        case .not(let inner): return inner.comparedParameters(at: "\(key).not")
        case .always, .signedIn, .freshSignIn, .present, .compare, .contains, .oneOf, .appVersion, .period: return []
        }
    }
}

extension FactPredicate.Comparison {
    /// The member of a manifest that asks for it.
    var member: String {
        switch self {
        case .equal: "equals"
        case .notEqual: "notEquals"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: rawValue
        }
    }
}
