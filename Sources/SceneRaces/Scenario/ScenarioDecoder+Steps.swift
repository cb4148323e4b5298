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
            let verb = ScenarioWords.olderVerbs[word] ?? word
            guard ScenarioWords.bareVerbs.contains(verb), let (action, text) = bareAction(verb) else {
                reader.report(
                    "'\(word)' is not a step",
                    at: key,
                    node.place,
                    expected: "\(ScenarioWords.bareVerbs.joined(separator: ", ")), or a mapping such as "
                        + "{ openurl: qcommerce://cart, scene: A }",
                    suggestion: Spelling.nearest(to: word, among: ScenarioWords.bareVerbs)
                )
                return nil
            }
            if verb != word { reportOlder("'\(word)'", at: key, node.place, today: "'\(verb)'") }
            return ScenarioStep(name: name, action, text, key, node)
        }
        guard let all = node.members else {
            reader.report("is \(node.kind)", at: key, node.place, expected: "a step")
            return nil
        }
        let verbs = all.filter { member in
            known.contains(member.key) || ScenarioWords.olderVerbs[member.key] != nil || member.key == "gesture"
        }
        guard verbs.count == 1, let verb = verbs.first else {
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
        guard var step = part(node, verb, at: key) else { return nil }
        let parts = step.parts
        guard let (action, text) = action(&step) else { return nil }
        let given = reader.text(parts["as"], at: "\(key).as")
        let event = reader.name(parts["event"], at: "\(key).event")
        var result = ScenarioStep(name: given ?? name, action, text, key, node)
        if let event { result.event = event }
        return result
    }

    /// The members of a step, by the names of today.
    private mutating func part(_ node: ManifestNode, _ verb: ManifestNode.Member, at key: String) -> Part? {
        if verb.key == "gesture" { return gesture(node, verb, at: key) }
        let today = ScenarioWords.olderVerbs[verb.key] ?? verb.key
        if today != verb.key { reportOlder("'\(verb.key)'", at: "\(key).\(verb.key)", verb.place, today: "'\(today)'") }
        let members = ScenarioWords.verbs.first { $0.verb == today }?.members ?? []
        let parts = reader.members(node, at: key, allowed: [verb.key, "as"] + members)
        return Part(verb: today, value: verb.value, parts: parts, key: key)
    }

    /// A step `gesture`, as it would be written today.
    private mutating func gesture(_ node: ManifestNode, _ verb: ManifestNode.Member, at key: String) -> Part? {
        var parts = reader.members(node, at: key, allowed: ScenarioWords.olderGesture)
        let gesture = reader.choice(verb.value, at: "\(key).gesture", of: Gesture.Name.self)
        guard let gesture else { return nil }
        func word(_ member: String) -> String {
            if case .scalar(let word, _)? = parts[member]?.value { word } else { member.uppercased() }
        }
        let (tab, scene) = (word("tab"), word("scene"))
        let (today, value, words): (String, ManifestNode?, String) =
            switch gesture {
            case .selectTab: ("tap", parts["tab"], "tap: \(tab), scene: \(scene)")
            case .back: ("back", parts["scene"], "back: \(scene)")
            case .dismiss: ("dismiss", parts["scene"], "dismiss: \(scene)")
            case .swipeBack: ("swipe", .word("back", at: verb.value.place), "swipe: back, scene: \(scene)")
            case .swipeDown: ("swipe", .word("down", at: verb.value.place), "swipe: down, scene: \(scene)")
            }
        guard let value else {
            let missing = gesture == .selectTab ? "tab" : "scene"
            reader.report("'\(missing)' is missing", at: key, node.place, expected: "{ \(words) }")
            return nil
        }
        for (member, isAllowed) in [("tab", today == "tap"), ("cancelled", today == "swipe")] where !isAllowed {
            guard let node = parts[member] else { continue }
            reader.report("'\(member)' does not belong to '\(gesture.rawValue)'", at: "\(key).\(member)", node.place)
            return nil
        }
        reportOlder("'gesture: \(gesture.rawValue)'", at: "\(key).gesture", verb.place, today: "'\(words)'")
        if gesture == .back || gesture == .dismiss { parts["scene"] = nil }
        return Part(verb: today, value: value, parts: parts, key: key)
    }

    private mutating func reportOlder(_ word: String, at key: String, _ place: ManifestNode.Place, today: String) {
        reader.report("\(word) has another name today", .warning, at: key, place, expected: today)
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
        case "openurl", "activity", "push", "widget", "shortcut", "intent", "tap", "back", "swipe", "dismiss", "finish":
            return submission(step)
        case "sign-in":
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
                ), "sign-in \(user)"
            )
        case "set":
            let set = facts(step.value, at: key)
            var remove: [String] = []
            for (index, node) in reader.list(step.parts["remove"], at: step.key("remove")).enumerated() {
                let place = step.key("remove[\(index)]")
                if let fact = name(node, at: place, among: app.facts.map(\.name), "fact") { remove.append(fact) }
            }
            let isBased = reader.boolean(step.parts["basedOnRead"], at: step.key("basedOnRead")) ?? false
            return (
                .commit(set: set, remove: remove, isBasedOnRead: isBased),
                "set \((set.keys.sorted() + remove.map { "without \($0)" }).joined(separator: ", "))"
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
            let inBackground = reader.boolean(step.parts["background"], at: step.key("background")) ?? false
            return (
                .connect(scene: scene, configuration: configuration, inBackground: inBackground),
                "connect \(scene)\(inBackground ? " in the background" : "")"
            )
        case "activate":
            guard let scene = scene(step.value, at: key) else { return nil }
            let state = reader.choice(step.parts["to"], at: step.key("to"), of: Activation.self) ?? .foregroundActive
            return (.activate(scene: scene, state), "make \(scene) \(state.rawValue)")
        case "disconnect": return scene(step.value, at: key).map { (.disconnect(scene: $0), "disconnect \($0)") }
        case "discard": return scene(step.value, at: key).map { (.discard(scene: $0), "discard \($0)") }
        case "reload": return reload(step.value, at: key).map { (.reload($0), "reload") }
        case "wait": return wait(step.value, at: key).map { ($0, "wait") }
        default: return bareAction(step.verb)
        }
    }

    /// The action that a word alone names; `nil` for another word.
    private func bareAction(_ verb: String) -> (ScenarioStep.Action, String)? {
        switch verb {
        case "sign-out": (.signOut, verb)
        case "mark-stale": (.markStale, verb)
        case "read": (.read, "read the session")
        default: nil
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

    /// Reads another version of the app: a manifest, or the app without some destinations, or with gates that are always open.
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
        let preconditions = next.preconditions.map(\.name)
        var opened: Set<String> = []
        for (index, node) in reader.list(members["open"], at: "\(key).open").enumerated() {
            let place = "\(key).open[\(index)]"
            if let gate = name(node, at: place, among: preconditions, "precondition") { opened.insert(gate) }
        }
        next.version += "+\(reloads)"
        for index in next.destinations.indices {
            next.destinations[index].preconditions.removeAll(where: opened.contains)
        }
        next.destinations.removeAll { removed.contains($0.id) }
        next.routes.removeAll { removed.contains($0.destination) }
        next.adapters.removeAll { adapter in
            if case .destination(let id, _, _) = adapter.mapping { removed.contains(id) } else { false }
        }
        for problem in next.problems(warns: false) where problem.severity == .error {
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
