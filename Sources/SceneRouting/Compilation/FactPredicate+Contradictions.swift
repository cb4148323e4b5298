internal import Basics

/// What predicates say of each other, whatever the session, the parameters and the time are.
///
/// Each answer is given only where it is certain; `false` may also mean that it is not seen.
extension FactPredicate {
    /// Whether it cannot hold.
    var isNever: Bool {
        var search = DemandSearch()
        var demands = Demands()
        demands.add(self, toHold: true)
        return search.isImpossible(demands)
    }

    /// Whether one of the others holds whenever this does.
    func implies(oneOf others: some Sequence<FactPredicate>) -> Bool {
        var search = DemandSearch()
        var demands = Demands()
        demands.add(self, toHold: true)
        for other in others { demands.add(other, toHold: false) }
        return search.isImpossible(demands)
    }

    /// Whether it says itself that it never holds, as by `{ not: always }`, rather than by what it looks at.
    var saysNever: Bool {
        switch self {
        case .always, .signedIn, .freshSignIn, .present, .compare, .contains, .appVersion, .period: false
        case .oneOf(_, let values): values.isEmpty
        case .any(let parts): parts.isEmpty || parts.contains(where: \.saysNever)
        case .all(let parts): parts.contains(where: \.saysNever)
        case .not(let inner): inner == .always || inner.saysNever
        }
    }
}

/// What has to hold, and what must not, all at once.
private struct Demands {
    /// Something that looks at one thing only.
    struct Atom: Hashable {
        let predicate: FactPredicate
        let holds: Bool
    }

    private(set) var atoms: Set<Atom> = []
    /// Of each list at least one.
    var choices: [[Atom]] = []
    /// Whether it contains what never can be.
    private(set) var isImpossible = false

    mutating func add(_ predicate: FactPredicate, toHold wanted: Bool) {
        switch (predicate, wanted) {
        case (.always, true): break
        case (.always, false): isImpossible = true
        case (.not(let inner), _): add(inner, toHold: !wanted)
        case (.all(let parts), true), (.any(let parts), false): for part in parts { add(part, toHold: wanted) }
        case (.all(let parts), false), (.any(let parts), true):
            choices.append(parts.map { Atom(predicate: $0, holds: wanted) })
        case (.period(let from?, let until?), _):
            let parts: [FactPredicate] = [.period(from: from, until: nil), .period(from: nil, until: until)]
            add(.all(parts), toHold: wanted)
        case (.signedIn, _), (.freshSignIn, _), (.present, _), (.compare, _), (.contains, _), (.oneOf, _),
            (.appVersion, _), (.period, _):
            atoms.insert(Atom(predicate: predicate, holds: wanted))
        }
    }

    mutating func add(_ atom: Atom) { add(atom.predicate, toHold: atom.holds) }
}

/// Looks for a contradiction, for a limited time.
private struct DemandSearch {
    /// How many things may still be looked at: more than anybody writes.
    private var budget = 20_000

    mutating func isImpossible(_ given: Demands) -> Bool {
        var demands = given
        while true {
            budget -= demands.atoms.reduce(1) { $0 + $1.predicate.size }
            guard budget > 0 else { return false }
            if demands.isImpossible || demands.atoms.isContradictory { return true }
            var open: [[Demands.Atom]] = []
            var forced: Demands.Atom?
            for choice in demands.choices {
                var possible: [Demands.Atom] = []
                for option in choice {
                    var tried = demands
                    tried.choices = []
                    tried.add(option)
                    if !isImpossible(tried) { possible.append(option) }
                    guard budget > 0 else { return false }
                }
                switch possible.count {
                case 0: return true
                case 1 where forced == nil: forced = possible[0]
                default: open.append(possible)
                }
            }
            guard let forced else { return false }
            // What is the only choice has to hold, too, and may rule out others.
            demands.choices = open
            demands.add(forced)
        }
    }
}

extension Set<Demands.Atom> {
    /// Whether they cannot hold all at once.
    fileprivate var isContradictory: Bool {
        var facts: [String: FactDemands] = [:]
        var versions = Bounds<AppVersion>()
        var periods = PeriodDemands()
        for atom in self {
            if contains(Demands.Atom(predicate: atom.predicate, holds: !atom.holds)) { return true }
            switch atom.predicate {
            case .freshSignIn where atom.holds:
                if contains(Demands.Atom(predicate: .signedIn, holds: false)) { return true }
            case .present(let fact), .compare(let fact, _, _), .contains(let fact, _), .oneOf(let fact, _):
                facts[fact, default: FactDemands()].atoms.append(atom)
            case .appVersion(let comparison, let text):
                // Without a version none of them holds.
                guard atom.holds, let version = AppVersion(text) else { break }
                versions.narrow(comparison, version) { $0.order($1) }
            case .period(let from, let until):
                periods.add(from: from, until: until, holds: atom.holds)
                guard atom.holds else { break }
                // A period that is relative to a fact needs its date.
                for case .fact(let fact, _)? in [from, until] {
                    facts[fact, default: FactDemands()].atoms.append(
                        Demands.Atom(predicate: .present(fact: fact), holds: true)
                    )
                }
            default: break
            }
        }
        return versions.isEmpty { $0.order($1) } || periods.areContradictory
            || facts.values.contains(where: \.areContradictory)
    }
}

/// What is asked of the value of one fact.
private struct FactDemands {
    /// More values than these are not tried one by one, because each is compared with all those of other lists.
    private static let mostCandidates = 100

    var atoms: [Demands.Atom] = []

