internal import Basics
internal import SceneRouting
internal import SceneSoak
internal import SceneVocabulary
internal import StrictJSON

/// A call as the command that a person would type.
struct CallWords: CustomStringConvertible {
    private var words = ["scenectl"]
    /// The arguments that are no options; they come last.
    private var values: [String] = []
    /// What the command reads on standard input.
    private var input: JSONObject?
    /// The parameters that are not in the words yet.
    private var rest: JSONObject
    /// Whether placeholders of secrets stand for variables.
    private var asksForSecrets = false

    /// - Parameter namesEvent: Whether to say the event's ID.
    init(_ call: SoakCall, namesEvent: Bool = false) {
        self.init(call.method, call.parameters, saying: namesEvent ? ["scene", "event"] : ["scene"])
    }

    /// A command that makes exactly this call. It asks the environment for what is secret and has a placeholder.
    /// - Parameter method: The full name: `io.scened.Events.OpenURL`.
    init(exactly method: String, _ parameters: JSONObject) {
        self.init(method, parameters, saying: ["scene", "event", "wait"])
        asksForSecrets = true
    }

    /// - Parameter delivery: Which parameters of an event's delivery it says.
    private init(_ method: String, _ parameters: JSONObject, saying delivery: [String]) {
        rest = JSONObject(parameters.filter { !$0.value.isNull }.map { ($0.key, $0.value) })
        var options: [String] = []
        if method.contains(".Events.") {
            for name in delivery { options += option(name) }
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
        if !rest.isEmpty || words.count == 1 { (words, values, input) = (["#", method], [], parameters) }
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
        case "OpenURL":
            words += ["openurl"] + options + option("sourceApplication", as: "source")
            values = [word("url")]
        case "OpenURLs":
            let order = take("order")?.arrayValue.map { ["--order", $0.map(\.word).joined(separator: ",")] } ?? []
            words += ["openurl"] + options + option("sourceApplication", as: "source") + order
            values = (take("urls")?.arrayValue ?? []).map(\.word)
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
            values = ["-"]
        case "SendIntent":
            words += ["intent"] + options + option("from")
            values = [word("name")] + Self.pairs(take("parameters"))
        case "Gesture":
            guard let name = rest["gesture"]?.stringValue.flatMap(Gesture.Name.init) else { return }
            rest["gesture"] = nil
            words += Self.gesture(name, cancelled: take("cancelled")) + options
            values = [take("tab")?.word].compactMap(\.self)
        case "FinishFlow":
            words += ["finish"] + options + ["--\(word("result"))"] + option("user")
            values = [word("flow")]
            words += Self.pairs(take("facts")).flatMap { ["--fact", $0] }
            words += Self.pairs(take("values")).flatMap { ["--value", $0] }
        default: break
        }
    }

    private mutating func takeControl(_ method: String) {
        switch method {
        case "Hold":
            words +=
                ["hold", word("point")] + option("scene") + option("event") + option("kind")
                + option("hold", as: "name")
        case "Release":
            words.append("release")
            values = [word("hold")]
        case "Quiesce": words += ["quiesce"] + option("scene")
        case "Reset": words += ["reset"] + option("seed") + option("start")
        case "Advance":
            words.append("advance")
            values = [take("milliseconds")?.word].compactMap(\.self)
            if let date = take("date") { words += ["--to", date.word] }
            if let time = take("time") { words += ["--to", "\(time.word)ms"] }
        default: break
        }
    }

    private mutating func takeOther(_ method: String, _ options: [String]) {
        switch method {
        case "Session.SignIn":
            words += ["session", "sign-in"] + options
            values = [word("user")]
            if let facts = take("facts") { words += ["--facts", facts.text(.compact)] }
            words += option("expiresInMilliseconds", as: "expires") + option("staleInMilliseconds", as: "stale")
        case "Session.SignOut": words += ["session", "sign-out"] + options
        case "Session.MarkStale": words += ["session", "mark-stale"] + options
        case "Session.Commit":
            words += ["session", "set"] + options + option("expectedRevision", as: "expect")
            values = Self.pairs(take("set"))
            words += (take("remove")?.arrayValue ?? []).flatMap { ["--remove", $0.word] }
        case "Scenes.Connect":
            words += ["connect"] + option("configuration")
            values = [take("scene")?.word].compactMap(\.self)
            if let background = take("background"), background == true { words.append("--background") }
        case "Scenes.Disconnect":
            words.append("disconnect")
            values = [word("scene")]
        case "Scenes.Discard":
            words.append("discard")
            values = [word("scene")]
        case "Scenes.SetActivation":
            words += ["activate", "--exact"]
            values = [word("scene"), word("activation")]
        case "Routing.Resolve":
            words.append("resolve")
            values = [word("url")]
        case "Manager.Reload": words.append("reload")
        case "Manager.Drain": words.append("drain")
        default: break
        }
    }

    private static func pairs(_ members: JSONValue?) -> [String] {
        (members?.objectValue ?? [:]).map { "\($0.key)=\($0.value.word)" }
    }

    private static func gesture(_ name: Gesture.Name, cancelled: JSONValue?) -> [String] {
        let cancel = cancelled == true ? ["--cancel"] : []
        return switch name {
        case .selectTab: ["tap"]
        case .swipeBack: ["swipe", "back"] + cancel
        case .swipeDown: ["swipe", "down"] + cancel
        case .back, .dismiss: [name.rawValue]
        }
    }

    var description: String {
        // What looks like an option and is none stands behind --.
        let isPlain = values.allSatisfy { !$0.hasPrefix("-") || $0 == "-" }
        let all = words + (isPlain ? [] : ["--"]) + values
        let command = all.map { $0 == "#" ? $0 : shell($0) }.joined(separator: " ")
        guard let input else { return command }
        let json = shell(JSONValue.object(input).text(.compact))
        return words[0] == "#" ? "\(command) \(json)" : "printf %s \(json) | \(command)"
    }

    /// A word as a shell reads it. A variable that is not set is an error there, which says how it is asked for.
    private func shell(_ word: String) -> String {
        let placeholders = asksForSecrets ? SecretPlaceholder.all(in: word) : []
        guard !placeholders.isEmpty else { return word.shellWord }
        var text = ""
        var end = word.startIndex
        for placeholder in placeholders {
            let literal = word[end..<placeholder.startIndex]
            if !literal.isEmpty { text += String(literal).shellWord }
            let digits = placeholder.dropFirst(SecretPlaceholder.prefix.count).prefix(8).uppercased()
            let (form, how) = Self.form(word[..<placeholder.startIndex], word[placeholder.endIndex...])
            text += "\"${SECRET_\(digits)\(form):?is secret and asked for\(how)}\""
            end = placeholder.endIndex
        }
        let literal = word[end...]
        return literal.isEmpty ? text : text + String(literal).shellWord
    }

    /// How a secret has to be written between these, and the end of its variable's name.
    private static func form(_ before: Substring, _ after: Substring) -> (name: String, how: String) {
        if before.hasPrefix("{") || before.hasPrefix("["), before.hasSuffix("\""), after.hasPrefix("\"") {
            return ("_JSON", " as JSON has it between quotes")
        }
        // A word of its own, or the value of a pair.
        let isName = before.dropLast().allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        if after.isEmpty, before.isEmpty || before.hasSuffix("=") && isName { return ("", "") }
        return ("_URL", " percent-encoded")
    }
}

extension JSONValue {
    /// A text as it is, anything else as JSON.
    fileprivate var word: String { stringValue ?? text(.compact) }
}
