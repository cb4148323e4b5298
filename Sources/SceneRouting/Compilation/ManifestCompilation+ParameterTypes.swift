/// Finds parameters whose values can never be what a fact is that gets them or is compared with them, or what an effect gives them to.
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
        for list in effectLists where !list.parameters.isEmpty {
            let parameters = list.parameters
            budget -= list.effects.count * (parameters.count + 1)
            guard budget > 0 else { return }
            for (index, effect) in list.effects.enumerated() {
                let key = "\(list.key)[\(index)]"
                for condition in effect.conditions {
                    for one in condition.comparedParameters(at: "\(key).when") where !one.isElement {
                        check(one, parameters, nil)
                    }
                }
                let effect = effect.unconditional
                findGiftsThatNeverFit(effect, of: list.flow, parameters, at: key, &budget)
                guard budget > 0 else { return }
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

    /// Finds parameters that an effect gives to what never takes one of their values.
    private mutating func findGiftsThatNeverFit(
        _ effect: IntentEffect,
        of flow: String?,
        _ parameters: [CompiledDestination.Parameter],
        at key: String,
        _ budget: inout Int
    ) {
        guard let (values, owner, member, checks) = taken(by: effect, of: flow) else { return }
        for (name, source) in values.sorted(by: { $0.key < $1.key }) {
            guard case .parameter(let given) = source,
                let check = parameters.first(where: { $0.declaration.name == given })?.check
            else { continue }
            let takers = checks(name)
            budget -= takers.reduce(check.words) { $0 + $1.words + 1 }
            guard budget > 0 else { return }
            guard let expected = takers.first?.expectation, !takers.contains(where: check.sharesText(with:)) else {
                continue
            }
            warning(
                "\(key).\(member).\(name).parameter",
                "'\(given)' is \(check.expectation), and '\(name)' of '\(owner)' never takes such a value",
                expected: "a parameter that can be \(expected)"
            )
        }
    }

    /// The values that an effect gives to something by name: to what, by which member, and what each may be there.
    private func taken(
        by effect: IntentEffect,
        of flow: String?
    ) -> (values: [String: ValueSource], owner: String, member: String, checks: (String) -> [ParameterCheck])? {
        switch effect {
        case .route(let id, let values), .openWindow(let id, let values, _), .closeWindows(let id, let values),
            .refreshWindows(let id, let values):
            let compiled = destinationIndex[id].map { parameters[$0] } ?? []
            return (values, id, "parameters", { Self.checks(of: $0, in: compiled) })
        case .push(let id, let values, _), .replace(let id, let values, _):
            let own = flow.flatMap { flowScreens[$0]?[id] } ?? []
            let compiled = destinationIndex[id].map { parameters[$0] } ?? own
            return (values, id, "parameters", { Self.checks(of: $0, in: compiled) })
        case .start(let child, let values, _):
            let starting = startParameters[child]?.checks ?? [:]
            return (values, child, "parameters", { starting[$0] ?? [] })
        case .complete(_, let values):
            let compiled = flow.flatMap { flowResults[$0] } ?? []
            return (values, flow ?? "", "complete.result", { Self.checks(of: $0, in: compiled) })
        case .set, .append, .remove, .add, .reset, .signOut, .markStale, .pop, .popTo, .popToRoot, .cancel, .answer,
            .closeWindow, .refreshWindow, .when:
            return nil
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

    /// How many words it is.
    fileprivate var words: Int {
        switch self {
        case .oneOf(let words): words.count
        case .list(let element): element.words
        case .string, .integer, .uuid, .date, .pattern: 0
        }
    }

    /// Whether some text may be a value of both types.
    fileprivate func sharesText(with other: ParameterCheck) -> Bool {
        switch (self, other) {
        case (.oneOf, .oneOf): sharesValues(with: other)
        case (.oneOf(let words), let other), (let other, .oneOf(let words)):
            words.contains { other.canonical($0) != nil }
        // What separates the elements may be in the pattern.
        case (.list, .pattern), (.pattern, .list): true
        case (.list(let element), let other), (let other, .list(let element)): element.sharesText(with: other)
        case (.string, _), (_, .string): true
        case (.pattern, .pattern), (.integer, .integer): sharesValues(with: other)
        case (.pattern, _), (_, .pattern), (.uuid, .uuid), (.date, .date): true
        case (.integer, _), (.uuid, _), (.date, _): false
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
