internal import CommandConsole
internal import SceneRouting
internal import SceneVocabulary
internal import StrictJSON

extension PytestWriter {
    // MARK: - Events

    /// Adds what is expected of events when everything is over.
    mutating func addEnds(in script: String) throws(CommandError) {
        let (before, depth) = (lines.count, blocks.open.count)
        defer {
            SourceText.indent(&lines, from: before, by: depth)
            while let block = blocks.open.last { end(block) }
        }
        guard !ends.isEmpty else { return }
        lines += ["", "# At the end"]
        if !isAtRest, ends.contains(where: { !$0.isOfLibrary }) { rest() }
        for end in ends {
            let place = "\(script), step \(end.number)"
            let first = lines.count
            if end.isOfLibrary {
                try expect(end.step, event: end.variable, at: place)
            } else {
                let number = end.number
                let all = names.name("receipts \(number)")
                lines.append(
                    end.step.isSet
                        ? "\(all) = [app.client.events.get(each.event).receipt for each in \(end.variable).receipts]"
                        : "\(all) = app.client.events.get(\(end.variable).receipt.event).receipt"
                )
                for (name, value) in end.step.expect ?? [:] {
                    let isThem = name == (end.step.isSet ? "receipts" : "receipt")
                    try compare(
                        value,
                        with: isThem ? all : "\(end.variable).\(Self.snake(name))",
                        isOpen: false,
                        at: place
                    )
                }
            }
            for index in first..<lines.count where !lines[index].hasPrefix("#") {
                lines[index] += "  # step \(end.number)"
            }
        }
    }

    private mutating func expect(_ step: ScriptStep, event: String, at place: String) throws(CommandError) {
        for (name, value) in step.expect ?? [:] {
            guard name == "receipt", var receipt = value.objectValue else {
                try compare(value, with: "\(event).\(Self.snake(name))", isOpen: false, at: place)
                continue
            }
            // It is sent to that window, and comes to no other.
            if let scene = receipt["scene"], scene == step.parameters["scene"] { receipt["scene"] = nil }
            if let outcome = receipt["outcome"]?.stringValue {
                receipt["outcome"] = nil
                imports.insert("expect")
                if outcome == "gated", let gate = receipt["precondition"]?.stringValue {
                    receipt["precondition"] = nil
                    lines.append("expect(\(event)).to_be_gated_at(\(self.value(.string(gate))))")
                } else {
                    var arguments = [self.value(.string(outcome))]
                    if let reason = receipt["reason"], reason.stringValue != nil, !reason.hasPlaceholder {
                        receipt["reason"] = nil
                        arguments.append(labelled("reason", reason))
                    }
                    lines.append("expect(\(event)).to_be(\(arguments.joined(separator: ", ")))")
                }
            }
            if !receipt.isEmpty {
                try compare(.object(receipt), with: "\(event).receipt", isOpen: false, at: place)
            }
        }
    }

    // MARK: - Windows

    /// Adds what is expected of a reply that describes a window.
    mutating func expect(_ expect: JSONObject?, of window: String, at place: String) throws(CommandError) {
        for (name, value) in expect ?? [:] {
            guard name == "scene", let scene = value.objectValue else {
                throw .usage("\(place): expect: \(name) cannot be written for pytest; expected an object 'scene'.")
            }
            imports.insert("expect")
            for (name, value) in scene { try self.expect(name, value, of: window, at: place) }
        }
    }

    private mutating func expect(_ name: String, _ value: JSONValue, of window: String, at place: String)
        throws(CommandError)
    {
        let state = "\(window).scene.\(Self.snake(name))"
        switch (name, value) {
        case ("activation", .string(let word)) where Activation(rawValue: word) != nil:
            lines.append("expect(\(window)).to_be(\(self.value(value)))")
        case ("connected", .bool(let isConnected)):
            lines.append("expect(\(window)).to_be_connected(\(isConnected ? "" : "False"))")
        case ("locked", .bool(true)): lines.append("expect(\(window)).to_be_locked()")
        case ("window", .string(let text)): try expect(shown: text, of: window, at: place)
        case ("parked", .array(let parked)) where parked.allSatisfy { $0["precondition"]?.stringValue != nil }:
            let names = parked.map { self.value($0["precondition"] ?? .null) }
            lines.append("expect(\(window)).to_have_parked(\(names.joined(separator: ", ")))")
            for (index, each) in parked.enumerated() {
                var rest = each.objectValue ?? [:]
                rest["precondition"] = nil
                if !rest.isEmpty { try compare(.object(rest), with: "\(state)[\(index)]", isOpen: false, at: place) }
            }
        default: try compare(value, with: state, isOpen: false, at: place)
        }
    }

