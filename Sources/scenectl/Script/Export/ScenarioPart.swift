internal import CommandConsole
internal import SceneVocabulary
internal import StrictJSON

/// A step of a script as a step of a scenario.
struct ScenarioPart {
    let step: ScriptStep
    let timing: TestTiming
    let number: Int
    /// The members of the scenario's step, its verb first; empty if it has none.
    private(set) var members: JSONObject = [:]
    /// Why the step, or a part of it, is left out.
    private(set) var leftOut: String?

    /// - Parameter parameters: The step's, with values in place of placeholders.
    /// - Throws: Why a scenario cannot say it.
    init(
        _ step: ScriptStep,
        _ parameters: JSONObject,
        _ timing: TestTiming,
        number: Int,
        at place: String
    ) throws(CommandError) {
        (self.step, self.timing, self.number) = (step, timing, number)
        try ScriptMethods.check(step, at: place)
        let reader = StepMembers(parameters: parameters, step: step, place: place)
        let (interface, method) = step.parts
        let unknown = parameters.keys.first { ScriptMethods.all[interface]?[method]?.contains($0) != true }
        if let unknown { throw reader.impossible("a scenario", "it has no parameter '\(unknown)'") }
        if let window = reader.text("scene"), window.utf8.contains(UInt8(ascii: ".")) {
            throw reader.impossible("a scenario", "the names of its windows have no '.', as '\(window)' has")
        }
        switch interface {
        case "Events" where step.isEvent: try event(method, reader)
        case "Scenes" where method != "Get" && method != "List": try scene(method, reader)
        case "Session" where method != "Get": try session(method, reader)
        case "Control": try control(method, reader)
        case "Adapters" where method != "List", "Manager" where ["Reload", "Drain"].contains(method):
            throw reader.impossible("a scenario", "a race has the app of its manifest and nothing else")
        default: if step.expect == nil { leftOut = "it only reads" }
        }
        if JSONValue.object(members).hasLongKey {
            throw reader.impossible("a scenario", "YAML has no key of more than 1,000 signs")
        }
    }

    /// Whether it changes something.
    var isDoing: Bool { !members.isEmpty && !isWait }

    /// Whether something is expected of what it does or shows.
    var isExpecting: Bool { step.expect != nil && step.call != "Control.Await" }

    /// Whether it lets time pass.
    var isWait: Bool { members["wait"] != nil }

    /// The window that it concerns.
    var scene: String? { step.parameters["scene"]?.stringValue }

    /// The window that it opens, if that can be there from the beginning.
    var opens: String? {
        guard step.call == "Scenes.Connect", members["background"] == nil, step.expect?["error"] == nil else {
            return nil
        }
        return members["connect"]?.stringValue
    }

    /// What its actor may be called.
    var actor: String {
        let words = [
            "OpenURL": "link", "OpenURLs": "links", "Push": "push", "ContinueActivity": "activity",
            "TapWidget": "widget",
            "PerformShortcut": "shortcut", "SendIntent": "report", "Gesture": "finger", "FinishFlow": "flow",
        ]
        return words[step.parts.method] ?? (step.call.hasPrefix("Session.") ? "session" : "system")
    }

    // MARK: - Events

