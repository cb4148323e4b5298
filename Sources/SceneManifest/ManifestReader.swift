internal import Basics
package import SceneRouting
internal import SceneVocabulary
internal import StrictJSON

/// Reads typed values from a manifest, or from another file that people write. It collects what is wrong and remembers the
/// place of every value.
package struct ManifestReader {
    package private(set) var problems: [ManifestProblem] = []
    /// How many problems of each severity have been reported.
    private var reported: [ManifestProblem.Severity: Int] = [:]
    /// Nobody reads more of one severity.
    private static let maximumProblems = 500
    /// The keys of what has been reported as no name.
    private var misnamed: Set<String> = []
    /// The keys that were probably meant by others, which have been reported.
    private var misspelt: Set<String> = []
    /// Whether a key was probably meant to be another.
    var hasMisspeltKeys: Bool { !misspelt.isEmpty }
    /// Whether something could not be read.
    var hasErrors: Bool { problems.contains { $0.severity == .error } }
    private var places: [String: ManifestNode.Place] = [:]
    /// The keys in the file of parts that have another key in the model: routes, which are declared with destinations, and elements
    /// of a list before which one was left out. Of what they are in, each has the key in the file.
    private var names: [String: String] = [:]

    package init() {}

    package mutating func note(_ key: String, _ place: ManifestNode.Place) { places[key] = place }

    mutating func name(_ modelKey: String, as fileKey: String) { names[modelKey] = fileKey }

    /// Notes the place in the file's list of an element of the model's, from 0 each.
    mutating func nameElement(_ element: Int, of key: String, as place: Int) {
        if element < place { name("\(key)[\(element)]", as: "\(key)[\(place)]") }
    }

    package mutating func report(
        _ message: String,
        _ severity: ManifestProblem.Severity = .error,
        at key: String,
        _ place: ManifestNode.Place?,
        expected: String? = nil,
        suggestion: @autoclosure () -> String? = nil
    ) {
        // Warnings take no room from errors, without which a part would be left out in silence.
        guard reported[severity, default: 0] < Self.maximumProblems else { return }
        reported[severity, default: 0] += 1
        problems.append(
            ManifestProblem(
                severity: severity,
                key: key,
                message: message,
                expected: expected,
                suggestion: problems.count < Spelling.mostSuggestions ? suggestion() : nil,
                line: place?.line,
                column: place?.column
            )
        )
    }

    /// Reports that a member is missing, unless another is probably this one misspelt.
    package mutating func reportMissing(
        _ member: String,
        at key: String,
        _ place: ManifestNode.Place?,
        expected: String? = nil
    ) {
        guard !misspelt.contains(join(key, member)) else { return }
        report(
            "'\(member)' is missing",
            at: key.isEmpty ? member : key,
            place,
            expected: expected ?? "a member '\(member)'"
        )
    }

    /// Adds a problem of the model, with the place in the file of its key or of the nearest key above.
    mutating func add(_ problem: ManifestProblem) {
        guard !misnamed.contains(problem.key) else { return }
        var placed = problem
        if !names.isEmpty { placed.key = keyInFile(of: placed.key) }
        var key = placed.key
        while !key.isEmpty {
            if let place = places[key] {
                placed.line = place.line
                placed.column = place.column
                break
            }
            guard let cut = key.lastIndex(where: { $0 == "." || $0 == "[" }) else { break }
            key = String(key[..<cut])
        }
        if placed.line == nil {
            placed.line = 1
            placed.column = 1
        }
        problems.append(placed)
    }

    /// The key that a part of the model has in the file.
    private func keyInFile(of key: String) -> String {
        var (known, rest) = ("", key[...])
        while let end = rest.firstIndex(of: "]") {
            known += rest[...end]
            known = names[known] ?? known
            rest = rest[rest.index(after: end)...]
        }
        return known + rest
    }

    // MARK: - Values

    /// The members of a mapping; reports those that are not among `allowed`.
    package mutating func members(_ node: ManifestNode, at key: String, allowed: [String]) -> [String: ManifestNode] {
        var result: [String: ManifestNode] = [:]
        for member in map(node, at: key) {
            guard allowed.contains(member.key) else {
                let name = member.key.prefix(utf8: 64)
                let meant =
                    problems.count < Spelling.mostSuggestions ? Spelling.nearest(to: member.key, among: allowed) : nil
                if let meant { misspelt.insert(join(key, meant)) }
                report(
                    "'\(name)' is not allowed here",
                    at: join(key, name),
                    member.place,
                    expected: "one of \(allowed.joined(separator: ", "))",
                    suggestion: meant
                )
                continue
            }
            note(join(key, member.key), member.place)
            result[member.key] = member.value
        }
        return result
    }

    /// Whether a misspelt key of the mapping, which has been reported, was probably meant as one of these.
    package func hasMisspelt(oneOf members: [String], at key: String) -> Bool {
        members.contains { misspelt.contains(join(key, $0)) }
    }

    /// The members of a mapping, with any keys; none for null.
    package mutating func map(_ node: ManifestNode, at key: String) -> [ManifestNode.Member] {
        if node.isNull { return [] }
        guard let members = node.members else {
            report("is \(node.kind)", at: key, node.place, expected: "a mapping")
            return []
        }
        return members
    }

    /// The members of a mapping whose keys are names; reports those that are not, and leaves out those that are too long.
    package mutating func named(_ node: ManifestNode?, at key: String) -> [ManifestNode.Member] {
        guard let node else { return [] }
        return map(node, at: key).filter { member in
            // A long one would be in the keys of everything in it.
            let isTooLong = member.key.utf8.count > NameRule.length.upperBound
            if !isTooLong { note(join(key, member.key), member.place) }
            if !NameRule.allows(member.key) || member.key.utf8.contains(where: { ".[]{}".utf8.contains($0) }) {
                misnamed.insert(join(key, member.key))
                report(
                    "\(member.key.quotedForMessage) is not a name",
                    at: key,
                    member.place,
                    expected: "\(NameRule.expectation), dots, brackets and braces"
                )
            }
            return !isTooLong
        }
    }

    package mutating func list(_ node: ManifestNode?, at key: String) -> [ManifestNode] {
        guard let node, !node.isNull else { return [] }
        guard case .list(let list) = node.value else {
            report("is \(node.kind)", at: key, node.place, expected: "a list")
            return []
        }
        for (index, element) in list.enumerated() { note("\(key)[\(index)]", element.place) }
        return list
    }

    package mutating func text(_ node: ManifestNode?, at key: String) -> String? {
        guard let node else { return nil }
        guard case .scalar(let text, _) = node.value, !node.isNull else {
            report("is \(node.kind)", at: key, node.place, expected: "text")
            return nil
        }
        return text
    }

    /// A text that is a name.
    package mutating func name(_ node: ManifestNode?, at key: String) -> String? {
        guard let node, let text = text(node, at: key) else { return nil }
        guard let problem = NameRule.problem(text) else { return text }
        report("\(text.quotedForMessage) \(problem)", at: key, node.place)
        return nil
    }

    package mutating func texts(_ node: ManifestNode?, at key: String) -> [String] {
        var texts: [String] = []
        for (index, element) in list(node, at: key).enumerated() {
            guard let text = text(element, at: "\(key)[\(index)]") else { continue }
            nameElement(texts.count, of: key, as: index)
            texts.append(text)
        }
        return texts
    }

    package mutating func boolean(_ node: ManifestNode?, at key: String) -> Bool? {
        guard let node else { return nil }
        guard case .scalar(let text, isQuoted: false) = node.value, text == "true" || text == "false" else {
            report("is \(node.kind)", at: key, node.place, expected: "true or false")
            return nil
        }
        return text == "true"
    }

    package mutating func integer(_ node: ManifestNode?, at key: String) -> Int? {
        guard let node else { return nil }
        guard case .scalar(let text, isQuoted: false) = node.value, let value = Int(text) else {
            report("is \(node.kind)", at: key, node.place, expected: "an integer")
            return nil
        }
        return value
    }

    package mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ node: ManifestNode?,
        at key: String,
        of type: Choice.Type
    ) -> Choice? where Choice.RawValue == String {
        guard let node, let text = text(node, at: key) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let all = Choice.allCases.map(\.rawValue)
        report(
            "'\(text)' is not allowed here",
            at: key,
            node.place,
            expected: "one of \(all.joined(separator: ", "))",
            suggestion: Spelling.nearest(to: text, among: all)
        )
        return nil
    }

    package func join(_ key: String, _ member: String) -> String { key.isEmpty ? member : "\(key).\(member)" }

    /// All problems so far, in the order of the file; those of one place in the order found.
    package func problems(file: String?) -> [ManifestProblem] {
        let ordered = problems.enumerated().sorted { one, other in
            let places = (one.element.line ?? 0, one.element.column ?? 0, one.offset)
            return places < (other.element.line ?? 0, other.element.column ?? 0, other.offset)
        }
        return ordered.map { _, problem in
            var problem = problem
            problem.file = file
            return problem
        }
    }
}

