internal import SceneVocabulary
internal import StrictJSON

/// What goes before a step in a test, in which no time passes by itself.
struct TestTiming {
    /// How much time has to pass, in milliseconds.
    let advance: Int
    /// Whether everything has to be done.
    let isQuiet: Bool
    /// Whether nothing may go on but what waits for a hold or for time.
    let isSettled: Bool
    /// Whether the next step begins only when this one is done, with no time in between: a test then waits for it.
    let isAwaited: Bool

    /// - Parameter keepsTime: Whether the script's intervals are kept; otherwise each step begins when everything before it is done.
    static func of(_ steps: [ScriptStep], keepsTime: Bool) -> [TestTiming] {
        // A script that says when its clock began has that clock's times.
        var last = steps.first?.start == nil ? steps.first?.at ?? 0 : 0
        var holding: Set<String> = []
        let before = steps.map { step in
            // What is held is not done, and nobody waits for it.
            let isFree = holding.isEmpty && step.call != "Control.Await"
            let advance = keepsTime ? step.at - last : 0
            last = step.at
            switch (step.call, step.hold) {
            case ("Control.Await", let hold?): holding.insert(hold)
            case ("Control.Release", let hold?): holding.remove(hold)
            default: break
            }
            return (
                advance: advance, isQuiet: step.isQuiet || !keepsTime && isFree, isAwaited: step.isQuiet || !keepsTime
            )
        }
        return before.indices.map { index in
            let next = index + 1 < before.count ? before[index + 1] : nil
            return TestTiming(
                advance: before[index].advance,
                isQuiet: before[index].isQuiet,
                isSettled: keepsTime && steps[index].isSettled,
                isAwaited: next.map { $0.isAwaited && $0.advance == 0 } ?? true
            )
        }
    }
}

/// A method of a testing library that sends an event, and what it takes of the parameters of the daemon's.
struct LibraryMethod {
    enum Kind {
        case text
        case object
        case flag
    }

    struct Parameter {
        /// Its name in the daemon's interface.
        let name: String
        /// Its label in the library; `nil` if it stands by its place.
        let label: String?
        let kind: Kind
    }

    let name: String
    let parameters: [Parameter]

    /// - Parameter parameters: Each by its name and its label.
    init(_ name: String, _ parameters: [(String, String?)]) {
        self.name = name
        self.parameters = parameters.map { name, label in
            let kind: Kind =
                switch name {
                case "payload", "userInfo": .object
                case "handoff", "announced", "voip": .flag
                default: .text
                }
            return Parameter(name: name, label: label, kind: kind)
        }
    }

    /// The arguments, each with its label; `nil` if the method does not take all of these parameters.
    func arguments(_ parameters: JSONObject) -> [(label: String?, value: JSONValue)]? {
        var rest = parameters
        var arguments: [(label: String?, value: JSONValue)] = []
        for parameter in self.parameters {
            guard let value = rest[parameter.name] else {
                // What stands by its place has to be there; what follows has labels.
                if arguments.isEmpty, parameter.label == nil { return nil }
                continue
            }
            rest[parameter.name] = nil
            let fits =
                switch parameter.kind {
                case .text: value.stringValue != nil
                case .object: value.objectValue != nil
                case .flag: value.boolValue != nil
                }
            guard fits else { return nil }
            arguments.append((parameter.label, value))
        }
        // Both libraries take an action for what the user does; a daemon does not.
        if let action = parameters["action"], !action.isNull, parameters["interaction"]?.stringValue != "action" {
            return nil
        }
        if let word = parameters["interaction"]?.stringValue, !["present", "open", "dismiss", "action"].contains(word) {
            return nil
        }
        return rest.isEmpty ? arguments : nil
    }
}

extension ScriptStep {
    /// What is given of its parameters besides window, name and how long it waits: `null` gives nothing.
    static func given(_ parameters: JSONObject) -> JSONObject {
        JSONObject(
            parameters.filter { !["scene", "event", "wait"].contains($0.key) && !$0.value.isNull }.map {
                ($0.key, $0.value)
            }
        )
    }

    /// The method of a testing library that does what two steps do, `background` or `foreground`; `nil` if none does.
    func lifeMethod(with next: ScriptStep?) -> String? {
        func activation(_ step: ScriptStep) -> Activation? {
            step.parameters["activation"]?.stringValue.flatMap(Activation.init)
        }
        guard call == "Scenes.SetActivation", let next, next.call == call, expect == nil,
            next.expect?["error"] == nil, activation(self) == .foregroundInactive,
            parameters["scene"] == next.parameters["scene"]
        else { return nil }
        switch activation(next) {
        case .background: return "background"
        case .foregroundActive: return "foreground"
        default: return nil
        }
    }
}

extension JSONValue {
    /// Whether it is a list of texts and integers, none of them secret: it is compared as a whole.
    var isPlainList: Bool {
        !hasPlaceholder && arrayValue?.allSatisfy { $0.stringValue != nil || $0.integerValue != nil } ?? false
    }

    /// Whether it is an object whose members are texts.
    var hasTexts: Bool { objectValue?.allSatisfy { $0.value.stringValue != nil } ?? false }
}