    private mutating func event(_ method: String, _ reader: StepMembers) throws(CommandError) {
        let given = ScriptStep.given(reader.parameters)
        func only(_ names: String...) throws(CommandError) {
            let unknown = given.keys.first { !names.contains($0) }
            if let unknown { throw reader.impossible("a scenario", "its step takes no '\(unknown)'") }
        }
        switch method {
        case "OpenURL":
            try only("url", "sourceApplication")
            members["openurl"] = .string(try reader.needed("url"))
            members["sourceApplication"] = given["sourceApplication"]
        case "OpenURLs":
            try only("urls", "order", "sourceApplication")
            members["openurl"] = .array(try reader.texts("urls").map(JSONValue.string))
            members["sourceApplication"] = given["sourceApplication"]
            if given["order"] != nil { leftOut = "the order of its URLs, because a race tries each" }
        case "Push": members["push"] = .object(given)
        case "ContinueActivity": members["activity"] = .object(given)
        case "TapWidget": members["widget"] = .object(given)
        case "PerformShortcut": members["shortcut"] = .object(given)
        case "SendIntent" where step.expect?["receipt"]?["reason"] == "unhandledIntent":
            leftOut = "nothing takes this intent, so that it changes nothing, and a scenario has only those of its app"
            return
        case "SendIntent":
            members["intent"] = .string(try reader.needed("name"))
            members["parameters"] = given["parameters"]
            members["from"] = given["from"]
        case "Gesture": try gesture(reader)
        default:
            members["finish"] = .string(try reader.needed("flow"))
            for name in ["result", "user", "facts", "values"] { members[name] = given[name] }
        }
        if members["back"] == nil, members["dismiss"] == nil { members["scene"] = reader["scene"] }
        members["event"] = reader["event"]
    }

    private mutating func gesture(_ reader: StepMembers) throws(CommandError) {
        guard let gesture = reader.text("gesture").flatMap(Gesture.Name.init) else {
            throw reader.expected("gesture", oneOf: Gesture.Name.self)
        }
        switch gesture {
        case .back: members["back"] = .string(try reader.needed("scene"))
        case .dismiss: members["dismiss"] = .string(try reader.needed("scene"))
        case .selectTab: members["tap"] = .string(try reader.needed("tab"))
        case .swipeBack, .swipeDown:
            members["swipe"] = gesture == .swipeBack ? "back" : "down"
            if reader["cancelled"] == true { members["cancelled"] = true }
        }
    }

    // MARK: - Windows, session, time

    private mutating func scene(_ method: String, _ reader: StepMembers) throws(CommandError) {
        guard reader.text("scene") != nil else {
            throw reader.impossible("a scenario", "its windows have names; name one in parameters.scene")
        }
        switch method {
        case "Connect":
            if reader["window"] != nil || reader["owner"] != nil {
                throw reader.impossible(
                    "a scenario",
                    "its windows begin as the app does, not with one of an earlier run"
                )
            }
            members["connect"] = reader["scene"]
            members["configuration"] = reader["configuration"]
            if reader["background"] == true { members["background"] = true }
        case "SetActivation":
            members["activate"] = reader["scene"]
            members["to"] = reader["activation"]
        default: members[method.lowercased()] = reader["scene"]
        }
    }

    private mutating func session(_ method: String, _ reader: StepMembers) throws(CommandError) {
        switch method {
        case "SignIn":
            members["sign-in"] = .string(try reader.needed("user"))
            for name in ["facts", "expiresInMilliseconds", "staleInMilliseconds"] { members[name] = reader[name] }
        case "SignOut": members["sign-out"] = .bool(true)
        case "MarkStale": members["mark-stale"] = .bool(true)
        default:
            if reader["expectedRevision"] != nil {
                throw reader.impossible("a scenario", "in another order the session has another revision")
            }
            members["set"] = reader["set"] ?? [:]
            members["remove"] = reader["remove"]
        }
        if reader["scene"] != nil { leftOut = "the window in which it happened, which only records say" }
    }

    private mutating func control(_ method: String, _ reader: StepMembers) throws(CommandError) {
        switch method {
        case "Hold", "Await", "Release": leftOut = "a race tries every order by itself"
        case "Quiesce": leftOut = "each step of the setup ends before the next begins"
        case "Advance" where reader["milliseconds"]?.integerValue != nil: members["wait"] = reader["milliseconds"]
        default: throw reader.impossible("a scenario", "only by milliseconds a scenario lets time pass")
        }
    }
}

extension JSONValue {
    /// Whether a member's name in it is longer than readers of YAML take it.
    fileprivate var hasLongKey: Bool {
        switch self {
        case .object(let members):
            members.contains { ScenarioDocument.literal($0.key).utf8.count > 1_000 || $0.value.hasLongKey }
        case .array(let list): list.contains(where: \.hasLongKey)
        default: false
        }
    }
}
