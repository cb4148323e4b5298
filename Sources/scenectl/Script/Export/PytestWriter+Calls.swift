internal import SceneRouting
internal import SceneVocabulary
internal import StrictJSON

extension PytestWriter {
    static let words = [
        "OpenURL": "link", "Push": "push", "ContinueActivity": "activity", "TapWidget": "widget",
        "PerformShortcut": "shortcut", "SendIntent": "intent", "Gesture": "gesture", "FinishFlow": "flow",
    ]

    static let methods = [
        "OpenURL": LibraryMethod("open", [("url", nil), ("sourceApplication", "source_application")]),
        "Push": LibraryMethod(
            "push",
            [
                ("payload", nil), ("interaction", "interaction"), ("action", "action"), ("text", "text"),
                ("voip", "voip"),
            ]
        ),
        "ContinueActivity": LibraryMethod(
            "activity",
            [
                ("activityType", nil), ("userInfo", "user_info"), ("webpageURL", "webpage_url"), ("handoff", "handoff"),
                ("announced", "announced"), ("failure", "failure"),
                ("targetContentIdentifier", "target_content_identifier"),
            ]
        ),
        "TapWidget": LibraryMethod("widget", [("kind", nil), ("url", "url"), ("userInfo", "user_info")]),
        "PerformShortcut": LibraryMethod("shortcut", [("type", nil), ("userInfo", "user_info")]),
    ]

    /// The call of the package's method for an event; `nil` if it has none that says the same.
    mutating func libraryCall(_ step: ScriptStep, _ reader: StepMembers, waits: Bool) -> String? {
        let given = ScriptStep.given(reader.parameters)
        guard reader["scene"] == nil || reader.text("scene") != nil,
            reader["event"] == nil || reader.text("event") != nil
        else { return nil }
        // A window that is not there is named in a call that is refused.
        if let scene = reader.text("scene"), windows[scene] == nil, step.expect?["error"] != nil { return nil }
        guard var (name, arguments) = verb(step, given) else { return nil }
        let isOfWindow = !Self.methods.keys.contains(step.parts.method)
        guard !isOfWindow || reader.text("scene") != nil else { return nil }
        let target = reader.text("scene").map { window($0) } ?? "app"
        if !waits { arguments.append("wait=\"admitted\"") }
        if let event = reader.text("event") { arguments.append("event=\(value(.string(event)))") }
        name = "\(target).\(name)"
        return "\(name)(\(arguments.joined(separator: ", ")))"
    }

    mutating func verb(_ step: ScriptStep, _ given: JSONObject) -> (String, [String])? {
        if let method = Self.methods[step.parts.method] {
            guard let found = method.arguments(given) else { return nil }
            return (method.name, found.map { labelled($0.label, $0.value) })
        }
        switch step.parts.method {
        case "SendIntent":
            // The package refuses an intent that the manifest does not have, which the script may send.
            guard let name = given["name"]?.stringValue,
                given["parameters"] == nil || given["parameters"]?.hasTexts == true,
                given["from"] == nil || given["from"]?.stringValue != nil,
                step.expect?["receipt"]?["reason"] != "unhandledIntent", step.expect?["error"] == nil
            else { return nil }
            let parameters = given["parameters"]?.objectValue ?? [:]
            let areNames = parameters.keys.allSatisfy { Self.isIdentifier($0) && !Self.ofReport.contains($0) }
            var arguments = [value(.string(name))]
            if !parameters.isEmpty {
                arguments +=
                    areNames
                    ? parameters.map { labelled($0.key, $0.value) } : [value(.object(parameters))]
            }
            if let from = given["from"] { arguments.append(labelled("by", from)) }
            return ("report", arguments)
        case "Gesture":
            let cancelled = given["cancelled"] == true ? ["cancelled=True"] : []
            guard given["cancelled"] == nil || given["cancelled"]?.boolValue != nil else { return nil }
            switch given["gesture"]?.stringValue.flatMap(Gesture.Name.init) {
            case .back where cancelled.isEmpty && given["tab"] == nil: return ("back", [])
            case .dismiss where cancelled.isEmpty && given["tab"] == nil: return ("dismiss", [])
            case .swipeBack where given["tab"] == nil: return ("swipe_back", cancelled)
            case .swipeDown where given["tab"] == nil: return ("swipe_down", cancelled)
            case .selectTab where cancelled.isEmpty && given["tab"]?.stringValue != nil:
                return ("select_tab", [value(given["tab"] ?? .null)])
            default: return nil
            }
        case "FinishFlow":
            guard let flow = given["flow"], flow.stringValue != nil else { return nil }
            let rest = given.filter { !["flow", "result"].contains($0.key) }
            switch given["result"]?.stringValue {
            case "completed": return ("complete", [value(flow)] + rest.map { labelled($0.key, $0.value) })
            case "cancelled" where rest.isEmpty: return ("cancel", [value(flow)])
            default: return nil
            }
        default: return nil
        }
    }

