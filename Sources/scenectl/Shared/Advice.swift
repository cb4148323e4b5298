internal import SceneClient
internal import StrictJSON

/// What a person is told when a call came to nothing: what happened, and what to do.
enum Advice {
    static func status(for error: SceneClientError) -> Int32 {
        switch error {
        case .noDaemon, .connectionLost: 3
        case .refused, .unexpected: 1
        }
    }

    static func message(for error: SceneClientError) -> String {
        switch error {
        case .noDaemon(let path, let reason):
            "No daemon at \(path) (\(reason)). Start one with 'scened', or name its socket with --socket or SCENED_SOCKET."
        case .refused(let name, let parameters): refusal(name, parameters)
        case .connectionLost, .unexpected: sentence("\(error)")
        }
    }

    private static func refusal(_ name: String, _ parameters: JSONObject) -> String {
        func text(_ key: String) -> String {
            switch parameters[key] {
            case .some(.string(let text)): text
            case .some(let value): value.text()
            case .none: ""
            }
        }
        switch name.split(separator: ".").last.map(String.init) ?? name {
        case "Malformed": return "Malformed: \(text("reason"))."
        case "UnknownRoute":
            return "No route of the app takes \(text("url")). Check scheme, host and path against the app's routes."
        case "ValidationFailed": return "\(text("parameter")): \(text("reason"))."
        case "NotAssociated":
            let component = text("component")
            return component.isEmpty
                ? "No associated domain of the app takes \(text("url")), so iOS would open it in the browser."
                : "The association file excludes \(text("url")) by \(component), so iOS would open it in the browser."
        case "NoAdapter": return "The app makes nothing of this \(text("kind")): \(text("reason"))."
        case "UnknownAdapter":
            return "No adapter '\(text("adapter"))'. 'scenectl adapter list' shows those there are."
        case "UnknownKind" where name.hasPrefix("io.scened.Records."):
            let meant = text("suggestion").isEmpty ? "" : " Did you mean '\(text("suggestion"))'?"
            return "No record is of the kind '\(text("kind"))'.\(meant) record.schema.json lists those there are."
        case "NoEligibleScene":
            return "No window can take it and no more may be opened. Name one with --scene."
        case "UnknownScene": return "No window '\(text("scene"))'. 'scenectl list' shows those there are."
        case "SceneExists": return "Window '\(text("scene"))' is open already."
        case "UnknownConfiguration": return "The app declares no scene configuration '\(text("configuration"))'."
        case "TooManyScenes": return "The app allows \(text("limit")) windows and has that many."
        case "UnknownEvent":
            return "No event '\(text("event"))' of yours is known; the oldest that ended are forgotten."
        case "EventMismatch":
            return "Another event has the ID '\(text("event"))'. Use a new ID, or repeat the event exactly."
        case "IllegalActivation":
            return "Window '\(text("scene"))' cannot go from \(text("from")) to \(text("to")) in one step."
        case "RealClock":
            return "The daemon's clock is the real one. Only a daemon started with --clock virtual can be advanced."
        case "UnknownHold": return "There is no hold '\(text("hold"))': it was released, or its maker is gone."
        case "TimedOut": return "It did not happen in time."
        case "QueueFull": return "Window '\(text("scene"))' has \(text("limit")) events waiting. Try again later."
        case "RevisionConflict":
            return
                "The session is at revision \(text("actual")), not \(text("expected")). Read it again and decide anew."
        case "InvalidFact": return "Fact '\(text("fact"))': \(text("reason"))."
        case "CutOff":
            return "The daemon has stopped. Records after \(text("next")) are missing: they were not read in time."
        case "Draining": return "The daemon is stopping and takes nothing new."
        case "PermissionDenied": return "This daemon does not allow you to do that."
        case "InvalidParameter": return "The daemon does not accept the parameter '\(text("parameter"))'."
        case "MethodNotFound", "InterfaceNotFound", "MethodNotImplemented":
            return "The daemon does not know \(text("method"))\(text("interface")): it may be an older version."
        default: return "The daemon refused: \(name) \(JSONValue.object(parameters).text())"
        }
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}
