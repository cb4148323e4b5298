internal import SceneClient

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
        case .refused(let name, let parameters): refusal(DaemonError(name: name, parameters: parameters), error)
        case .connectionLost, .unexpected: sentence("\(error)")
        }
    }

    private static func refusal(_ refusal: DaemonError, _ error: SceneClientError) -> String {
        switch refusal {
        case .malformed(let reason): return "Malformed: \(reason)."
        case .unknownRoute(let url):
            return "No route of the app takes \(url). Check scheme, host and path against the app's routes."
        case .validationFailed(let parameter, let reason): return "\(parameter): \(reason)."
        case .notAssociated(let url, ""):
            return "No associated domain of the app takes \(url), so iOS would open it in the browser."
        case .notAssociated(let url, let component):
            return "The association file excludes \(url) by \(component), so iOS would open it in the browser."
        case .noAdapter(let kind, let reason): return "The app makes nothing of this \(kind): \(reason)."
        case .unknownAdapter(let adapter):
            return "No adapter '\(adapter)'. 'scenectl adapter list' shows those there are."
        case .unknownRecordKind(let kind, let suggestion):
            let meant = suggestion.map { " Did you mean '\($0)'?" } ?? ""
            return "No record is of the kind '\(kind)'.\(meant) record.schema.json lists those there are."
        case .noEligibleScene: return "No window can take it and no more may be opened. Name one with --scene."
        case .unknownScene(let scene): return "No window '\(scene)'. 'scenectl list' shows those there are."
        case .sceneExists(let scene): return "Window '\(scene)' is open already."
        case .unknownConfiguration(let name): return "The app declares no scene configuration '\(name)'."
        case .tooManyScenes(let limit): return "The app allows \(limit) windows and has that many."
        case .unknownEvent(let event):
            return "No event '\(event)' of yours is known; the oldest that ended are forgotten."
        case .eventMismatch(let event):
            return "Another event has the ID '\(event)'. Use a new ID, or repeat the event exactly."
        case .illegalActivation(let scene, let from, let to):
            return "Window '\(scene)' cannot go from \(from) to \(to) in one step."
        case .realClock:
            return "The daemon's clock is the real one. Only a daemon started with --clock virtual can be advanced."
        case .unknownHold(let hold): return "There is no hold '\(hold)': it was released, or its maker is gone."
        case .timedOut: return "It did not happen in time."
        case .queueFull(let scene, let limit):
            return "Window '\(scene)' has \(limit) events waiting. Try again later."
        case .revisionConflict(let expected, let actual):
            return "The session is at revision \(actual), not \(expected). Read it again and decide anew."
        case .invalidFact(let fact, let reason): return "Fact '\(fact)': \(reason)."
        case .cutOff(let next):
            return "The daemon has stopped. Records after \(next) are missing: they were not read in time."
        case .draining: return "The daemon is stopping and takes nothing new."
        case .permissionDenied: return "This daemon does not allow you to do that."
        case .invalidParameter(let parameter): return "The daemon does not accept the parameter '\(parameter)'."
        case .notThere(let name): return "The daemon does not know \(name): it may be an older version."
        case .nameTaken, .tooManyAdapters, .unknownEventKind, .unknownRegistration, .unknownRequest, .invalidAnswer,
            .invalidManifest, .other:
            return "The daemon refused: \(error)"
        }
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}
