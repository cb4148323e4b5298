internal import Basics
internal import SceneSoak
internal import SceneVocabulary
internal import StrictJSON

/// A call as the command that a person would type.
struct CallWords: CustomStringConvertible {
    private var words = ["scenectl"]
    /// What the command reads on standard input.
    private var input: JSONObject?
    /// The parameters that are not in the words yet.
    private var rest: JSONObject

    /// - Parameter namesEvent: Whether to say the event's ID.
    init(_ call: SoakCall, namesEvent: Bool = false) {
        self.init(call.method, call.parameters, namesEvent: namesEvent)
    }

    /// - Parameters:
    ///   - method: The full name: `io.scened.Events.OpenURL`.
    ///   - namesEvent: Whether to say the event's ID.
    init(_ method: String, _ parameters: JSONObject, namesEvent: Bool) {
        rest = JSONObject(parameters.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
        var options: [String] = []
        if method.contains(".Events.") {
            for name in namesEvent ? ["scene", "event"] : ["scene"] { options += option(name) }
            rest["event"] = nil
            rest["wait"] = nil
        } else if method.contains(".Session.") {
            options += option("scene")
        }
        let name = String(method.dropFirst("io.scened.".count))
        if name.hasPrefix("Events.") {
            takeEvent(String(name.dropFirst("Events.".count)), options)
        } else if name.hasPrefix("Control.") {
            takeControl(String(name.dropFirst("Control.".count)))
        } else {
            takeOther(name, options)
        }
        // A person can type no such command: what was spoilt, or what has none.
        if !rest.isEmpty || words.count == 1 { (words, input) = (["#", method], parameters) }
    }

    private mutating func take(_ name: String) -> JSONValue? {
        defer { rest[name] = nil }
        return rest[name]
    }

    private mutating func word(_ name: String) -> String { take(name)?.word ?? "" }

    /// `--name value`, if the call has it.
    private mutating func option(_ name: String, as label: String? = nil) -> [String] {
        guard let value = take(name)?.word else { return [] }
        // What looks like an option is one, unless it is written so.
        return value.hasPrefix("-") ? ["--\(label ?? name)=\(value)"] : ["--\(label ?? name)", value]
    }

    private mutating func takeEvent(_ method: String, _ options: [String]) {
        switch method {
        case "OpenURL": words += ["openurl"] + options + option("sourceApplication", as: "source") + [word("url")]
        case "OpenURLs":
            let order = take("order")?.arrayValue.map { ["--order", $0.map(\.word).joined(separator: ",")] } ?? []
            words += ["openurl"] + options + option("sourceApplication", as: "source") + order
            words += (take("urls")?.arrayValue ?? []).map(\.word)
        case "Push", "ContinueActivity", "TapWidget", "PerformShortcut":
            // A drag names no window but that from which it comes.
            guard rest["draggedFrom"] == nil else { return }
            let verbs = ["Push": "push", "ContinueActivity": "activity", "TapWidget": "widget"]
            words += [verbs[method] ?? "shortcut"] + options + (take("voip") == true ? ["--voip"] : [])
            if method == "Push" {
                for name in ["interaction", "action", "text"] { words += option(name) }
                guard let payload = take("payload")?.objectValue else { return }
                input = payload
            } else {
                (input, rest) = (rest, [:])
            }
            words.append("-")
        case "SendIntent":
            words += ["intent"] + options + option("from") + [word("name")] + Self.pairs(take("parameters"))
        case "Gesture":
            guard let name = rest["gesture"]?.stringValue.flatMap(Gesture.Name.init) else { return }
            rest["gesture"] = nil
            words += Self.gesture(name, tab: take("tab"), cancelled: take("cancelled")) + options
        case "FinishFlow":
            words += ["finish"] + options + [word("flow"), "--\(word("result"))"] + option("user")
            words += Self.pairs(take("facts")).flatMap { ["--fact", $0] }
            words += Self.pairs(take("values")).flatMap { ["--value", $0] }
        default: break
        }
    }

    private mutating func takeControl(_ method: String) {
        switch method {
        case "Hold": words += ["hold", word("point")] + option("scene") + option("event") + option("kind")
        case "Release": words += ["release", word("hold")]
        case "Quiesce": words += ["quiesce"] + option("scene")
        case "Reset": words += ["reset"] + option("seed") + option("start")
        case "Advance":
            words.append("advance")
            if let milliseconds = take("milliseconds") { words.append(milliseconds.word) }
            if let date = take("date") { words += ["--to", date.word] }
            if let time = take("time") { words += ["--to", "\(time.word)ms"] }
        default: break
        }
    }

    private mutating func takeOther(_ method: String, _ options: [String]) {
        switch method {
        case "Session.SignIn":
            words += ["session", "sign-in", word("user")] + options
            if let facts = take("facts") { words += ["--facts", facts.text(.compact)] }
            words += option("expiresInMilliseconds", as: "expires") + option("staleInMilliseconds", as: "stale")
        case "Session.SignOut": words += ["session", "sign-out"] + options
        case "Session.MarkStale": words += ["session", "mark-stale"] + options
        case "Session.Commit":
            words += ["session", "set"] + options + option("expectedRevision", as: "expect") + Self.pairs(take("set"))
            words += (take("remove")?.arrayValue ?? []).flatMap { ["--remove", $0.word] }
        case "Scenes.Connect":
            words += ["connect"] + [take("scene")?.word].compactMap(\.self) + option("configuration")
            if let background = take("background"), background == true { words.append("--background") }
        case "Scenes.Disconnect": words += ["disconnect", word("scene")]
        case "Scenes.Discard": words += ["discard", word("scene")]
        case "Scenes.SetActivation": words += ["activate", word("scene"), word("activation"), "--exact"]
        case "Routing.Resolve": words += ["resolve", word("url")]
        case "Manager.Reload": words.append("reload")
        case "Manager.Drain": words.append("drain")
        default: break
        }
    }

    private static func pairs(_ members: JSONValue?) -> [String] {
        (members?.objectValue ?? [:]).map { "\($0.key)=\($0.value.word)" }
    }

    private static func gesture(_ name: Gesture.Name, tab: JSONValue?, cancelled: JSONValue?) -> [String] {
        let cancel = cancelled == true ? ["--cancel"] : []
        return switch name {
        case .selectTab: ["tap", tab?.word ?? ""]
        case .swipeBack: ["swipe", "back"] + cancel
        case .swipeDown: ["swipe", "down"] + cancel
        case .back, .dismiss: [name.rawValue]
        }
    }

    var description: String {
        let command = words.map { $0 == "#" ? $0 : $0.shellWord }.joined(separator: " ")
        guard let input else { return command }
        let json = JSONValue.object(input).text(.compact).shellWord
        return words[0] == "#" ? "\(command) \(json)" : "printf %s \(json) | \(command)"
    }
}

extension JSONValue {
    /// A text as it is, anything else as JSON.
    fileprivate var word: String { stringValue ?? text(.compact) }
}
