internal import SceneManifest
internal import SceneNavigation
internal import SceneRouting
internal import SceneRuntime

extension ScenarioDecoder {
    mutating func steps(_ node: ManifestNode?, at key: String, of actor: String) -> [ScenarioStep] {
        var steps: [ScenarioStep] = []
        var hasRead = false
        for (index, element) in reader.list(node, at: key).enumerated() {
            let place = "\(key)[\(index)]"
            guard let step = step(element, at: place, name: "\(actor).\(index + 1)") else { continue }
            if case .read = step.action { hasRead = true }
            if case .commit(_, _, isBasedOnRead: true) = step.action, !hasRead {
                reader.report(
                    "the actor has read no revision on which to base the commit",
                    at: "\(place).basedOnRead",
                    element.place,
                    expected: "a step 'read' of \(actor) before it"
                )
            }
            steps.append(step)
        }
        return steps
    }

    private mutating func step(_ node: ManifestNode, at key: String, name: String) -> ScenarioStep? {
        let known = ScenarioWords.verbs.map(\.verb)
        // A step without members is one word.
        if case .scalar(let word, _) = node.value {
            switch word {
            case "signOut": return ScenarioStep(name: name, .signOut, "sign out", key, node)
            case "markStale": return ScenarioStep(name: name, .markStale, "make the sign-in stale", key, node)
            case "read": return ScenarioStep(name: name, .read, "read the session", key, node)
            default:
                reader.report(
                    "'\(word)' is not a step",
                    at: key,
                    node.place,
                    expected: "signOut, markStale, read, or a mapping such as { open: qcommerce://cart, scene: A }",
                    suggestion: Spelling.nearest(to: word, among: ScenarioWords.bareVerbs)
                )
                return nil
            }
        }
        guard let all = node.members else {
            reader.report("is \(node.kind)", at: key, node.place, expected: "a step")
            return nil
        }
        let verbs = all.filter { member in known.contains(member.key) }
        guard verbs.count == 1, let verb = verbs.first,
            let members = ScenarioWords.verbs.first(where: { $0.verb == verb.key })?.members
        else {
            reader.report(
                verbs.isEmpty
                    ? "names no action"
                    : "names several actions: \(verbs.map(\.key).joined(separator: ", "))",
                at: key,
                node.place,
                expected: "one of \(known.joined(separator: ", "))",
                suggestion: verbs.isEmpty
                    ? all.lazy.compactMap { Spelling.nearest(to: $0.key, among: known) }.first : nil
            )
            return nil
        }
        let parts = reader.members(node, at: key, allowed: [verb.key, "as"] + members)
        var step = Part(verb: verb.key, value: verb.value, parts: parts, key: key)
        guard let (action, text) = action(&step) else { return nil }
        let given = reader.text(parts["as"], at: "\(key).as")
        let event = reader.name(parts["event"], at: "\(key).event")
        var result = ScenarioStep(name: given ?? name, action, text, key, node)
        if let event { result.event = event }
        return result
    }

    /// A step that is being read.
    struct Part {
        let verb: String
        let value: ManifestNode
        let parts: [String: ManifestNode]
        let key: String

        func key(_ member: String) -> String { "\(key).\(member)" }
    }

