internal import SceneRouting
internal import SceneVocabulary
internal import StrictJSON

extension SwiftWriter {
    static let methods = [
        "OpenURL": LibraryMethod("open", [("url", nil)]),
        "Push": LibraryMethod(
            "push",
            [("payload", nil), ("interaction", "interaction"), ("action", "action"), ("text", "text")]
        ),
        "ContinueActivity": LibraryMethod(
            "activity",
            [
                ("activityType", nil), ("userInfo", "userInfo"), ("webpageURL", "webpageURL"), ("handoff", "handoff"),
                ("announced", "announced"), ("failure", "failure"),
            ]
        ),
        "TapWidget": LibraryMethod("widget", [("kind", nil), ("url", "url"), ("userInfo", "userInfo")]),
        "PerformShortcut": LibraryMethod("shortcut", [("type", nil), ("userInfo", "userInfo")]),
    ]

    /// The call of the library's method for an event; `nil` if it has none that says the same.
    mutating func libraryCall(_ step: ScriptStep, _ reader: StepMembers, waits: Bool) -> String? {
        let given = ScriptStep.given(reader.parameters)
        guard reader["scene"] == nil || reader.text("scene") != nil,
            reader["event"] == nil || reader.text("event") != nil
        else { return nil }
        // A window that is not there is named in a call that is refused.
        if let scene = reader.text("scene"), windows[scene] == nil, step.expect?["error"] != nil { return nil }
        let isOfWindow = Self.methods[step.parts.method] == nil
        guard !isOfWindow || reader.text("scene") != nil else { return nil }
        let isPlain = waits && reader["event"] == nil
        guard var (name, arguments) = verb(step, given, isPlain: isPlain) else { return nil }
        if !waits { arguments.append("wait: .admitted") }
        if let event = reader.text("event") { arguments.append("event: \(text(.string(event)))") }
        name = "\(reader.text("scene").map { window($0) } ?? "app").\(name)"
        return "\(name)(\(arguments.joined(separator: ", ")))"
    }

    /// - Parameter isPlain: Whether neither a name nor a wait is said, for which some methods have no parameter.
    private mutating func verb(_ step: ScriptStep, _ given: JSONObject, isPlain: Bool) -> (String, [String])? {
        if let method = Self.methods[step.parts.method] {
            guard let found = method.arguments(given) else { return nil }
            return (
                method.name,
                found.map { label, value in
                    let written =
                        switch value {
                        case .object(let members): object(members)
                        case .bool(let flag): "\(flag)"
                        default: text(value)
                        }
                    return label.map { "\($0): \(written)" } ?? written
                }
            )
        }
        switch step.parts.method {
        case "SendIntent":
            guard let name = given["name"], name.stringValue != nil,
                given["parameters"] == nil || given["parameters"]?.hasTexts == true,
                given["from"] == nil || given["from"]?.stringValue != nil
            else { return nil }
            var arguments = [text(name)]
            if let parameters = given["parameters"]?.objectValue, !parameters.isEmpty {
                arguments.append(texts(parameters))
            }
            if let from = given["from"] { arguments.append("by: \(text(from))") }
            return ("report", arguments)
        case "Gesture": return gesture(given, isPlain: isPlain)
        case "FinishFlow":
            let rest = given.filter { !["flow", "result"].contains($0.key) }
            guard let flow = given["flow"], flow.stringValue != nil,
                given["user"] == nil || given["user"]?.stringValue != nil,
                given["facts"] == nil || given["facts"]?.objectValue != nil,
                given["values"] == nil || given["values"]?.hasTexts == true
            else { return nil }
            var arguments = [text(flow)]
            if given["result"] == "cancelled", rest.isEmpty { return ("cancel", arguments) }
            guard given["result"] == "completed" else { return nil }
            if let user = given["user"] { arguments.append("user: \(text(user))") }
            if let facts = given["facts"]?.objectValue { arguments.append("facts: \(object(facts))") }
            if let values = given["values"]?.objectValue, !values.isEmpty {
                arguments.append("values: \(texts(values))")
            }
            return ("complete", arguments)
        default: return nil
        }
    }