    /// The call of a method of the package for the session; `nil` if it has none that says the same.
    mutating func sessionCall(_ method: String, _ given: JSONObject, _ reader: StepMembers) -> String? {
        guard reader["scene"] == nil else { return nil }
        switch method {
        case "SignOut": return "app.sign_out()"
        case "MarkStale": return "app.mark_stale()"
        case "SignIn":
            let facts = given["facts"]?.objectValue ?? [:]
            guard given["user"]?.stringValue != nil, given["facts"] == nil || given["facts"]?.objectValue != nil,
                facts.keys.allSatisfy({ Self.isIdentifier($0) && !["user", "expires_in", "stale_in"].contains($0) })
            else { return nil }
            var arguments = [value(given["user"] ?? .null)]
            for (name, label) in [("expiresInMilliseconds", "expires_in"), ("staleInMilliseconds", "stale_in")] {
                if let duration = given[name] { arguments.append(labelled(label, duration)) }
            }
            return "app.sign_in(\((arguments + facts.map { labelled($0.key, $0.value) }).joined(separator: ", ")))"
        default:
            let set = given["set"]?.objectValue ?? [:]
            let remove = given["remove"]?.arrayValue?.compactMap(\.stringValue) ?? []
            guard given["expectedRevision"] == nil, given["set"] == nil || given["set"]?.objectValue != nil,
                given["remove"] == nil || given["remove"]?.arrayValue?.count == remove.count,
                (set.keys + remove).allSatisfy(Self.isIdentifier), Set(set.keys).isDisjoint(with: remove),
                Set(remove).count == remove.count, !set.contains(where: { $0.value.isNull }),
                !(set.isEmpty && remove.isEmpty)
            else { return nil }
            let arguments = set.map { labelled($0.key, $0.value) } + remove.map { "\($0)=None" }
            return "app.set(\(arguments.joined(separator: ", ")))"
        }
    }

    /// The call of the client's method.
    mutating func general(_ step: ScriptStep, _ parameters: JSONObject) -> String {
        let (interface, method) = step.parts
        let arguments = parameters.filter { !$0.value.isNull }.map { name, value in
            "\(Self.snake(name))=\(typed(name, value))"
        }
        return "app.client.\(interface.lowercased()).\(Self.snake(method))(\(arguments.joined(separator: ", ")))"
    }

    /// A parameter's value, which for some is of a type of the package.
    mutating func typed(_ name: String, _ json: JSONValue) -> String {
        let types = ["window": "Window", "owner": "Owner", "destination": "Destination"]
        guard let type = types[name], json.objectValue != nil else { return value(json) }
        imports.insert("types")
        return "types.\(type).decode(\(value(json)), \"\(name)\")"
    }

    mutating func labelled(_ label: String?, _ json: JSONValue) -> String {
        "\(label.map { "\($0)=" } ?? "")\(value(json))"
    }

    /// A value in Python.
    mutating func value(_ json: JSONValue) -> String {
        switch json {
        case .null: return "None"
        case .bool(let bool): return bool ? "True" : "False"
        case .integer(let integer): return "\(integer)"
        case .number: return json.text()
        case .string(let text):
            let parts = SourcePart.parts(of: text)
            guard parts.contains(where: { if case .secret = $0 { true } else { false } }) else {
                return SourceText.literal(text, .python)
            }
            let isWhole = parts.count == 1
            return parts.map { part in
                switch part {
                case .text(let text): return SourceText.literal(text, .python)
                case .secret(let placeholder):
                    guard let name = secretNames[placeholder] else { return SourceText.literal(placeholder, .python) }
                    if isWhole { return name }
                    // Elsewhere it stands for a part of a URL.
                    quotes = true
                    return "quote(\(name), safe=\"\")"
                }
            }.joined(separator: " + ")
        case .array(let list): return "[\(list.map { value($0) }.joined(separator: ", "))]"
        case .object(let object):
            return
                "{\(object.map { "\(SourceText.literal($0.key, .python)): \(value($0.value))" }.joined(separator: ", "))}"
        }
    }
}