    /// Adds what a window is expected to show.
    private mutating func expect(shown text: String, of window: String, at place: String) throws(CommandError) {
        switch try WrittenWindow.ofScene(text, at: place) {
        case .disconnected: lines.append("expect(\(window)).to_be_connected(False)")
        case .gone: break
        case .window(let text):
            let front = text.front
            let screens = front.tabs.flatMap(\.stack) + front.presentations.flatMap(\.stack)
            lines.append("expect(\(window)).to_show(\(list(screens)))")
            if !text.presentations.isEmpty || text.isWhole {
                let modals = text.presentations.map { self.value(.string($0.flow ?? $0.stack.first?.id ?? "")) }
                lines.append("expect(\(window)).to_have_modals(\(modals.joined(separator: ", ")))")
            }
            for (index, tab) in text.tabs.enumerated() {
                let isSelected = index == text.selected
                if isSelected, let id = tab.id {
                    lines.append("expect(\(window)).to_have_tab(\(self.value(.string(id))))")
                }
                // What is presented has to be told from what it is presented over.
                if !isSelected || !text.presentations.isEmpty, !tab.stack.isEmpty {
                    let name = isSelected ? nil : tab.id
                    let where_ = name.map { ", tab=\(self.value(.string($0)))" } ?? ""
                    lines.append("expect(\(window)).to_have_stack(\(list(tab.stack))\(where_))")
                }
            }
            for (index, presentation) in text.presentations.enumerated() {
                guard let style = presentation.style else { continue }
                let modals = "\(window).scene.window.modals"
                lines.append("assert \(modals)[\(index)].style == \(self.value(.string(style.rawValue)))")
            }
        }
    }

    /// Screens as the package's expectations take them.
    private mutating func list(_ screens: [Destination]) -> String {
        screens.map { screen in
            let parameters = screen.parameters.sorted { $0.key < $1.key }
            if parameters.isEmpty { return value(.string(screen.id)) }
            guard SecretPlaceholder.all(in: parameters.map(\.value).joined(separator: " ")).isEmpty else {
                leaveOut(
                    "the parameters of \(screen.id), of which one is secret: another daemon has another placeholder"
                )
                return value(.string(screen.id))
            }
            let said = parameters.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            return value(.string("\(screen.id)(\(said))"))
        }.joined(separator: ", ")
    }

    // MARK: - The session

    /// Adds what is expected of the session.
    mutating func session(_ expect: JSONObject, at place: String) throws(CommandError) {
        for (name, value) in expect {
            guard name == "session", var session = value.objectValue else {
                throw .usage("\(place): expect: \(name) cannot be written for pytest; expected an object 'session'.")
            }
            imports.insert("expect")
            if let user = session["user"], user.isNull || user.stringValue?.isEmpty == false, !user.hasPlaceholder {
                session["user"] = nil
                lines.append("expect(app).to_have_user(\(self.value(user)))")
            }
            if let facts = session["facts"]?.objectValue {
                session["facts"] = nil
                let told = facts.filter { !$0.value.hasPlaceholder }
                for (name, _) in facts where !told.contains(where: { $0.key == name }) {
                    leaveOut("the fact \(name), which is secret: another daemon has another placeholder")
                }
                let areNames = told.allSatisfy { Self.isIdentifier($0.key) && $0.key != "self" }
                let object = JSONObject(told.map { ($0.key, $0.value) })
                let arguments =
                    areNames
                    ? told.map { labelled($0.key, $0.value) }.joined(separator: ", ")
                    : "**\(self.value(.object(object)))"
                if !told.isEmpty { lines.append("expect(app).to_have_facts(\(arguments))") }
            }
            if !session.isEmpty { try compare(.object(session), with: "app.session", isOpen: false, at: place) }
        }
    }

