internal import SceneEntryPoints
internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON

extension ScenarioStep {
    /// The arguments for `scenectl` that take the step, and its standard input.
    /// - Parameters:
    ///   - waits: Whether to wait for the end of the event's first attempt.
    ///   - revision: The revision on which a commit is based.
    ///   - order: The order in which the URLs of a set come, as their places from 1.
    func command(waits: Bool, revision: Int?, order: [Int]?) throws(RaceScriptError) -> (
        words: [String], input: String?
    ) {
        switch action {
        case .submit(let event, _, _):
            let (words, input) = event.command
            return (words + delivery(waits: waits), input)
        case .submitSet(let urls, _, _):
            var words = ["openurl"] + urls.events.compactMap(\.targetContentIdentifier)
            if let order { words += ["--order", order.map(String.init).joined(separator: ",")] }
            if case .url(let open) = urls.events[0].content, let source = open.sourceApplication {
                words += ["--source", source]
            }
            return (words + delivery(waits: waits), nil)
        case .signIn(let user, let facts, let lifetime, let freshness):
            var words = ["session", "sign-in", user]
            if !facts.isEmpty { words += ["--facts", JSONValue.object(facts.json).text()] }
            if let lifetime { words += ["--expires", String(Int(lifetime / .milliseconds(1)))] }
            if let freshness { words += ["--stale", String(Int(freshness / .milliseconds(1)))] }
            return (words, nil)
        case .signOut: return (["session", "sign-out"], nil)
        case .markStale: return (["session", "mark-stale"], nil)
        case .commit(let set, let remove, let isBasedOnRead):
            var words = ["session", "set"] + set.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.json.text())" }
            words += remove.flatMap { ["--remove", $0] }
            if isBasedOnRead, let revision { words += ["--expect", String(revision)] }
            return (words, nil)
        case .connect(let scene, let configuration, let inBackground):
            let words = ["connect", scene] + (configuration.map { ["--configuration", $0] } ?? [])
            return (words + (inBackground ? ["--background"] : []), nil)
        case .activate(let scene, let activation): return (["activate", scene, activation.rawValue], nil)
        case .disconnect(let scene): return (["disconnect", scene], nil)
        case .discard(let scene): return (["discard", scene], nil)
        case .reload:
            throw .impossible(
                "\(name) reloads the app, which a script cannot do: the daemon reads its own manifest."
            )
        case .read, .wait: return ([], nil)
        }
    }
}

extension ScenarioStep {
    private func delivery(waits: Bool) -> [String] {
        (target.map { ["--scene", $0] } ?? []) + ["--event", event, "--wait", waits ? "settled" : "admitted"]
    }
}

extension SubmittedEvent {
    fileprivate var command: (words: [String], input: String?) {
        switch self {
        case .action(.intent(let intent, let reporter)):
            return (
                ["intent", intent.name] + intent.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                    + (reporter.map { ["--from", $0] } ?? []),
                nil
            )
        case .action(.gesture(let gesture)): return (gesture.words, nil)
        case .action(.finishFlow(let flow, .cancelled)): return (["finish", flow, "--cancelled"], nil)
        case .action(.finishFlow(let flow, .completed(let completion))):
            let facts = completion.facts.sorted { $0.key < $1.key }
            let words =
                facts.flatMap { ["--fact", "\($0.key)=\($0.value.json.text())"] }
                + completion.values.sorted { $0.key < $1.key }.flatMap { ["--value", "\($0.key)=\($0.value)"] }
            return (["finish", flow, "--completed"] + (completion.user.map { ["--user", $0] } ?? []) + words, nil)
        case .entry(let event):
            let verb =
                switch event.kind {
                case .url: "openurl"
                case .activity, .push, .widget, .shortcut: event.kind.rawValue
                }
            if case .url(let open) = event.content, open.sourceApplication == nil { return ([verb, open.url], nil) }
            return ([verb, "-"], JSONValue.object(event.json).text())
        }
    }
}

extension Gesture {
    fileprivate var words: [String] {
        let words: [String] =
            if case .selectTab(let tab) = self {
                ["tap", tab]
            } else {
                switch name {
                case .swipeBack: ["swipe", "back"]
                case .swipeDown: ["swipe", "down"]
                default: [name.rawValue]
                }
            }
        return words + (isCancelled ? ["--cancel"] : [])
    }
}
