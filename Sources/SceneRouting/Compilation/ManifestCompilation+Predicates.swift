/// Checks the predicates of preconditions and conditions.
extension ManifestCompilation {
    mutating func checkPredicates() {
        let waiting = destinations(by: \.preconditions)
        for precondition in manifest.preconditions {
            let key = "preconditions.\(precondition.name)"
            let known = waiting[precondition.name, default: []]
            check(
                precondition.holds,
                at: "\(key).holds",
                parameters: .ofDestinations(known, "precondition"),
                isGate: true
            )
            if precondition.flow.isEmpty {
                warning(
                    key,
                    "no flow satisfies the precondition, so a destination that waits for it may wait for ever",
                    expected: "'flow', or a condition instead"
                )
            } else {
                check(precondition.flow, isOneOf: flowNames, "flow", at: "\(key).flow")
                checkBeginning(of: precondition, at: "\(key).flow")
            }
        }
        let refused = destinations(by: \.conditions)
        for condition in manifest.conditions {
            let known = refused[condition.name, default: []]
            let key = "conditions.\(condition.name).holds"
            check(condition.holds, at: key, parameters: .ofDestinations(known, "condition"))
        }
    }

    /// Reports a flow that cannot be shown while the precondition does not hold that it satisfies.
    private mutating func checkBeginning(of precondition: PreconditionDeclaration, at key: String) {
        guard let flow = flowNames.index[precondition.flow], let first = manifest.flows[flow].screens.first,
            let destination = destinationIndex[first.id],
            manifest.destinations[destination].preconditions.contains(precondition.name)
        else { return }
        error(
            key,
            "the flow '\(precondition.flow)' begins with '\(first.id)', which needs '\(precondition.name)' itself",
            expected: "a flow whose first screen can be shown while '\(precondition.name)' does not hold"
        )
    }

    /// The destinations that need something, each with the types of its parameters, by what they need.
    private func destinations(by needs: (DestinationDeclaration) -> [String]) -> [String: [(
        id: String, parameters: [String: ParameterType]
    )]] {
        let types = parameterTypes
        return users(of: needs).mapValues { $0.map { (manifest.destinations[$0].id, types[$0]) } }
    }

    /// Checks a predicate.
    /// - Parameters:
    ///   - parameters: those that the predicate can look at; `nil` if it can look at none.
    ///   - isGate: whether it is a precondition's, which alone can ask for a fresh sign-in.
    mutating func check(
        _ predicate: FactPredicate,
        at key: String,
        parameters: PredicateParameters?,
        isGate: Bool = false
    ) {
        switch predicate {
        case .always, .signedIn: break
        case .freshSignIn:
            guard !isGate else { return }
            error(
                key,
                "only a precondition can ask for freshSignIn, and not under 'not': a sign-in that becomes stale closes gates, "
                    + "and removes or opens nothing",
                expected: "signedIn here, and freshSignIn in a precondition"
            )
        case .present(let fact): checkFact(fact, at: "\(key).present")
        case .compare(let fact, let comparison, let operand):
            guard let type = checkFact(fact, at: "\(key).fact") else { return }
            if type == .strings, comparison != .equal, comparison != .notEqual {
                error(key, "a list has no order", expected: "'equals', 'notEquals' or 'contains'")
            }
            check(operand, type, at: key, parameters)
        case .contains(let fact, let operand):
            guard let type = checkFact(fact, at: "\(key).fact") else { return }
            guard type == .strings else {
                error(
                    key,
                    "'\(fact)' is of type \(type.rawValue), which has no elements",
                    expected: "a fact of type strings"
                )
                return
            }
            check(operand, .string, at: key, parameters)
        case .oneOf(let fact, let values):
            guard let type = checkFact(fact, at: "\(key).fact") else { return }
            for value in values { check(.value(value), type, at: key, parameters) }
        case .appVersion(_, let version):
            guard AppVersion(version) == nil else { return }
            error(key, "'\(version)' is not an app version", expected: "1 to 8 numbers between dots, such as 2.10.1")
        case .period(let from, let until):
            if let from { check(from, at: "\(key).period.from", parameters) }
            if let until { check(until, at: "\(key).period.until", parameters) }
            guard let from, let until, from.isNever(before: until) else { return }
            let isOneMoment = until.isNever(before: from)
            error(
                key,
                isOneMoment
                    ? "the period ends when it begins, so nothing is in it" : "the period ends before it begins",
                expected: "'from' before 'until'"
            )
        case .all(let inner):
            for (index, predicate) in inner.enumerated() {
                check(predicate, at: "\(key).all[\(index)]", parameters: parameters, isGate: isGate)
            }
        case .any(let inner):
            for (index, predicate) in inner.enumerated() {
                check(predicate, at: "\(key).any[\(index)]", parameters: parameters, isGate: isGate)
            }
        case .not(let inner):
            // A sign-in that becomes stale closes gates and opens none.
            check(inner, at: "\(key).not", parameters: parameters)
        }
    }

