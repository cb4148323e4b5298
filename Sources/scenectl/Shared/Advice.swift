internal import CommandConsole
internal import SceneClient
internal import StrictJSON

/// The message for a call that failed: what happened, and what to do.
enum Advice {
    /// The exit status.
    static func status(for error: SceneClientError) -> ExitStatus {
        switch error {
        case .noDaemon, .connectionLost, .unsure, .hostChanged: .noDaemon
        case .refused: error.refusal == .timedOut ? .timedOut : .refused
        case .unexpected: .refused
        }
    }

    /// The message, in whole sentences.
    static func message(for error: SceneClientError) -> String {
        switch error {
        case .noDaemon(let path, let reason): SocketAdvice.unreachable(path, reason)
        case .refused(let name, let parameters):
            refusal(DaemonError(name: name, parameters: parameters), error, meant(parameters))
        case .connectionLost, .unsure, .hostChanged, .unexpected: sentence("\(error)")
        }
    }

    /// ` Did you mean 'A'?`, if the daemon says so; of several URLs, about the one that is refused.
    private static func meant(_ parameters: JSONObject) -> String {
        let member = parameters["parameters"]?.objectValue ?? [:]
        let name = parameters["suggestion"]?.stringValue ?? member["suggestion"]?.stringValue
        return name.map { " Did you mean '\($0)'?" } ?? ""
    }

    private static func refusal(_ refusal: DaemonError, _ error: SceneClientError, _ meant: String) -> String {
        switch refusal {
        case .malformed(let reason): return "Malformed: \(ended(reason))"
        case .unknownRoute(let url):
            return "No route of the app takes \(url).\(meant) 'scenectl routes' lists the app's routes."
        case .validationFailed(let parameter, let reason): return "\(parameter): \(ended(reason))"
        case .notAssociated(let url, ""):
            return
                "No associated domain of the app covers \(url), so iOS would open it in the browser.\(meant) 'scenectl routes' lists the app's routes."
        case .notAssociated(let url, let component):
            return "The association file excludes \(url) with \(component), so iOS would open it in the browser."
        case .noAdapter(let kind, let reason): return "The app does not handle this \(kind): \(ended(reason))"
        case .memberRefused(let place, _, let member, _):
            return "None was opened, because of URL \(place): \(self.refusal(member, error, meant))"
        case .unknownAdapter(let adapter):
            return "No adapter '\(adapter)'.\(meant) 'scenectl adapter list' lists the adapters."
        case .unknownRecordKind(let kind, _):
            return "Unknown record kind '\(kind)'.\(meant) record.schema.json lists the kinds."
        case .noEligibleScene:
            return
                "No window can take the event, and the app allows no more. Name one with --scene, if the verb has that, or close one."
        case .unknownScene(let scene):
            guard meant.isEmpty, scene.count(where: { $0 == "." }) > 1 else {
                return "No window '\(scene)'.\(meant) 'scenectl list' lists the windows."
            }
            return
                "No window '\(scene)'. If that is a bundle identifier, a window or 'booted' comes before it: 'scenectl push booted \(scene) FILE'."
        case .sceneExists(let scene):
            return "Window '\(scene)' is already open. Choose another ID, or none, and the daemon makes one."
        case .unknownConfiguration(let name):
            return
                "The app declares no scene configuration '\(name)'.\(meant) 'scenectl app show' prints what it declares."
        case .tooManyScenes(let limit): return "The app allows \(limit) windows, and that many exist."
        case .unknownEvent(let event):
            return
                "You sent no event '\(event)', or it ended so long ago that the daemon has dropped it. 'scenectl records' shows the IDs of events."
        case .eventMismatch(let event):
            return "A different event has the ID '\(event)'. Use a new ID, or repeat that event unchanged."
        case .illegalActivation(let scene, let from, let to):
            if from == "disconnected", to != from {
                return "Window '\(scene)' is disconnected. 'scenectl connect \(scene)' brings it back."
            }
            return from == to
                ? "Window '\(scene)' is \(to) already."
                : "Window '\(scene)' cannot go from \(from) to \(to) in one step; foregroundInactive lies between. Leave out --exact to take both."
        case .realClock:
            return
                "The daemon runs on the real clock, which nobody can advance. Only one started with 'scened --clock virtual' can be advanced."
        case .timePassed(let now, let date):
            return
                "The clock is at \(now) ms already, \(date), and cannot go back. 'scenectl reset' goes back to the start."
        case .unknownManifest(let digest):
            return
                "The daemon knows no manifest \(digest): it keeps the 16 that were in force last since its host began."
        case .holdExists(let hold): return "There is a hold '\(hold)' already. Release it, or take another name."
        case .unknownHold(let hold):
            return
                "No hold '\(hold)': it was released, or the client that set it has disconnected. 'scenectl hold' prints the ID of a new one."
        case .tooManyHolds(let limit): return "You have \(limit) holds, as many as one user may have. Release one."
        case .tooManyWaits(let limit):
            return "\(limit) of your calls wait, as many as one user's may. Try again when one of them has ended."
        case .tooManyTrials(let limit):
            return "\(limit) of your trials are under way, as many as one user may have. Try again when one has ended."
        case .tooManyChecks(let limit):
            return "\(limit) of your checks are under way, as many as one user may have. Try again when one has ended."
        case .timedOut: return "Timed out."
        case .queueFull(let scene, let limit):
            let place = scene.map { "Window '\($0)'" } ?? "The app"
            return "\(place) has \(limit) events or changes waiting. Try again later."
        case .tooMuchWaiting(let size, let waiting, let limit, let scope):
            return
                "The event takes \(size) bytes, and what \(scope == "user" ? "you have" : "all users have") waiting takes "
                + "\(waiting) of \(limit). Try again later, or with less."
        case .revisionConflict(let expected, let actual):
            return "The session is at revision \(actual), not \(expected). Read it again before you change it."
        case .invalidFact(let fact, let reason): return "Fact '\(fact)': \(ended(reason))"
        case .cutOff(let next):
            return "The daemon has stopped. Records after \(next) are missing: they were not read in time."
        case .draining: return "The daemon is stopping and accepts nothing new."
        case .storageFailed(let reason):
            return
                "The daemon cannot keep anything at present, and takes nothing that changes anything. Try again when it can: \(ended(reason))"
        case .permissionDenied(let role):
            return SocketAdvice.lacking(role)
        case .invalidParameter(let parameter, let reason?): return "\(parameter): \(ended(reason))"
        case .invalidParameter(let parameter, nil):
            return "The daemon does not accept the parameter '\(parameter)', or not this value of it."
        case .notThere(let name):
            return
                "The daemon does not know \(name): it may be older than this scenectl. 'scenectl status' prints its version, 'scenectl --version' this one's."
        case .nameTaken, .tooManyAdapters, .unknownEventKind, .unknownRegistration, .unknownRequest, .invalidAnswer,
            .invalidManifest, .other:
            return "The daemon refused: \(error)"
        }
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + ended(String(text.dropFirst()))
    }

    /// The text with a full stop, unless it ends with a mark of its own.
    static func ended(_ text: String) -> String {
        text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
    }
}
