internal import CommandConsole
internal import SceneRouting

/// The methods that a step can call, by what the interface files in `protocol/` declare, for what is written without a daemon.
enum ScriptMethods {
    /// By interface without `io.scened.`: by method, the parameters in their order.
    static let all: [String: [String: [String]]] = [
        "Adapters": [
            "Register": ["name", "kinds", "priority", "timeoutMilliseconds"],
            "Answer": [
                "registration", "request", "url", "destination", "handled", "user", "declined", "refused", "warnings",
            ],
            "List": [], "Try": ["event", "kind", "adapter"],
        ],
        "Control": [
            "Hold": ["point", "scene", "event", "kind", "hold"], "Await": ["hold", "timeoutMilliseconds"],
            "Release": ["hold"], "Quiesce": ["scene", "timeoutMilliseconds"],
            "Advance": ["milliseconds", "time", "date"], "Reset": ["seed", "start"],
        ],
        "Events": [
            "OpenURL": ["url", "sourceApplication"] + delivery,
            "OpenURLs": ["urls", "order", "sourceApplication"] + delivery,
            "ContinueActivity": [
                "activityType", "webpageURL", "userInfo", "title", "targetContentIdentifier", "persistentIdentifier",
                "referrerURL", "handoff", "announced", "failure", "draggedFrom",
            ] + delivery,
            "Push": ["payload", "interaction", "action", "text", "voip"] + delivery,
            "TapWidget": ["kind", "family", "url", "userInfo"] + delivery,
            "PerformShortcut": ["type", "userInfo", "targetContentIdentifier"] + delivery,
            "SendIntent": ["name", "parameters", "from"] + delivery,
            "Gesture": ["gesture", "tab", "cancelled"] + delivery,
            "FinishFlow": ["flow", "result", "user", "facts", "values"] + delivery,
            "Get": ["event"],
        ],
        "Manager": ["GetStatus": [], "GetManifest": ["digest", "after"], "GetMetrics": [], "Reload": [], "Drain": []],
        "Recording": ["Read": ["after", "limit"]],
        "Records": ["Read": ["after", "scene", "event", "kinds", "limit"], "Check": []],
        "Routing": [
            "Resolve": ["url", "destination", "user", "facts", "locale", "market"],
            "Explain": ["url", "user", "facts", "locale", "market"], "Routes": ["after", "limit"],
            "Print": ["destination"], "MatchAssociation": ["url"],
        ],
        "Scenes": [
            "Connect": ["scene", "configuration", "window", "owner", "background"],
            "SetActivation": ["scene", "activation"], "Disconnect": ["scene"], "Discard": ["scene"], "Get": ["scene"],
            "List": ["after", "limit"],
        ],
        "Session": [
            "Get": [], "SignIn": ["user", "facts", "expiresInMilliseconds", "staleInMilliseconds", "scene"],
            "SignOut": ["scene"], "MarkStale": ["scene"], "Commit": ["set", "remove", "expectedRevision", "scene"],
        ],
    ]

    /// What every event has.
    private static let delivery = ["scene", "event", "wait"]

    /// The names of the errors that a call may be answered with.
    static let errors: Set<String> = [
        "CutOff", "Draining", "EventMismatch", "ExpectedMore", "HoldExists", "IllegalActivation", "InterfaceNotFound",
        "InvalidAnswer", "InvalidFact", "InvalidManifest", "InvalidParameter", "Malformed", "MemberRefused",
        "MethodNotFound", "MethodNotImplemented", "NameTaken", "NoAdapter", "NoEligibleScene", "NotAssociated",
        "PermissionDenied", "QueueFull", "RealClock", "RevisionConflict", "SceneExists", "StorageFailed", "TimePassed",
        "TimedOut",
        "TooManyAdapters", "TooManyChecks", "TooManyHolds", "TooManyScenes", "TooManyTrials", "TooManyWaits",
        "TooMuchWaiting", "UnknownAdapter", "UnknownConfiguration", "UnknownEvent", "UnknownHold", "UnknownKind",
        "UnknownManifest", "UnknownRegistration", "UnknownRequest", "UnknownRoute", "UnknownScene",
        "ValidationFailed",
    ]

    /// Refuses a step whose method there is not.
    static func check(_ step: ScriptStep, at place: String) throws(CommandError) {
        let (interface, method) = step.parts
        guard let methods = all[interface] else {
            throw ScriptInterfaces.unknown(
                interface,
                "interface of the daemon",
                among: Array(all.keys),
                in: step,
                at: place
            )
        }
        guard methods[method] != nil else {
            throw ScriptInterfaces.unknown(
                method,
                "method of \(interface)",
                among: Array(methods.keys),
                in: step,
                at: place
            )
        }
    }

    /// Refuses an error that is expected and that there is not.
    static func check(error name: String, at place: String) throws(CommandError) {
        guard !errors.contains(name) else { return }
        let meant = Spelling.nearest(to: name, among: errors.sorted()).map { " Did you mean '\($0)'?" }
        throw .usage("\(place): expect.error: '\(name)' is no error of the daemon.\(meant ?? "")")
    }
}

extension ScriptStep {
    /// The interface and the method, such as `Events` and `Push`.
    var parts: (interface: String, method: String) {
        let interface = call.prefix { $0 != "." }
        return (String(interface), String(call.dropFirst(interface.count + 1)))
    }
}