    // MARK: - Anything else

    /// Adds comparisons of a part of a reply, member by member.
    /// - Parameter isOpen: Whether it has members that no interface declares, which Python has in a dictionary.
    mutating func compare(_ expected: JSONValue, with found: String, isOpen: Bool, at place: String)
        throws(CommandError)
    {
        switch expected {
        case .object(let members):
            if members.isEmpty { lines.append("assert \(found) is not None") }
            for (name, value) in members {
                guard isOpen || Self.isIdentifier(name) else {
                    throw .usage("\(place): expect: no reply has a member \(name.quotedForMessage).")
                }
                let key = SourceText.literal(name, .python)
                let member =
                    !isOpen
                    ? "\(found).\(Self.snake(name))" : value.isNull ? "\(found).get(\(key))" : "\(found)[\(key)]"
                if !isOpen, Self.isInNotation(name, value) {
                    leaveOut("\(name), which is written in one line: \(value.text())")
                    continue
                }
                try compare(value, with: member, isOpen: isOpen || Self.openMembers.contains(name), at: place)
            }
        case .array(let elements) where expected.isPlainList && !elements.isEmpty:
            lines.append("assert \(found) == \(value(expected))")
        case .array(let elements):
            lines.append("assert len(\(found)) == \(elements.count)")
            for (index, element) in elements.enumerated() {
                try compare(element, with: "\(found)[\(index)]", isOpen: isOpen, at: place)
            }
        case .null: lines.append("assert \(found) is None")
        case .bool: lines.append("assert \(found) is \(value(expected))")
        case _ where expected.hasPlaceholder:
            leaveOut("\(found), which is secret: another daemon has another placeholder")
        case .string, .integer, .number: lines.append("assert \(found) == \(value(expected))")
        }
    }

    mutating func leaveOut(_ what: String) { lines.append(Self.comment("left out: \(what)")) }

    /// What replies have with members that no interface declares.
    private static let openMembers: Set<String> = [
        "answer", "captures", "event", "extracted", "facts", "parameters", "records", "refused", "userInfo", "uses",
    ]
    /// Whether a member is said in one line, such as `home › cart`, where a reply has an object.
    static func isInNotation(_ name: String, _ value: JSONValue) -> Bool {
        switch value {
        case .string: ["window", "destination", "target", "resolution"].contains(name)
        case .array(let list):
            ["stack", "path", "modal"].contains(name) && list.contains { $0.stringValue != nil }
        default: false
        }
    }

    /// Whether a name is one in Python.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, !keywords.contains(name) else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: false
            }
        } && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    }

    /// A name of the interfaces as the package has it: `openURLs` as `open_urls`.
    static func snake(_ name: String) -> String {
        var text = name.replacing("URLs", with: "Urls")
        text = text.replacing(/([a-z0-9])([A-Z])/) { "\($0.output.1)_\($0.output.2)" }
        text = text.replacing(/([A-Z]+)([A-Z][a-z])/) { "\($0.output.1)_\($0.output.2)" }.lowercased()
        return keywords.contains(text) ? "\(text)_" : text
    }

    private static let keywords: Set<String> = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
        "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
        "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ]

    /// What a variable must not be named.
    static let reserved = keywords.union(
        ScriptMethods.errors.union([
            "app", "clock", "expect", "pytest", "os", "quote", "types", "max", "len", "each", "App", "Clock", "match",
            "case",
            "type",
        ])
    )
    /// Parameters of the package's `report` that are its own.
    static let ofReport: Set<String> = ["self", "intent", "parameters", "by", "wait", "event"]
}

extension WrittenWindow {
    /// The window that a reply about a scene is expected to have.
    /// - Throws: What is wrong with the text; a window of which a call tells is not gone.
    static func ofScene(_ text: String, at place: String) throws(CommandError) -> WrittenWindow {
        do throws(WindowNotationError) {
            let window = try WrittenWindow(parsing: text)
            if window != .gone { return window }
        } catch {
            throw .usage("\(place): expect: scene.window: \(text.quotedForMessage) is no window: \(error).")
        }
        throw .usage("\(place): expect: scene.window: a window of which a call tells is not 'gone'.")
    }
}
