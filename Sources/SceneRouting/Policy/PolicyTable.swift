internal import Basics

/// The predicates of a manifest, ready for evaluation, and the positions of what it names.
struct PolicyTable: Sendable {
    let preconditionIndex: [String: Int]
    let conditionIndex: [String: Int]
    let flowIndex: [String: Int]
    let intentIndex: [String: Int]
    let factIndex: [String: Int]
    let flowScreens: Set<String>
    /// The root flow of each screen that belongs to one.
    let rootScreens: [String: String]
    /// Whether any predicate that decides where somebody is led looks at the time.
    let looksAtTime: Bool
    /// The position of the lock's precondition; `nil` if windows do not lock.
    let lockPosition: Int?
    private let preconditions: [FactPredicate]
    private let conditions: [FactPredicate]
    private let defaults: [String: FactValue]

    init(_ manifest: AppManifest) {
        func index(_ names: [String]) -> [String: Int] {
            Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
        }
        let preconditions = manifest.impliedPreconditions + manifest.preconditions
        preconditionIndex = index(preconditions.map(\.name))
        conditionIndex = index(manifest.conditions.map(\.name))
        flowIndex = index(manifest.flows.map(\.name))
        intentIndex = index(manifest.intents.map(\.name))
        factIndex = index(manifest.facts.map(\.name))
        flowScreens = Set(manifest.flows.flatMap { $0.screens.map(\.id) })
        let roots = manifest.roots.compactMap { root in manifest.flows.first { $0.name == root.flow } }
        rootScreens = Dictionary(roots.flatMap { flow in flow.screens.map { ($0.id, flow.name) } }) { first, _ in first
        }
        self.preconditions = preconditions.map(\.holds)
        lockPosition = manifest.lockPosition
        conditions = manifest.conditions.map(\.holds)
        let variants = manifest.destinations.flatMap(\.variants).map(\.when)
        looksAtTime = (self.preconditions + conditions + variants).contains(where: \.usesTime)
        var defaults: [String: FactValue] = [:]
        for fact in manifest.facts { defaults[fact.name] = fact.defaultValue }
        self.defaults = defaults
    }

    /// The fact's value in the context, or its default.
    func value(_ fact: String, _ context: RoutingContext) -> FactValue? { context.facts[fact] ?? defaults[fact] }

    /// The value of a fact if it is a text that is not empty.
    func text(_ fact: String, _ context: RoutingContext) -> String? {
        guard case .string(let text) = value(fact, context), !text.isEmpty else { return nil }
        return text
    }

    func preconditionHolds(_ index: Int, _ context: RoutingContext, _ parameters: [String: String]) -> Bool {
        index == lockPosition ? !context.isLocked : holds(preconditions[index], context, parameters)
    }

    func conditionHolds(_ index: Int, _ context: RoutingContext, _ parameters: [String: String]) -> Bool {
        holds(conditions[index], context, parameters)
    }

    func holds(_ predicate: FactPredicate, _ context: RoutingContext, _ parameters: [String: String]) -> Bool {
        switch predicate {
        case .always: return true
        case .signedIn: return context.user != nil
        case .freshSignIn: return context.user != nil && !context.isStale
        case .present(let fact): return value(fact, context)?.isPresent ?? false
        case .compare(let fact, let comparison, let operand):
            return comparison.holds(value(fact, context), other(operand, parameters, like: value(fact, context)))
        case .contains(let fact, let operand):
            guard case .strings(let list) = value(fact, context),
                case .string(let element) = other(operand, parameters, like: .string(""))
            else { return false }
            return list.contains { $0.hasSameBytes(as: element) }
        case .oneOf(let fact, let values):
            guard let value = value(fact, context) else { return false }
            return values.contains { FactPredicate.Comparison.equal.holds(value, $0) }
        case .appVersion(let comparison, let version):
            guard let mine = context.appVersion.flatMap(AppVersion.init), let theirs = AppVersion(version) else {
                return false
            }
            return comparison.holds(mine.order(theirs))
        case .period(let from, let until):
            let from = from.map { seconds($0, context, parameters) } ?? -.infinity
            let until = until.map { seconds($0, context, parameters) } ?? .infinity
            guard let from, let until else { return false }
            return context.time >= from && context.time < until
        case .all(let all): return all.allSatisfy { holds($0, context, parameters) }
        case .any(let any): return any.contains { holds($0, context, parameters) }
        case .not(let inner): return !holds(inner, context, parameters)
        }
    }

    /// The seconds from 1970 to the moment; `nil` if it has no date.
    func seconds(
        _ moment: FactPredicate.Moment,
        _ context: RoutingContext,
        _ parameters: [String: String]
    ) -> Double? {
        switch moment {
        case .date(let seconds): seconds
        case .fact(let fact, let offset): text(fact, context).flatMap(Instant.seconds).map { $0 + offset.seconds }
        case .parameter(let name, let offset):
            parameters[name].flatMap(Instant.seconds).map { $0 + offset.seconds }
        }
    }

    /// The operand's value. A parameter's text is read as the type that it is compared with.
    private func other(
        _ operand: FactPredicate.Operand,
        _ parameters: [String: String],
        like value: FactValue?
    ) -> FactValue? {
        switch operand {
        case .value(let value): return value
        case .parameter(let name):
            guard let text = parameters[name] else { return nil }
            switch value {
            case .integer: return Int(text).map(FactValue.integer)
            case .number: return Double(text).map(FactValue.number)
            case .boolean: return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
            default: return .string(text)
            }
        }
    }
}
