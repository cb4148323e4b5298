internal import Basics
internal import SceneSoak
internal import SceneVocabulary
internal import StrictJSON

/// A call as the command that a person would type.
struct CallWords: CustomStringConvertible {
    private var words = ["scenectl"]
    /// What the command reads on standard input.
    private var input: JSONObject?

    /// - Parameter namesEvent: Whether to say the event's ID.
    init(_ call: SoakCall, namesEvent: Bool = false) {
        var rest = call.parameters
        func take(_ name: String) -> JSONValue? {
            defer { rest[name] = nil }
            return rest[name]
        }
        var options: [String] = []
        for name in namesEvent ? ["scene", "event"] : ["scene"] where call.isEvent || call.method.contains(".Session.")
        {
            if let value = take(name) { options += ["--\(name)", value.word] }
        }
        rest["event"] = nil
        rest["wait"] = nil
        switch call.method.dropFirst("io.scened.".count) {
        case "Events.OpenURL": words += ["openurl"] + options + [take("url")?.word ?? ""]
        case "Events.OpenURLs":
            words += ["openurl"] + options + (take("urls")?.arrayValue ?? []).map(\.word)
        case "Events.Push", "Events.ContinueActivity", "Events.TapWidget", "Events.PerformShortcut":
            let verbs = ["Push": "push", "ContinueActivity": "activity", "TapWidget": "widget"]
            words += [verbs[String(call.method.dropFirst("io.scened.Events.".count))] ?? "shortcut"] + options + ["-"]
            (input, rest) = (rest, [:])
        case "Events.SendIntent":
            words += ["intent"] + options + [take("name")?.word ?? ""]
            words += Self.pairs(take("parameters"))
            if let from = take("from") { words += ["--from", from.word] }
        case "Events.Gesture":
            if let name = rest["gesture"]?.stringValue.flatMap(Gesture.Name.init) {
                rest["gesture"] = nil
                words += Self.gesture(name, tab: take("tab"), cancelled: take("cancelled")) + options
            }
        case "Events.FinishFlow":
            words += ["finish"] + options + [take("flow")?.word ?? "", "--\(take("result")?.word ?? "")"]
            if let user = take("user") { words += ["--user", user.word] }
            words += Self.pairs(take("facts")).flatMap { ["--fact", $0] }
            words += Self.pairs(take("values")).flatMap { ["--value", $0] }
        case "Session.SignIn":
            words += ["session", "sign-in", take("user")?.word ?? ""] + options
            if let facts = take("facts") { words += ["--facts", facts.text()] }
        case "Session.SignOut": words += ["session", "sign-out"] + options
        case "Session.MarkStale": words += ["session", "mark-stale"] + options
        case "Session.Commit":
            words += ["session", "set"] + options + Self.pairs(take("set"))
            words += (take("remove")?.arrayValue ?? []).flatMap { ["--remove", $0.word] }
        case "Scenes.Connect":
            words += ["connect"] + [take("scene")?.word].compactMap(\.self)
            if let name = take("configuration") { words += ["--configuration", name.word] }
            if take("background") == true { words.append("--background") }
        case "Scenes.Disconnect": words += ["disconnect", take("scene")?.word ?? ""]
        case "Scenes.Discard": words += ["discard", take("scene")?.word ?? ""]
        case "Scenes.SetActivation":
            words += ["activate", take("scene")?.word ?? "", take("activation")?.word ?? "", "--exact"]
        case "Routing.Resolve": words += ["resolve", take("url")?.word ?? ""]
        case "Control.Advance": words += ["advance", take("milliseconds")?.word ?? ""]
        default: break
        }
        // A person can type no such command: what was spoilt, or what has none.
        if !rest.isEmpty || words.count == 1 { (words, input) = (["#", call.method], call.parameters) }
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

extension SoakCall {
    fileprivate var isEvent: Bool { WalkStep.isEvent(self) }
}

extension JSONValue {
    /// A text as it is, anything else as JSON.
    fileprivate var word: String { stringValue ?? text(.compact) }
}
