extension FactPredicate {
    /// Whether its truth depends on a destination's parameters.
    package var usesParameter: Bool {
        switch self {
        case .always, .signedIn, .present, .oneOf, .appVersion, .period: false
        case .compare(_, _, .parameter), .contains(_, .parameter): true
        case .compare(_, _, .value), .contains(_, .value): false
        case .all(let inner), .any(let inner): inner.contains(where: \.usesParameter)
        case .not(let inner): inner.usesParameter
        }
    }

    /// Whether its truth can change while the session stays as it is.
    var usesTime: Bool {
        switch self {
        case .period: true
        case .always, .signedIn, .present, .compare, .contains, .oneOf, .appVersion: false
        case .all(let inner), .any(let inner): inner.contains(where: \.usesTime)
        case .not(let inner): inner.usesTime
        }
    }
}

extension FactPredicate.Comparison {
    /// Values of different types, and absent ones, are never equal and never ordered: only `notEqual` holds for them.
    /// Integers and numbers compare by value; texts are ordered by their scalars; `false` is less than `true`.
    func holds(_ one: FactValue?, _ other: FactValue?) -> Bool {
        guard let one, let other, let order = one.order(other) else { return self == .notEqual }
        return holds(order)
    }

    /// Whether it holds for two values in this order: negative, zero or positive.
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
    /// Whether it is not the empty text or the empty list.
    package var isPresent: Bool {
        switch self {
        case .string(let text): !text.isEmpty
        case .strings(let list): !list.isEmpty
        case .integer, .number, .boolean: true
        }
    }

    /// Negative, zero or positive; `nil` where the two cannot be ordered.
    func order(_ other: FactValue) -> Int? {
        switch (self, other) {
        case (.string(let one), .string(let other)): Self.order(one, other)
        case (.integer(let one), .integer(let other)): Self.order(one, other)
        case (.number(let one), .number(let other)): one.isNaN || other.isNaN ? nil : Self.order(one, other)
        case (.integer(let one), .number(let other)): other.isNaN ? nil : Self.order(Double(one), other)
        case (.number(let one), .integer(let other)): one.isNaN ? nil : Self.order(one, Double(other))
        case (.boolean(let one), .boolean(let other)): Self.order(one ? 1 : 0, other ? 1 : 0)
        case (.strings(let one), .strings(let other)): one == other ? 0 : nil
        default: nil
        }
    }

    private static func order<Value: Comparable>(_ one: Value, _ other: Value) -> Int {
        one < other ? -1 : one == other ? 0 : 1
    }
}

/// An app's version, compared by its numbers; numbers that are missing count as 0.
struct AppVersion: Hashable, Sendable {
    let numbers: [Int]

    /// Reads `2.10.1`; `nil` for anything but 1 to 8 numbers between dots.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            !part.isEmpty && part.utf8.allSatisfy(ASCII.isDigit) ? Int(part) : nil
        }
        guard (1...8).contains(parts.count), numbers.count == parts.count else { return nil }
        self.numbers = numbers
    }

    /// Negative, zero or positive.
    func order(_ other: AppVersion) -> Int {
        for index in 0..<max(numbers.count, other.numbers.count) {
            let mine = index < numbers.count ? numbers[index] : 0
            let theirs = index < other.numbers.count ? other.numbers[index] : 0
            if mine != theirs { return mine < theirs ? -1 : 1 }
        }
        return 0
    }
}