    private mutating func gesture(_ given: JSONObject, isPlain: Bool) -> (String, [String])? {
        let cancelled = given["cancelled"] == true
        guard given["cancelled"] == nil || given["cancelled"]?.boolValue != nil else { return nil }
        let swipe = cancelled ? "(cancelled: true)" : "()"
        switch given["gesture"]?.stringValue.flatMap(Gesture.Name.init) {
        case .back where !cancelled && given["tab"] == nil: return isPlain ? ("back", []) : ("gesture", [".back"])
        case .dismiss where !cancelled && given["tab"] == nil: return ("gesture", [".dismiss"])
        case .swipeBack where given["tab"] == nil: return ("gesture", [".swipeBack\(swipe)"])
        case .swipeDown where given["tab"] == nil: return ("gesture", [".swipeDown\(swipe)"])
        case .selectTab where !cancelled && given["tab"]?.stringValue != nil:
            let tab = text(given["tab"] ?? .null)
            return isPlain ? ("select", ["tab: \(tab)"]) : ("gesture", [".selectTab(\(tab))"])
        default: return nil
        }
    }

    /// The call of a method of the library for the session; `nil` if it has none that says the same.
    mutating func sessionCall(_ method: String, _ given: JSONObject, _ reader: StepMembers) -> String? {
        guard reader["scene"] == nil else { return nil }
        switch method {
        case "SignOut" where given.isEmpty: return "app.signOut()"
        case "MarkStale" where given.isEmpty: return "app.markStale()"
        case "SignIn":
            guard let user = given["user"], user.stringValue != nil,
                given["facts"] == nil || given["facts"]?.objectValue != nil
            else { return nil }
            var arguments = [text(user)]
            if let facts = given["facts"]?.objectValue { arguments.append("facts: \(object(facts))") }
            for (name, label) in [("expiresInMilliseconds", "expiresIn"), ("staleInMilliseconds", "staleIn")] {
                guard let duration = given[name] else { continue }
                guard let milliseconds = duration.integerValue else { return nil }
                arguments.append("\(label): .milliseconds(\(milliseconds))")
            }
            return "app.signIn(\(arguments.joined(separator: ", ")))"
        case "Commit":
            let set = given["set"]?.objectValue ?? [:]
            let remove = given["remove"]?.arrayValue?.compactMap(\.stringValue) ?? []
            guard given["expectedRevision"] == nil, given["set"] == nil || given["set"]?.objectValue != nil,
                given["remove"] == nil || given["remove"]?.arrayValue?.count == remove.count,
                Set(set.keys).isDisjoint(with: remove), Set(remove).count == remove.count,
                !set.contains(where: { $0.value.isNull }), !(set.isEmpty && remove.isEmpty)
            else { return nil }
            return "app.set(\(object(JSONObject(set.map { ($0.key, $0.value) } + remove.map { ($0, .null) }))))"
        default: return nil
        }
    }

    /// The call of the client for any method.
    mutating func general(_ step: ScriptStep, _ parameters: JSONObject) -> String {
        let arguments = parameters.isEmpty ? "" : ", \(object(parameters))"
        return "try await app.client.call(\(SourceText.literal("io.scened.\(step.call)", .swift))\(arguments))"
    }

    // MARK: - Values

    /// A text in Swift.
    mutating func text(_ json: JSONValue) -> String { string(json.stringValue ?? json.text()).code }

    private mutating func string(_ text: String) -> (code: String, isLiteral: Bool) {
        let parts = SourcePart.parts(of: text)
        guard parts.contains(where: { if case .secret = $0 { true } else { false } }) else {
            return (SourceText.literal(text, .swift), true)
        }
        let isWhole = parts.count == 1
        let code = parts.map { part in
            switch part {
            case .text(let text): return SourceText.literal(text, .swift)
            case .secret(let placeholder):
                guard let name = secretNames[placeholder] else { return SourceText.literal(placeholder, .swift) }
                if isWhole { return name }
                // Elsewhere it stands for a part of a URL.
                quotes = true
                return "quote(\(name))"
            }
        }
        return (code.joined(separator: " + "), false)
    }

    /// A dictionary of texts.
    private mutating func texts(_ object: JSONObject) -> String {
        "[\(object.map { "\(SourceText.literal($0.key, .swift)): \(text($0.value))" }.joined(separator: ", "))]"
    }

    /// A `JSONObject`.
    mutating func object(_ object: JSONObject) -> String {
        guard !object.isEmpty else { return "[:]" }
        return "[\(object.map { "\(SourceText.literal($0.key, .swift)): \(value($0.value))" }.joined(separator: ", "))]"
    }

    /// A `JSONValue`.
    mutating func value(_ json: JSONValue) -> String {
        switch json {
        case .null: return ".null"
        case .bool(let bool): return "\(bool)"
        case .integer(let integer): return "\(integer)"
        case .number: return json.text()
        case .string(let text):
            let (code, isLiteral) = string(text)
            return isLiteral ? code : ".string(\(code))"
        case .array(let list): return "[\(list.map { value($0) }.joined(separator: ", "))]"
        case .object(let object): return self.object(object)
        }
    }
}