    private mutating func action(_ step: inout Part) -> (ScenarioStep.Action, String)? {
        let key = step.key(step.verb)
        switch step.verb {
        case "open", "activity", "push", "widget", "shortcut", "intent", "gesture", "finish": return submission(step)
        case "signIn":
            guard let user = user(step.value, at: key) else { return nil }
            let lifetime = natural(step.parts["expiresInMilliseconds"], at: step.key("expiresInMilliseconds"))
            let freshness = natural(step.parts["staleInMilliseconds"], at: step.key("staleInMilliseconds"))
            let facts = facts(step.parts["facts"], at: step.key("facts"))
            return (
                .signIn(
                    user: user,
                    facts: facts,
                    lifetime: lifetime.map { .milliseconds($0) },
                    freshness: freshness.map { .milliseconds($0) }
                ), "sign in \(user)"
            )
        case "signOut": return (.signOut, "sign out")
        case "markStale": return (.markStale, "make the sign-in stale")
        case "read": return (.read, "read the session")
        case "commit":
            let set = facts(step.value, at: key)
            var remove: [String] = []
            for (index, node) in reader.list(step.parts["remove"], at: step.key("remove")).enumerated() {
                let place = step.key("remove[\(index)]")
                if let fact = name(node, at: place, among: app.facts.map(\.name), "fact") { remove.append(fact) }
            }
            let isBased = reader.boolean(step.parts["basedOnRead"], at: step.key("basedOnRead")) ?? false
            return (
                .commit(set: set, remove: remove, isBasedOnRead: isBased),
                "commit \((set.keys.sorted() + remove.map { "without \($0)" }).joined(separator: ", "))"
            )
        case "connect":
            guard let scene = reader.text(step.value, at: key) else { return nil }
            guard canOpen(scene, at: key, step.value.place) else { return nil }
            let configuration = name(
                step.parts["configuration"],
                at: step.key("configuration"),
                among: app.configurations.map(\.name),
                "configuration"
            )
            return (.connect(scene: scene, configuration: configuration), "connect \(scene)")
        case "activate":
            guard let scene = scene(step.value, at: key) else { return nil }
            let state = reader.choice(step.parts["to"], at: step.key("to"), of: Activation.self) ?? .foregroundActive
            return (.activate(scene: scene, state), "make \(scene) \(state.rawValue)")
        case "disconnect": return scene(step.value, at: key).map { (.disconnect(scene: $0), "disconnect \($0)") }
        case "discard": return scene(step.value, at: key).map { (.discard(scene: $0), "discard \($0)") }
        case "reload": return reload(step.value, at: key).map { (.reload($0), "reload") }
        default: return wait(step.value, at: key).map { ($0, "wait") }
        }
    }

    private mutating func scene(_ node: ManifestNode, at key: String) -> String? {
        name(node, at: key, among: scenes, "window")
    }

    /// Reads a number of milliseconds, or a range as a list of two.
    private mutating func wait(_ node: ManifestNode, at key: String) -> ScenarioStep.Action? {
        guard case .list(let bounds) = node.value else {
            return natural(node, at: key).map { .wait($0...$0) }
        }
        guard bounds.count == 2, let least = natural(bounds[0], at: "\(key)[0]"),
            let most = natural(bounds[1], at: "\(key)[1]"), least <= most
        else {
            reader.report(
                "is not a range",
                at: key,
                node.place,
                expected: "milliseconds, or a minimum and a maximum such as [10, 200]"
            )
            return nil
        }
        return .wait(least...most)
    }

    /// Reads another version of the app: a manifest, or the app without some destinations.
    private mutating func reload(_ node: ManifestNode, at key: String) -> AppManifest? {
        reloads += 1
        guard reloads <= Self.mostReloads else {
            if reloads == Self.mostReloads + 1 {
                reader.report(
                    "the app is reloaded more often than a scenario may",
                    at: key,
                    node.place,
                    expected: "at most \(Self.mostReloads) steps 'reload'"
                )
            }
            return nil
        }
        guard node.members != nil else { return manifest(node, at: key) }
        let members = reader.members(node, at: key, allowed: ScenarioWords.reload)
        var next = members["app"] == nil ? app : manifest(members["app"], at: "\(key).app") ?? app
        let known = next.destinations.map(\.id)
        var removed: Set<String> = []
        for (index, node) in reader.list(members["without"], at: "\(key).without").enumerated() {
            guard let id = name(node, at: "\(key).without[\(index)]", among: known, "destination") else { continue }
            removed.insert(id)
        }
        next.version += "+\(reloads)"
        next.destinations.removeAll { removed.contains($0.id) }
        next.routes.removeAll { removed.contains($0.destination) }
        next.adapters.removeAll { adapter in
            if case .destination(let id, _, _) = adapter.mapping { removed.contains(id) } else { false }
        }
        for problem in next.problems() where problem.severity == .error {
            reader.report(
                "the app would be wrong: \(problem)",
                at: key,
                node.place,
                expected: "only destinations that nothing else refers to"
            )
        }
        return next
    }
}

extension ScenarioStep {
    fileprivate init(name: String, _ action: Action, _ text: String, _ key: String, _ node: ManifestNode) {
        self.name = name
        self.action = action
        event = name
        self.text = text
        self.key = key
        line = node.place.line
        column = node.place.column
    }
}
