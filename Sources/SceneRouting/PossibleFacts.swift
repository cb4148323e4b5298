internal import Basics
package import StrictJSON

/// What the session can tell of an app's facts.
package struct PossibleFacts: Sendable {
    private let facts: [FactDeclaration]

    package init(_ app: AppManifest) { facts = app.facts }

    /// Why facts never have these values, null for one that has none; `nil` if they can.
    /// - Parameter allowsForeign: Whether null may be expected of facts that only another app declares: of names that resemble none of this
    ///   app's, which would be misspelt.
    package func problem(with expected: JSONObject, allowsForeign: Bool = false) -> ImpossibleExpectation? {
        for (name, value) in expected {
            guard let fact = facts.first(where: { $0.name.hasSameBytes(as: name) }) else {
                let names = facts.map(\.name)
                if allowsForeign, value.isNull, Spelling.nearest(to: name, among: names) == nil { continue }
                return ImpossibleExpectation(no: "fact", name, among: names)
            }
            if let problem = Self.problem(with: value, of: fact) { return problem }
        }
        return nil
    }

    private static func problem(with value: JSONValue, of fact: FactDeclaration) -> ImpossibleExpectation? {
        let name = "the fact '\(fact.name)'"
        if value.isNull {
            return fact.defaultValue == nil
                ? nil : ImpossibleExpectation("\(name) always has a value; the app declares a default")
        }
        guard let texts = fact.type.texts(of: value) else {
            let found = fact.isSecret ? "this value" : value.text(.compact)
            return ImpossibleExpectation("\(name) cannot be \(found): it is of type \(fact.type.rawValue)")
        }
        if fact.isSecret {
            return texts.allSatisfy { $0.isEmpty || SecretPlaceholder.isOne($0) }
                ? nil : ImpossibleExpectation("\(name) is secret", expected: "the placeholder that the session shows")
        }
        guard fact.type == .date, let text = texts.first, Instant.canonical(text) != text else { return nil }
        return ImpossibleExpectation(
            "\(name) is never '\(text)'",
            expected: Instant.canonical(text).map { "'\($0)'" } ?? Instant.expectation
        )
    }
}

extension FactDeclaration.FactType {
    /// The texts of a value of this type; `nil` for a value of another.
    fileprivate func texts(of value: JSONValue) -> [String]? {
        switch (self, value) {
        case (.string, .string(let text)), (.date, .string(let text)): [text]
        case (.integer, .integer), (.number, .integer), (.number, .number), (.boolean, .bool): []
        case (.strings, .array(let values)):
            values.allSatisfy { $0.stringValue != nil } ? values.compactMap(\.stringValue) : nil
        default: nil
        }
    }
}
