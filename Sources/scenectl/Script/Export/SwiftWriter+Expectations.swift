internal import CommandConsole
internal import SceneRouting
internal import SceneVocabulary
internal import StrictJSON

extension SwiftWriter {
    /// Adds what is expected of events when everything is over.
    mutating func addEnds(in script: String) throws(CommandError) {
        let (before, depth) = (lines.count, blocks.open.count)
        defer {
            SourceText.indent(&lines, from: before, by: depth)
            for left in blocks.open.indices.reversed() { lines.append("\(SourceText.indent(left))}") }
        }
        guard !ends.isEmpty else { return }
        lines += ["", "// At the end"]
        if !isAtRest, ends.contains(where: { !$0.isOfLibrary }) { rest() }
        for end in ends {
            let place = "\(script), step \(end.number)"
            let first = lines.count
            if end.isOfLibrary {
                try expect(end.step, event: end.variable, end.number, at: place)
            } else {
                try expect(end.step, reply: end.variable, end.number, at: place)
            }
            for index in first..<lines.count where !lines[index].hasPrefix("//") {
                lines[index] += "  // step \(end.number)"
            }
        }
    }

    /// What is expected of an event that was sent by the daemon's own method.
    private mutating func expect(_ step: ScriptStep, reply: String, _ number: Int, at place: String)
        throws(CommandError)
    {
        for (name, value) in step.expect ?? [:] {
            guard name == (step.isSet ? "receipts" : "receipt") else {
                try compare(value, with: member(name, of: reply, isOptional: false), at: place)
                continue
            }
            let receipts = step.isSet ? value.arrayValue ?? [] : [value]
            if step.isSet { lines.append("#expect(\(reply)[\"receipts\"]?.arrayValue?.count == \(receipts.count))") }
            for (index, receipt) in receipts.enumerated() {
                let variable = names.name("receipt \(number)")
                let id = step.isSet ? "\(reply)[\"receipts\"]?[\(index)]" : "\(reply)[\"receipt\"]"
                lines.append(
                    "let \(variable) = try await app.client.receipt(of: \(id)?[\"event\"]?.stringValue ?? \"\").reply"
                )
                try compare(receipt, with: variable, isOptional: false, at: place)
            }
        }
    }

    private mutating func expect(_ step: ScriptStep, event: String, _ number: Int, at place: String)
        throws(CommandError)
    {
        for (name, value) in step.expect ?? [:] {
            guard name == "receipt", var receipt = value.objectValue else {
                leaveOut("\(name) of the reply, which the library's event does not keep")
                continue
            }
            // It is sent to that window, and comes to no other.
            if let scene = receipt["scene"], scene == step.parameters["scene"] { receipt["scene"] = nil }
            if let outcome = receipt["outcome"]?.stringValue.flatMap(OutcomeName.init) {
                receipt["outcome"] = nil
                if outcome == .gated, let gate = receipt["precondition"]?.stringValue {
                    receipt["precondition"] = nil
                    lines.append("try await \(event).expect(gatedAt: \(SourceText.literal(gate, .swift)))")
                } else {
                    var arguments = ".\(outcome.rawValue)"
                    if let reason = receipt["reason"], let text = reason.stringValue, !reason.hasPlaceholder {
                        receipt["reason"] = nil
                        arguments += ", reason: \(SourceText.literal(text, .swift))"
                    }
                    lines.append("try await \(event).expect(\(arguments))")
                }
            }
            guard !receipt.isEmpty else { continue }
            let variable = names.name("receipt \(number)")
            lines.append("let \(variable) = try await \(event).receipt().reply")
            try compare(.object(receipt), with: variable, isOptional: false, at: place)
        }
    }

