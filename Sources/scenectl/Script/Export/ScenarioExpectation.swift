internal import CommandConsole
internal import SceneVocabulary
internal import StrictJSON

/// What a script expects, as a scenario's `expect`.
struct ScenarioExpectation {
    private var windows: JSONObject = [:]
    private var activation: JSONObject = [:]
    private var session: JSONObject = [:]
    private var results: JSONObject = [:]
    private var answers: JSONObject = [:]
    /// What a scenario cannot expect.
    private(set) var leftOut: [String] = []
    /// Which step is being added.
    private var current = ""

    private mutating func leaveOut(_ what: String) { leftOut.append("\(current): expect: \(what)") }

    /// The members of `expect`, in the order written.
    var parts: [(String, JSONObject)] {
        [
            ("windows", windows), ("activation", activation), ("session", session), ("results", results),
            ("answers", answers),
        ]
    }

    var isEmpty: Bool { parts.allSatisfy(\.1.isEmpty) }

    /// Adds what a step expects.
    /// - Parameters:
    ///   - name: The name of the scenario's step; `nil` if it has none.
    ///   - isAtEnd: Whether nothing is done after the step.
    ///   - events: The IDs that the script gives to events.
    mutating func add(_ part: ScenarioPart, name: String?, isAtEnd: Bool, events: Set<String>, at place: String)
        throws(CommandError)
    {
        let step = part.step
        let expect = step.expect ?? [:]
        current = "step \(part.number), \(step.call)"
        if let error = expect["error"]?.stringValue {
            try ScriptMethods.check(error: error, at: place)
            guard let name else { return leaveOut("what only reads is not refused in a race") }
            results[name] = .string("refused \(error)")
            if expect["parameters"] != nil { leaveOut("parameters of the error") }
            return
        }
        if step.isEvent {
            for (key, value) in expect {
                if key == "receipt", let name {
                    add(receipt: value.objectValue ?? [:], step, name, events)
                } else if key == "receipts", let name, case let id = step.parameters["event"]?.stringValue ?? name {
                    for (index, receipt) in (value.arrayValue ?? []).enumerated() {
                        add(receipt: receipt.objectValue ?? [:], step, "\(id)/\(index + 1)", events)
                    }
                } else {
                    leaveOut(key)
                }
            }
            return
        }
        guard isAtEnd else { return leaveOut("what was so before the script went on") }
        switch step.call {
        case "Scenes.Get": try add(scene: expect, step, at: place)
        case "Session.Get": add(session: expect)
        default: leaveOut("a reply to \(step.call)")
        }
    }

    private mutating func add(
        receipt: JSONObject,
        _ step: ScriptStep,
        _ name: String,
        _ events: Set<String>
    ) {
        var rest = receipt
        func take(_ member: String) -> JSONValue? {
            defer { rest[member] = nil }
            return rest[member]
        }
        let outcome = take("outcome")?.stringValue
        if let outcome, outcome != OutcomeName.admitted.rawValue {
            var words = [outcome]
            let reason = receipt["reason"]?.stringValue
            switch outcome {
            case OutcomeName.gated.rawValue:
                if let gate = take("precondition")?.stringValue { words.append(gate) }
            case OutcomeName.superseded.rawValue:
                if let reason, events.contains(reason) { words += ["by", reason] }
                rest["reason"] = nil
            case OutcomeName.applied.rawValue, OutcomeName.unchanged.rawValue, OutcomeName.delivered.rawValue: break
            default:
                rest["reason"] = nil
                if let reason { words.append(reason) }
            }
            let scene = take("scene")
            if let scene = scene?.stringValue, step.parameters["scene"] != .string(scene) {
                words += ["in", scene]
            }
            results[name] = .string(words.joined(separator: " "))
        } else if outcome != nil {
            leaveOut("outcome admitted, with which no event of a race ends")
        }
        if let answer = take("answer") {
            if step.call == "Events.SendIntent" { answers[name] = answer } else { leaveOut("answer") }
        }
        for (member, value) in rest where !value.isNull { leaveOut("\(member) of the receipt") }
    }

    private mutating func add(
        scene expect: JSONObject,
        _ step: ScriptStep,
        at place: String
    ) throws(CommandError) {
        guard let window = step.parameters["scene"]?.stringValue, let scene = expect["scene"]?.objectValue else {
            return leaveOut("anything but the scene")
        }
        for (member, value) in scene {
            switch (member, value) {
            case ("window", .string(let text)):
                _ = try WrittenWindow.ofScene(text, at: place)
                if value.hasPlaceholder {
                    leaveOut("the window, which shows a secret")
                } else {
                    windows[window] = value
                }
            case ("activation", .string(let word)) where Activation(rawValue: word) != nil: activation[window] = value
            case ("connected", .bool(true)) where scene["window"] != nil: break
            case ("connected", .bool(false)): windows[window] = "disconnected"
            case ("parked", .array(let parked)) where parked.isEmpty: break
            default: leaveOut("\(member) of window '\(window)'")
            }
        }
    }

    private mutating func add(session expect: JSONObject) {
        for (member, value) in expect["session"]?.objectValue ?? [:] {
            switch member {
            case "user" where !value.hasPlaceholder: session["user"] = value
            case "stale", "revision": session[member] = value
            case "facts":
                let told = (value.objectValue ?? [:]).filter { !$0.value.hasPlaceholder }
                if told.count < value.objectValue?.keys.count ?? 0 { leaveOut("facts that are secret") }
                if !told.isEmpty { session["facts"] = .object(JSONObject(told.map { ($0.key, $0.value) })) }
            default: leaveOut("\(member) of the session")
            }
        }
    }
}
