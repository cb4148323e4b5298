internal import Basics

extension FactPredicate {
    /// Whether it looks at a destination's parameters.
    package var usesParameter: Bool { !parameters.isEmpty }

    /// The names of the parameters that it looks at.
    var parameters: Set<String> {
        switch self {
        case .always, .signedIn, .freshSignIn, .present, .oneOf, .appVersion: []
        case .period(let from, let until): Set([from, until].compactMap { $0?.parameter })
        case .compare(_, _, .parameter(let name)), .contains(_, .parameter(let name)): [name]
        case .compare(_, _, .value), .contains(_, .value): []
        case .all(let inner), .any(let inner): inner.reduce(into: []) { $0.formUnion($1.parameters) }
        case .not(let inner): inner.parameters
        }
    }

    /// Of these values those that it looks at.
    func lookedAt(in values: [String: String]) -> [String: String] {
        let names = parameters
        return names.isEmpty ? [:] : values.filter { names.contains($0.key) }
    }

    /// Whether it looks, in any of its branches, at who is signed in or at one of these facts.
    func usesUser(_ userFacts: Set<String>) -> Bool {
        switch self {
        case .signedIn, .freshSignIn: true
        case .always, .appVersion: false
        case .period(let from, let until): [from, until].contains { $0?.fact.map(userFacts.contains) ?? false }
        case .present(let fact), .compare(let fact, _, _), .contains(let fact, _), .oneOf(let fact, _):
            userFacts.contains(fact)
        case .all(let inner), .any(let inner): inner.contains { $0.usesUser(userFacts) }
        case .not(let inner): inner.usesUser(userFacts)
        }
    }

    /// Whether it looks at the time, so that it can change while the session stays the same.
    var usesTime: Bool {
        switch self {
        case .period: true
        case .always, .signedIn, .freshSignIn, .present, .compare, .contains, .oneOf, .appVersion: false
        case .all(let inner), .any(let inner): inner.contains(where: \.usesTime)
        case .not(let inner): inner.usesTime
        }
    }
}

extension FactPredicate.Moment {
    /// The fact whose date it is relative to.
    package var fact: String? { if case .fact(let name, _) = self { name } else { nil } }

    /// The parameter whose date it is relative to.
    package var parameter: String? { if case .parameter(let name, _) = self { name } else { nil } }

    /// Whether it is never before the other, whatever their facts and parameters have; `false` where that is up to them.
    func isNever(before other: FactPredicate.Moment) -> Bool {
        switch (self, other) {
        case (.date(let one), .date(let other)): one >= other
        case (.fact(let fact, let one), .fact(let same, let other)) where fact == same: one >= other
        case (.parameter(let name, let one), .parameter(let same, let other)) where name == same: one >= other
        default: false
        }
    }
}

extension FactPredicate.Comparison {
    /// Whether the relation holds. Integers and numbers compare by value, texts by their scalars; `false` is less than
    /// `true`. For values of other types, and for absent ones, only `notEqual` holds.
    func holds(_ one: FactValue?, _ other: FactValue?) -> Bool {
        guard let one, let other, let order = one.order(other) else { return self == .notEqual }
        return holds(order)
    }

    /// Whether the relation holds for two values whose order is negative, zero or positive.
    func holds(_ order: Int) -> Bool {
        switch self {
        case .equal: order == 0
        case .notEqual: order != 0
        case .less: order < 0
        case .lessOrEqual: order <= 0
        case .greater: order > 0
        case .greaterOrEqual: order >= 0
        }
    }
}

extension FactValue {
    /// Whether it is anything but an empty text or an empty list.
    package var isPresent: Bool {
        switch self {
        case .string(let text): !text.isEmpty
        case .strings(let list): !list.isEmpty
        case .integer, .number, .boolean: true
        }
    }

    /// Negative, zero or positive as this value is less than, equal to or greater than the other; `nil` if neither.
    func order(_ other: FactValue) -> Int? {
        switch (self, other) {
        case (.string(let one), .string(let other)):
            // By bytes, which is the order of their scalars.
            one.hasSameBytes(as: other) ? 0 : one.utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
        case (.integer(let one), .integer(let other)): Self.order(one, other)
        case (.number(let one), .number(let other)): one.isNaN || other.isNaN ? nil : Self.order(one, other)
        case (.integer(let one), .number(let other)): other.isNaN ? nil : Self.order(Double(one), other)
        case (.number(let one), .integer(let other)): one.isNaN ? nil : Self.order(one, Double(other))
        case (.boolean(let one), .boolean(let other)): Self.order(one ? 1 : 0, other ? 1 : 0)
        case (.strings, .strings): self == other ? 0 : nil
        default: nil
        }
    }

    private static func order<Value: Comparable>(_ one: Value, _ other: Value) -> Int {
        one < other ? -1 : one == other ? 0 : 1
    }
}

/// An app's version, compared number by number; missing numbers count as 0.
package struct AppVersion: Hashable, Sendable {
    let numbers: [Int]

    /// Reads a version such as `2.10.1`; `nil` for anything but 1 to 8 numbers between dots.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            !part.isEmpty && part.utf8.allSatisfy(ASCII.isDigit) ? Int(part) : nil
        }
        guard (1...8).contains(parts.count), numbers.count == parts.count else { return nil }
        self.numbers = numbers
    }

    /// Negative, zero or positive as this version is less than, equal to or greater than the other.
    func order(_ other: AppVersion) -> Int {
        for index in 0..<max(numbers.count, other.numbers.count) {
            let mine = index < numbers.count ? numbers[index] : 0
            let theirs = index < other.numbers.count ? other.numbers[index] : 0
            if mine != theirs { return mine < theirs ? -1 : 1 }
        }
        return 0
    }
}