extension ManifestReader {
    /// Reads a value of a fact's type. For an unknown fact, which is reported elsewhere, it is of the type it looks like.
    package mutating func factValue(_ node: ManifestNode, _ type: FactDeclaration.FactType?, at key: String)
        -> FactValue?
    {
        switch (node.value, type) {
        case (.list, .strings), (.list, nil): return .strings(texts(node, at: key))
        case (.scalar(let text, _), .string) where !node.isNull: return .string(text)
        case (.scalar(let text, _), .date) where !node.isNull:
            if let date = Instant.canonical(text) { return .string(date) }
            report("'\(text)' is not a date", at: key, node.place, expected: Instant.expectation)
            return nil
        case (.scalar, .boolean): return boolean(node, at: key).map(FactValue.boolean)
        case (.scalar, .integer): return integer(node, at: key).map(FactValue.integer)
        case (.scalar(let text, isQuoted: false), .number):
            if let number = Double(text), number.isFinite { return .number(number) }
        case (.scalar(let text, _), nil) where !node.isNull:
            switch node.json {
            case .bool(let bool): return .boolean(bool)
            case .integer(let integer): return .integer(integer)
            case .number(let number): return .number(number)
            default: return .string(text)
            }
        default: break
        }
        report(
            "is \(node.kind)",
            at: key,
            node.place,
            expected: "a value" + (type.map { " of type \($0.rawValue)" } ?? "")
        )
        return nil
    }
}