    /// Adds what is expected of a reply that describes a window.
    mutating func expect(_ expect: JSONObject?, of window: String, _ number: Int, at place: String)
        throws(CommandError)
    {
        for (name, value) in expect ?? [:] {
            guard name == "scene", var scene = value.objectValue else {
                throw .usage("\(place): expect: \(name) cannot be written for Swift; expected an object 'scene'.")
            }
            if let text = scene["window"]?.stringValue {
                scene["window"] = nil
                _ = try WrittenWindow.ofScene(text, at: place)
                if JSONValue.string(text).hasPlaceholder {
                    leaveOut("the window, which shows a secret: another daemon has another placeholder")
                } else {
                    lines.append("try await \(window).expect(\(SourceText.literal(text, .swift)))")
                }
            }
            if let activation = scene["activation"]?.stringValue.flatMap(Activation.init) {
                scene["activation"] = nil
                lines.append("try await \(window).expect(.\(activation.rawValue))")
            }
            guard !scene.isEmpty else { continue }
            let state = names.name("state \(number)")
            lines.append("let \(state) = try #require(await \(window).state()).reply")
            try compare(.object(scene), with: state, isOptional: false, at: place)
        }
    }

    /// Adds what is expected of the session.
    mutating func session(_ expect: JSONObject, _ number: Int, at place: String) throws(CommandError) {
        for (name, value) in expect {
            guard name == "session", var session = value.objectValue else {
                throw .usage("\(place): expect: \(name) cannot be written for Swift; expected an object 'session'.")
            }
            if let user = session["user"], user.isNull || user.stringValue?.isEmpty == false, !user.hasPlaceholder {
                session["user"] = nil
                lines.append("try await app.expect(user: \(user.isNull ? "nil" : text(user)))")
            }
            if let facts = session["facts"]?.objectValue {
                session["facts"] = nil
                let told = facts.filter { !$0.value.hasPlaceholder }
                for (name, _) in facts where !told.contains(where: { $0.key == name }) {
                    leaveOut("the fact \(name), which is secret: another daemon has another placeholder")
                }
                let object = JSONObject(told.map { ($0.key, $0.value) })
                if !object.isEmpty { lines.append("try await app.expect(facts: \(self.object(object)))") }
            }
            guard !session.isEmpty else { continue }
            let variable = names.name("session \(number)")
            lines.append("let \(variable) = try await app.session().reply")
            try compare(.object(session), with: variable, isOptional: false, at: place)
        }
    }

    // MARK: - Anything else

    private func member(_ name: String, of found: String, isOptional: Bool) -> String {
        "\(found)\(isOptional ? "?" : "")[\(SourceText.literal(name, .swift))]"
    }

    /// Adds comparisons of a part of a reply, member by member.
    /// - Parameters:
    ///   - found: What is compared, as it is written.
    ///   - isOptional: Whether that may be nothing.
    mutating func compare(
        _ expected: JSONValue,
        with found: String,
        isOptional: Bool = true,
        at place: String
    ) throws(CommandError) {
        switch expected {
        case .object(let members):
            if members.isEmpty, isOptional { lines.append("#expect(\(found)?.objectValue != nil)") }
            for (name, value) in members {
                if PytestWriter.isInNotation(name, value) {
                    leaveOut("\(name), which is written in one line: \(value.text())")
                    continue
                }
                try compare(value, with: member(name, of: found, isOptional: isOptional), at: place)
            }
        case .array(let elements) where expected.isPlainList && !elements.isEmpty:
            lines.append("#expect(\(found) == \(value(expected)))")
        case .array(let elements):
            lines.append("#expect(\(found)?.arrayValue?.count == \(elements.count))")
            for (index, element) in elements.enumerated() {
                try compare(element, with: "\(found)?[\(index)]", at: place)
            }
        case .null: lines.append("#expect(\(found)?.isNull ?? true)")
        case _ where expected.hasPlaceholder:
            leaveOut("\(found), which is secret: another daemon has another placeholder")
        case .string, .bool, .integer, .number: lines.append("#expect(\(found) == \(value(expected)))")
        }
    }

    mutating func leaveOut(_ what: String) { lines.append(Self.comment("left out: \(what)")) }

    /// What a variable must not be named.
    static let reserved: Set<String> = [
        "app", "quote", "refusal", "max", "actor", "any", "as", "associatedtype", "async", "await", "borrowing",
        "break",
        "case", "catch", "class", "consuming", "continue", "default", "defer", "deinit", "do", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
        "inout", "internal", "is", "let", "nil", "nonisolated", "open", "operator", "package", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "some", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]
}