    private mutating func check(_ moment: FactPredicate.Moment, at key: String, _ parameters: PredicateParameters?) {
        switch moment {
        case .date: break
        case .fact(let fact, _):
            guard let type = checkFact(fact, at: "\(key).fact"), type != .date else { return }
            error(
                "\(key).fact",
                "'\(fact)' is of type \(type.rawValue), and a period begins and ends with a date",
                expected: "a fact of type date"
            )
        case .parameter(let name, _): check(.parameter(name), .date, at: "\(key).parameter", parameters)
        }
    }

    /// The fact's type; reports a fact that does not exist.
    @discardableResult
    mutating func checkFact(_ name: String, at key: String) -> FactDeclaration.FactType? {
        check(name, isOneOf: factNames, "fact", at: key) ? factType(name) : nil
    }

    /// The type of a fact; `nil` if there is none of this name.
    func factType(_ name: String) -> FactDeclaration.FactType? {
        factNames.index[name].map { manifest.facts[$0].type }
    }

    mutating func check(
        _ operand: FactPredicate.Operand,
        _ type: FactDeclaration.FactType,
        at key: String,
        _ parameters: PredicateParameters?
    ) {
        switch operand {
        case .value(let value):
            guard !value.isOf(type) else { return }
            let expected = "a value of type \(type.rawValue)"
            error(
                key,
                "the value has another type",
                expected: type == .date ? "\(expected), such as 2026-11-27T08:00:00Z" : expected
            )
        case .parameter(let name):
            switch parameters {
            case nil:
                error(
                    key,
                    "only a destination's condition or precondition and an intent's effect can look at parameters",
                    expected: "a value"
                )
            case .ofDestinations(let all, let need)?:
                guard let lacking = all.first(where: { $0.parameters[name] == nil }) else {
                    guard type == .date, let other = all.first(where: { $0.parameters[name] != .date }) else { return }
                    error(
                        key,
                        "'\(name)' of the destination '\(other.id)', which has this \(need), is not always a date",
                        expected: "a parameter of type date"
                    )
                    return
                }
                let known = lacking.parameters.keys.sorted()
                error(
                    key,
                    "the destination '\(lacking.id)', which has this \(need), has no parameter '\(name)'",
                    expected: known.isEmpty
                        ? "a destination with this parameter" : "one of \(known.joined(separator: ", "))",
                    suggestion: Spelling.nearest(to: name, among: known)
                )
            case .ofEffects(let scope)?:
                guard check(name, isOneOf: scope.parameters, scope.owner ?? scope.parameter, at: key), type == .date,
                    scope.type(of: name) != .date
                else { return }
                error(key, "'\(name)' is not always a date", expected: "a parameter of type date")
            }
        }
    }
}

/// The parameters that a predicate can look at.
enum PredicateParameters {
    /// Those of each destination that has the condition or precondition, as the text says.
    case ofDestinations([(id: String, parameters: [String: ParameterType])], String)
    /// Those of an intent, or the result of a flow that has ended.
    case ofEffects(EffectScope)
}

extension FactValue {
    /// Whether a fact of this type can have the value; an integer is a number too.
    package func isOf(_ type: FactDeclaration.FactType) -> Bool {
        switch (self, type) {
        case (.string, .string), (.integer, .integer), (.number, .number), (.integer, .number), (.boolean, .boolean),
            (.strings, .strings):
            true
        case (.string(let text), .date): Instant.canonical(text) == text
        default: false
        }
    }
}
