internal import Basics

/// What the predicates of an app say of themselves and of each other, whatever the session, the parameters and the time are.
///
/// Each answer is given only where it is certain; `false` may also mean that it is not seen.
struct PredicateReading {
    /// By name: which values they can have.
    private let facts: [String: FactDeclaration]

    init(_ facts: [FactDeclaration]) {
        self.facts = Dictionary(facts.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Whether it cannot hold.
    func isNever(_ predicate: FactPredicate) -> Bool { implies(predicate, oneOf: []) }

    /// Whether it cannot but hold.
    func isAlways(_ predicate: FactPredicate) -> Bool { isNever(.not(predicate)) }

    /// Whether one of the others holds whenever it does.
    func implies(_ predicate: FactPredicate, oneOf others: some Sequence<FactPredicate>) -> Bool {
        var search = DemandSearch(facts: facts)
        var demands = Demands()
        demands.add(predicate, toHold: true)
        for other in others { demands.add(other, toHold: false) }
        return search.isImpossible(demands)
    }

    /// The places of the first two, of the first 64, that cannot hold together.
    func contradiction(among parts: [FactPredicate]) -> (Int, Int)? {
        for (second, part) in parts.prefix(ManifestCompilation.maximumParts).enumerated() {
            if let first = parts[..<second].firstIndex(where: { isNever(.all([$0, part])) }) { return (first, second) }
        }
        return nil
    }
}

extension FactPredicate {
    /// How much has to be looked at to judge it: its parts and the values that they compare something with.
    var weight: Int {
        switch self {
        case .all(let parts), .any(let parts): parts.reduce(1) { $0 + $1.weight }
        case .not(let inner): inner.weight + 1
        case .oneOf(_, let values): values.count + 1
        case .always, .signedIn, .freshSignIn, .present, .compare, .contains, .appVersion, .period: 1
        }
    }

    /// Whether it says itself that it never holds, by `{ not: always }`, rather than by what it looks at.
    var saysNever: Bool {
        switch self {
        case .always, .signedIn, .freshSignIn, .present, .compare, .contains, .oneOf, .appVersion, .period: false
        case .any(let parts): !parts.isEmpty && parts.allSatisfy(\.saysNever)
        case .all(let parts): parts.contains(where: \.saysNever)
        case .not(let inner): inner.saysAlways
        }
    }

    /// Whether it says itself that it holds always.
    var saysAlways: Bool {
        switch self {
        case .always: true
        case .signedIn, .freshSignIn, .present, .compare, .contains, .oneOf, .appVersion, .period: false
        case .any(let parts): parts.contains(where: \.saysAlways)
        case .all(let parts): !parts.isEmpty && parts.allSatisfy(\.saysAlways)
        case .not(let inner): inner.saysNever
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
    let facts: [String: FactDeclaration]
    /// How many things may still be looked at: more than anybody writes.
    private var budget = 20_000

    init(facts: [String: FactDeclaration]) { self.facts = facts }

    mutating func isImpossible(_ given: Demands) -> Bool {
        var demands = given
        while true {
            budget -= demands.atoms.reduce(1) { $0 + $1.predicate.size }
            guard budget > 0 else { return false }
            if demands.isImpossible || demands.atoms.areContradictory(facts) { return true }
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
    fileprivate func areContradictory(_ declarations: [String: FactDeclaration]) -> Bool {
        var facts: [String: FactDemands] = [:]
        var versions = Bounds<AppVersion>()
        var periods = PeriodDemands()
        for atom in self {
            if contains(Demands.Atom(predicate: atom.predicate, holds: !atom.holds)) { return true }
            switch atom.predicate {
            case .freshSignIn where atom.holds:
                if contains(Demands.Atom(predicate: .signedIn, holds: false)) { return true }
            case .present(let fact), .compare(let fact, _, _), .contains(let fact, _), .oneOf(let fact, _):
                facts[fact, default: FactDemands(declarations[fact])].atoms.append(atom)
            case .appVersion(let comparison, let text):
                // Without a version none of them holds.
                guard atom.holds, let version = AppVersion(text) else { break }
                versions.narrow(comparison, version) { $0.order($1) }
            case .period(let from, let until):
                periods.add(from: from, until: until, holds: atom.holds)
                guard atom.holds else { break }
                // A period that is relative to a fact needs its date.
                for case .fact(let fact, _)? in [from, until] {
                    facts[fact, default: FactDemands(declarations[fact])].atoms.append(
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
    /// `nil` if nothing is known of it.
    private let type: FactDeclaration.FactType?
    private let hasDefault: Bool

    init(_ declaration: FactDeclaration?) {
        type = declaration?.type
        hasDefault = declaration?.defaultValue != nil
    }

    /// Whether the fact has a value if all of them are met.
    private var isThere: Bool { hasDefault || atoms.contains { $0.holds && $0.predicate.needsValue } }

    var areContradictory: Bool {
        if let values = candidates {
            return values.allSatisfy { value in
                atoms.contains { $0.predicate.holds(of: value).map { [wanted = $0.holds] in $0 != wanted } ?? false }
            }
        }
        return bounds.isEmpty { $0.order($1) ?? 0 }
    }

    /// Between what the value has to be.
    private var bounds: Bounds<FactValue> {
        let isThere = isThere
        var bounds = Bounds<FactValue>()
        if type == .string { bounds.narrow(.greaterOrEqual, .string("")) { $0.order($1) ?? 0 } }
        for atom in atoms {
            guard case .compare(_, let comparison, .value(let value)) = atom.predicate else { continue }
            // Of two values one comes first; for what is absent no order holds.
            if atom.holds {
                bounds.narrow(comparison, value) { $0.order($1) ?? 0 }
            } else if isThere {
                bounds.narrow(comparison.opposite, value) { $0.order($1) ?? 0 }
            }
        }
        return bounds
    }

    /// All values that the fact can have by what it is and one of the demands; `nil` if that is not known, or they are too many.
    private var candidates: [FactValue?]? {
        let absent: [FactValue?] = isThere ? [] : [nil]
        for atom in atoms {
            switch (atom.predicate, atom.holds) {
            case (.compare(_, .equal, .value(let value)), true), (.compare(_, .notEqual, .value(let value)), false):
                return [value]
            case (.oneOf(_, let values), true) where values.count <= Self.mostCandidates: return values
            case (.present, false):
                switch type {
                case nil: return absent + [.string(""), .strings([])]
                case .string: return absent + [.string("")]
                case .strings: return absent + [.strings([])]
                case .integer, .number, .boolean, .date: return absent
                }
            default: break
            }
        }
        switch type {
        case .boolean: return absent + [.boolean(false), .boolean(true)]
        case .integer where isThere: return integers
        default: return nil
        }
    }

    /// The integers between the bounds; `nil` if they are too many.
    private var integers: [FactValue?]? {
        let (lower, upper) = bounds.integers
        guard lower <= upper else { return [] }
        let (count, isOverflow) = upper.subtractingReportingOverflow(lower)
        guard !isOverflow, count < Self.mostCandidates else { return nil }
        return (lower...upper).map { .integer($0) }
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

    fileprivate var ends: (lower: (value: Value, isOpen: Bool)?, upper: (value: Value, isOpen: Bool)?) {
        (lower, upper)
    }

    /// Whether nothing is between them.
    func isEmpty(_ order: (Value, Value) -> Int) -> Bool {
        guard let lower, let upper else { return false }
        let difference = order(lower.value, upper.value)
        guard difference == 0 else { return difference > 0 }
        return lower.isOpen || upper.isOpen || others.contains { order($0, lower.value) == 0 }
    }
}

extension Bounds<FactValue> {
    /// The least and the greatest integer between them; the first is above the other if there is none.
    fileprivate var integers: (lower: Int, upper: Int) {
        var (lower, upper) = (Int.min, Int.max)
        if case (.integer(let value), let isOpen)? = ends.lower {
            if isOpen, value == .max { return (1, 0) }
            lower = isOpen ? value + 1 : value
        }
        if case (.integer(let value), let isOpen)? = ends.upper {
            if isOpen, value == .min { return (1, 0) }
            upper = isOpen ? value - 1 : value
        }
        return (lower, upper)
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