    var areContradictory: Bool {
        if let values = candidates {
            return values.allSatisfy { value in
                atoms.contains { $0.predicate.holds(of: value).map { [wanted = $0.holds] in $0 != wanted } ?? false }
            }
        }
        // Of two values one comes first; for what is absent no order holds.
        let isThere = atoms.contains { $0.holds && $0.predicate.needsValue }
        var bounds = Bounds<FactValue>()
        for case let atom in atoms {
            guard case .compare(_, let comparison, .value(let value)) = atom.predicate else { continue }
            if atom.holds {
                bounds.narrow(comparison, value) { $0.order($1) ?? 0 }
            } else if isThere {
                bounds.narrow(comparison.opposite, value) { $0.order($1) ?? 0 }
            }
        }
        return bounds.isEmpty { $0.order($1) ?? 0 }
    }

    /// All values that the fact can have by one of the demands; `nil` if that is not known.
    private var candidates: [FactValue?]? {
        var isBoolean = false
        for atom in atoms {
            switch (atom.predicate, atom.holds) {
            case (.compare(_, .equal, .value(let value)), true), (.compare(_, .notEqual, .value(let value)), false):
                return [value]
            case (.oneOf(_, let values), true) where values.count <= Self.mostCandidates: return values
            case (.present, false): return [nil, .string(""), .strings([])]
            case (.compare(_, _, .value(.boolean)), _): isBoolean = true
            default: break
            }
        }
        return isBoolean ? [nil, .boolean(false), .boolean(true)] : nil
    }
}

extension FactPredicate {
    /// How many values what looks at one thing compares it with.
    fileprivate var size: Int {
        if case .oneOf(_, let values) = self { max(values.count, 1) } else { 1 }
    }

    /// Whether what looks at one fact holds of a value, `nil` for an absent one; `nil` if that is up to a parameter.
    func holds(of value: FactValue?) -> Bool? {
        switch self {
        case .present: return value?.isPresent ?? false
        case .compare(_, let comparison, .value(let other)): return comparison.holds(value, other)
        case .compare(_, let comparison, .parameter): return value == nil ? comparison == .notEqual : nil
        case .contains(_, let element):
            guard case .strings(let list) = value, !list.isEmpty else { return false }
            guard case .value(.string(let text)) = element else { return nil }
            return list.contains { $0.hasSameBytes(as: text) }
        case .oneOf(_, let values):
            return value.map { value in values.contains { Comparison.equal.holds(value, $0) } } ?? false
        default: return nil
        }
    }

    /// Whether it holds of nothing that is absent.
    fileprivate var needsValue: Bool {
        switch self {
        case .present, .contains, .oneOf: true
        case .compare(_, let comparison, _): comparison != .notEqual
        default: false
        }
    }
}

extension FactPredicate.Comparison {
    /// The relation that two values have which do not have this one.
    fileprivate var opposite: Self {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }
}

/// Between what a value has to be.
private struct Bounds<Value> {
    private var lower: (value: Value, isOpen: Bool)?
    private var upper: (value: Value, isOpen: Bool)?
    private var others: [Value] = []

    mutating func narrow(
        _ comparison: FactPredicate.Comparison,
        _ value: Value,
        _ order: (Value, Value) -> Int
    ) {
        func raise(isOpen: Bool) {
            guard let lower, order(value, lower.value) < 0 || order(value, lower.value) == 0 && !isOpen else {
                return self.lower = (value, isOpen)
            }
        }
        func drop(isOpen: Bool) {
            guard let upper, order(value, upper.value) > 0 || order(value, upper.value) == 0 && !isOpen else {
                return self.upper = (value, isOpen)
            }
        }
        switch comparison {
        case .equal:
            raise(isOpen: false)
            drop(isOpen: false)
        case .notEqual: others.append(value)
        case .less: drop(isOpen: true)
        case .lessOrEqual: drop(isOpen: false)
        case .greater: raise(isOpen: true)
        case .greaterOrEqual: raise(isOpen: false)
        }
    }

    /// Whether nothing is between them.
    func isEmpty(_ order: (Value, Value) -> Int) -> Bool {
        guard let lower, let upper else { return false }
        let difference = order(lower.value, upper.value)
        guard difference == 0 else { return difference > 0 }
        return lower.isOpen || upper.isOpen || others.contains { order($0, lower.value) == 0 }
    }
}

/// What is asked of the time.
private struct PeriodDemands {
    private var froms: [FactPredicate.Moment] = []
    private var untils: [FactPredicate.Moment] = []
    /// Not in the time that begins or ends with these.
    private var notFrom: [FactPredicate.Moment] = []
    private var notUntil: [FactPredicate.Moment] = []

    /// Adds a period with one end.
    mutating func add(from: FactPredicate.Moment?, until: FactPredicate.Moment?, holds: Bool) {
        if holds {
            froms += [from].compactMap(\.self)
            untils += [until].compactMap(\.self)
        } else {
            notFrom += [from].compactMap(\.self)
            notUntil += [until].compactMap(\.self)
        }
    }

    /// Whether there is no such time.
    var areContradictory: Bool {
        // It is in no period that begins or ends with what has no date.
        let dated = Set((froms + untils).map(\.origin))
        let earliest = froms + notUntil.filter { $0.isDate || dated.contains($0.origin) }
        let latest = untils + notFrom.filter { $0.isDate || dated.contains($0.origin) }
        return earliest.contains { from in latest.contains { from.isNever(before: $0) } }
    }
}

extension FactPredicate.Moment {
    fileprivate var isDate: Bool { if case .date = self { true } else { false } }

    /// What it is relative to, without by how much.
    fileprivate var origin: FactPredicate.Moment {
        switch self {
        case .date: .date(0)
        case .fact(let name, _): .fact(name, offset: .zero)
        case .parameter(let name, _): .parameter(name, offset: .zero)
        }
    }
}
