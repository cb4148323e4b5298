internal import Basics
internal import SceneNavigation
package import SceneRouting

/// The facts that a manifest declares, with the values that each may have.
package struct FactDeclarations: Sendable {
    private let byName: [String: FactDeclaration]
    /// What makes the placeholders of secrets; `nil` to keep their values.
    private let secretKey: SecretKey?

    package init(_ manifest: AppManifest, secrets: SecretKey? = nil) {
        secretKey = secrets
        byName = Dictionary(manifest.facts.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The facts of a new session.
    package var defaults: [String: FactValue] { byName.compactMapValues(\.defaultValue) }

    package func defaultValue(of name: String) -> FactValue? { byName[name]?.defaultValue }

    /// A value as the session keeps it: for a secret the placeholder of each text.
    package func concealed(_ value: FactValue, of fact: String) -> FactValue {
        guard let secretKey, byName[fact]?.isSecret ?? false else { return value }
        func concealed(_ text: String) -> String {
            secretKey.hasMade(text) ? text : secretKey.placeholder(for: text)
        }
        return switch value {
        case .string(let text): .string(concealed(text))
        case .strings(let list): .strings(list.map(concealed))
        case .integer, .number, .boolean: value
        }
    }

    /// Values as the session would keep them, whether or not it would take them. What is not declared could be a misspelt secret.
    package func concealed(_ facts: [String: FactValue]) -> [String: FactValue] {
        guard let secretKey, byName.values.contains(where: \.isSecret) else { return facts }
        return Dictionary(
            uniqueKeysWithValues: facts.map { name, value in
                guard let declaration = byName[name], !declaration.isSecret || value.isText else {
                    return (name, .string(secretKey.placeholder(for: "\(value)")))
                }
                return (name, concealed(value, of: declaration.name))
            }
        )
    }

    /// The facts in their declared types: an integer given for a number becomes a number. For the values of secrets their
    /// placeholders.
    /// - Throws: ``SessionError/invalidFact(fact:reason:)``, also for a fact that is too large.
    package func checked(_ facts: [String: FactValue]) throws(SessionError) -> [String: FactValue] {
        var checked = facts
        for (name, value) in facts.sorted(by: { $0.key < $1.key }) {
            try check(names: [name])
            try Self.check(sizeOf: value, name)
            guard let type = byName[name]?.type, type != value.type else {
                checked[name] = concealed(value, of: name)
                continue
            }
            switch (type, value) {
            case (.number, .integer(let integer)): checked[name] = .number(Double(integer))
            case (.date, .string): checked[name] = try read(value, for: name)
            default: throw .invalidFact(fact: name, reason: "expected \(type.expectation), found \(value.type.phrase)")
            }
        }
        return checked
    }

    /// The value in the fact's declared type; a text is parsed as that type, and one that is secret becomes its placeholder.
    /// - Throws: ``SessionError/invalidFact(fact:reason:)``, also for a value that is too large.
    func read(_ value: FactValue, for fact: String) throws(SessionError) -> FactValue {
        guard case .string(let text) = value, let type = byName[fact]?.type else {
            return try checked([fact: value])[fact] ?? value
        }
        let read: FactValue? =
            switch type {
            case .string: concealed(value, of: fact)
            case .date: Instant.canonical(text).map(FactValue.string)
            case .integer: Int(text).map(FactValue.integer)
            case .number: Double(text).flatMap { $0.isFinite ? .number($0) : nil }
            case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
            case .strings: nil
            }
        guard let read else {
            throw .invalidFact(fact: fact, reason: "expected \(type.expectation), found the text '\(text.echoed)'")
        }
        try Self.check(sizeOf: read, fact)
        return read
    }

    /// What a fact that counts becomes when this is added to it; one without a value counts as 0.
    /// - Throws: ``SessionError/invalidFact(fact:reason:)`` for a fact that does not count, or a sum that is too large.
    func sum(of value: FactValue?, and amount: Int, for fact: String) throws(SessionError) -> FactValue {
        try check(names: [fact])
        switch (byName[fact]?.type, value) {
        case (.integer, .integer(let count)?):
            let (sum, isTooLarge) = count.addingReportingOverflow(amount)
            guard !isTooLarge else {
                throw .invalidFact(fact: fact, reason: "\(count) and \(amount) are more than an integer can have")
            }
            return .integer(sum)
        case (.integer, _): return .integer(amount)
        case (.number, .number(let number)?): return .number(number + Double(amount))
        case (.number, .integer(let count)?): return .number(Double(count) + Double(amount))
        case (.number, _): return .number(Double(amount))
        case (let type, _):
            let found = type.map { ", found \($0.phrase)" } ?? ""
            throw .invalidFact(fact: fact, reason: "only an integer or a number can be added to\(found)")
        }
    }

    /// - Throws: ``SessionError/invalidFact(fact:reason:)`` for a name that is not declared.
    package func check(names: [String]) throws(SessionError) {
        for name in names where byName[name] == nil {
            let declared = byName.keys.sorted()
            let list = declared.isEmpty ? "none" : declared.joined(separator: ", ")
            throw .invalidFact(
                fact: name,
                reason: "not declared; the app declares: \(list)\(Spelling.hint(for: name, among: declared))"
            )
        }
    }

    /// - Throws: ``SessionError/invalidFact(fact:reason:)`` if the value is larger than one fact may be.
    static func check(sizeOf value: FactValue, _ fact: String) throws(SessionError) {
        if case .strings(let list) = value, list.count > FactLimits.elements {
            throw .invalidFact(
                fact: fact,
                reason: "has \(list.count) elements; a list may have \(FactLimits.elements)"
            )
        }
        let size = value.footprint
        guard size > FactLimits.one else { return }
        throw .invalidFact(fact: fact, reason: "takes \(size) bytes; one fact may take \(FactLimits.one)")
    }

    /// Checks what all facts take together after a change. What is there already may stay, whatever it takes.
    /// - Throws: ``SessionError/invalidFact(fact:reason:)``, with the largest of the facts that have changed.
    static func check(sizeOf facts: [String: FactValue], after old: [String: FactValue]) throws(SessionError) {
        let size = facts.footprint
        guard size > FactLimits.all, size > old.footprint else { return }
        let changed = facts.filter { old[$0.key] != $0.value }
        let largest = changed.max { ($0.value.footprint, $1.key) < ($1.value.footprint, $0.key) }
        throw .invalidFact(
            fact: largest?.key ?? "",
            reason: "with it all facts take \(size) bytes; together they may take \(FactLimits.all)"
        )
    }

    /// The facts after a user has left: those of scope `user` have their defaults again.
    package func resettingUserFacts(_ facts: [String: FactValue]) -> [String: FactValue] {
        var facts = facts
        for declaration in byName.values where declaration.scope == .user {
            facts[declaration.name] = declaration.defaultValue
        }
        return facts
    }

    /// The facts under these declarations after those under earlier ones: what is declared as before keeps its value; undeclared facts
    /// are dropped, and new ones, and those of another type or scope, have their defaults.
    package func adopting(_ facts: [String: FactValue], of former: FactDeclarations) -> [String: FactValue] {
        let kept = facts.filter { name, _ in
            guard let declaration = byName[name], let before = former.byName[name] else { return false }
            return declaration.type == before.type && declaration.scope == before.scope
        }
        .map { ($0, concealed($1, of: $0)) }
        return defaults.merging(kept) { $1 }
    }
}

/// How large facts may be, so that every commit can be shown and handed back. A value takes its bytes in JSON and 16 more, as
/// does every element of a list.
package enum FactLimits {
    /// How many bytes one fact may take.
    package static let one = 64 << 10
    /// How many elements a list may have.
    package static let elements = 1_000
    /// How many bytes all facts may take together, with their names.
    package static let all = 256 << 10
}

extension FactValue {
    fileprivate var isText: Bool { type == .string || type == .strings }

    fileprivate var type: FactDeclaration.FactType {
        switch self {
        case .string: .string
        case .integer: .integer
        case .number: .number
        case .boolean: .boolean
        case .strings: .strings
        }
    }
}

extension FactDeclaration.FactType {
    /// What would be right, with an example where a person may not know how to write one.
    fileprivate var expectation: String {
        switch self {
        case .boolean: "true or false"
        case .strings: #"a list of strings such as ["a", "b"]"#
        case .string, .integer, .number, .date: phrase
        }
    }

    fileprivate var phrase: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "a boolean"
        case .strings: "a list of strings"
        case .date: Instant.expectation
        }
    }
}
