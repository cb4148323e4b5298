internal import SceneVocabulary
internal import StrictJSON

/// Checks what the parts of a manifest say of each other.
extension ManifestCompilation {
    mutating func checkReferences() {
        checkNames()
        checkUnique("tabs", manifest.tabs.map(\.id), "tab")
        checkUnique("facts", manifest.facts.map(\.name), "fact")
        checkUnique("preconditions", manifest.preconditions.map(\.name), "precondition")
        checkUnique("conditions", manifest.conditions.map(\.name), "condition")
        checkNeeds()
        checkUnique("flows", manifest.flows.map(\.name), "flow")
        checkCoordinators()
        checkUnique("configurations", manifest.configurations.map(\.name), "configuration")
        checkUnique("adapters", manifest.adapters.map(\.name), "adapter")
        checkHead()
        checkTabs()
        checkPredicates()
        checkLock()
        checkVariants()
        checkFlows()
        checkIntents(manifest.intents, at: "intents", flow: nil)
        checkAdapters()
        checkNotificationCategories()
        checkSecrets()
        for destination in manifest.destinations {
            guard let flow = destination.flow else { continue }
            check(flow, isOneOf: flowNames, "flow", at: "destinations.\(destination.id).flow")
        }
        if let fallback = manifest.fallback { check(fallback, at: "fallback") }
    }

    /// Reports what is declared under something that is no name.
    private mutating func checkNames() {
        func parts<Part>(_ key: String, _ all: [Part], _ name: (Part) -> String) -> [(key: String, name: String)] {
            all.map { ("\(key).\(name($0))", name($0)) }
        }
        var names =
            parts("tabs", manifest.tabs, \.id) + parts("facts", manifest.facts, \.name)
            + parts("preconditions", manifest.preconditions, \.name)
            + parts("conditions", manifest.conditions, \.name) + parts("flows", manifest.flows, \.name)
            + parts("configurations", manifest.configurations, \.name) + parts("adapters", manifest.adapters, \.name)
            + parts("destinations", manifest.destinations, \.id) + parts("intents", manifest.intents, \.name)
            + parts("notificationCategories", manifest.notificationCategories, \.id)
        for destination in manifest.destinations {
            names += parts("destinations.\(destination.id).parameters", destination.parameters, \.name)
        }
        for category in manifest.notificationCategories {
            names += parts("notificationCategories.\(category.id).actions", category.actions, \.id)
        }
        for flow in manifest.flows {
            names += parts("flows.\(flow.name).screens", flow.screens, \.id)
            names += parts("flows.\(flow.name).result", flow.result, \.name)
            names += parts("flows.\(flow.name).intents", flow.intents, \.name)
            for (index, screen) in flow.screens.enumerated() {
                names += parts("flows.\(flow.name).screens[\(index)].parameters", screen.parameters, \.name)
            }
        }
        for (key, name) in names {
            guard let problem = NameRule.problem(name) else { continue }
            error(key, "\(name.quotedForMessage) \(problem)")
        }
    }

    func declaration(_ id: String) -> DestinationDeclaration? {
        destinationNames.index[id].map { manifest.destinations[$0] }
    }

    mutating func checkUnique(_ key: String, _ names: [String], _ what: String) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            error("\(key).\(name)", "the \(what) '\(name)' is declared twice", expected: "a unique name")
        }
    }

    /// Outcomes and records say by its name alone what does not hold.
    private mutating func checkNeeds() {
        let roots = Set(manifest.roots.map(\.flow))
        let needs =
            manifest.preconditions.map { ("preconditions.\($0.name)", $0.name, "Precondition") }
            + manifest.conditions.map { ("conditions.\($0.name)", $0.name, "Condition") }
            + roots.union([manifest.lock?.flow].compactMap(\.self)).sorted().map { ("flows.\($0)", $0, "Flow") }
        for (key, name, kind) in needs where Reasons.reserved.contains(name) {
            error(
                key,
                "'\(name)' is reserved for how events end, which this name could not be told from",
                expected: "another name, such as '\(name)\(kind)'"
            )
        }
        for name in manifest.preconditions.map(\.name) where roots.contains(name) {
            error("preconditions.\(name)", "a root's flow has the name '\(name)', too", expected: "another name")
        }
        let preconditions = roots.union(manifest.preconditions.map(\.name))
        for name in manifest.conditions.map(\.name) where preconditions.contains(name) {
            let other = roots.contains(name) ? "root's flow" : "precondition"
            error("conditions.\(name)", "a \(other) has the name '\(name)', too", expected: "another name")
        }
    }

    /// Each flow and each tab has a coordinator, which records and windows know by its name alone. The flow to which a tab's root
    /// belongs is in the place of the tab's, so it may have that name.
    private mutating func checkCoordinators() {
        func report(_ flow: String, _ message: String) {
            error("flows.\(flow)", message, expected: "another name, such as '\(flow)Flow'")
        }
        for flow in manifest.flows {
            if flow.name == WindowState.rootTab {
                report(flow.name, "'\(flow.name)' is reserved for what is above all flows and tabs")
            } else if let tab = tabNames.index[flow.name].map({ manifest.tabs[$0] }),
                declaration(tab.root)?.flow != flow.name
            {
                report(flow.name, "a tab has the name '\(flow.name)', too, and each has a coordinator of its own")
            }
        }
    }

    private mutating func checkHead() {
        for (index, appID) in manifest.appIDs.enumerated() {
            let parts = appID.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count < 2 || parts.contains("") else { continue }
            error(
                "appIDs[\(index)]",
                "'\(appID)' is not an app ID",
                expected: "a team ID, a dot and a bundle ID, such as ABCDE12345.com.example.app"
            )
        }
        for (index, scheme) in manifest.schemes.enumerated() {
            let isScheme =
                scheme.utf8.first.map(ASCII.isLetter) ?? false
                && scheme.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "+-.".utf8.contains($0) }
            if !isScheme {
                error(
                    "schemes[\(index)]",
                    "'\(scheme)' is not a URL scheme",
                    expected: "a letter, then letters, digits, '+', '-' and '.'"
                )
            } else if ["http", "https"].contains(scheme.lowercased()) {
                error(
                    "schemes[\(index)]",
                    "'\(scheme)' cannot be an app's own scheme",
                    expected: "an associated domain for web links"
                )
            }
        }
        if manifest.configurations.isEmpty {
            error("configurations", "there is no configuration", expected: "at least one, such as 'default'")
        }
        if !(1...65_536).contains(manifest.policies.maximumScenes) {
            error(
                "policies.maximumScenes",
                "\(manifest.policies.maximumScenes) scenes are not possible",
                expected: "1 to 65536"
            )
        }
        if !(1...1_000).contains(manifest.policies.maximumStackDepth) {
            error(
                "policies.maximumStackDepth",
                "a depth of \(manifest.policies.maximumStackDepth) is not possible",
                expected: "1 to 1000"
            )
        }
    }

    /// A tab's root must be allowed at all times, so that every sweep has something to leave.
    private mutating func checkTabs() {
        if manifest.tabs.isEmpty, manifest.roots.isEmpty {
            error("tabs", "the app has no tab", expected: "at least one tab, such as 'home: home'")
        }
        for tab in manifest.tabs {
            let key = "tabs.\(tab.id)"
            guard check(tab.root, isOneOf: destinationNames, "destination", at: key), let root = declaration(tab.root)
            else { continue }
            if root.presentation != .tab(tab.id) {
                error(
                    key,
                    "'\(root.id)' is not declared as the root of this tab",
                    expected: "'tab: \(tab.id)' in \(root.id)"
                )
            }
            if !root.preconditions.isEmpty || !root.conditions.isEmpty {
                let names = (root.preconditions + root.conditions).joined(separator: ", ")
                error(
                    "destinations.\(root.id)",
                    "the root of a tab needs \(names)",
                    expected: "no preconditions and no conditions, so that the tab always has something to show"
                )
            }
            for parameter in root.parameters where parameter.isRequired && parameter.defaultValue == nil {
                error(
                    "destinations.\(root.id).parameters.\(parameter.name)",
                    "the root of a tab requires a parameter",
                    expected: "an optional parameter or a default"
                )
            }
        }
        let roots = Dictionary(manifest.tabs.map { ($0.id, $0.root) }) { first, _ in first }
        for destination in manifest.destinations {
            guard case .tab(let tab) = destination.presentation, let root = roots[tab], root != destination.id
            else { continue }
            error("destinations.\(destination.id).tab", "the root of tab '\(tab)' is '\(root)'")
        }
        checkRoots()
    }

    /// The lock is an implicit precondition named after its flow. Its flow is on screen while the window is locked and at no other
    /// time, so nothing else may show it, and its screens are nobody else's.
    private mutating func checkLock() {
        guard let lock = manifest.lock else { return }
        check(lock.when, at: "lock.when", parameters: nil)
        if lock.when.usesTime {
            error(
                "lock.when",
                "it looks at the time, which passes without a commit that could unlock a window",
                expected: "who is signed in, facts or the app's version"
            )
        }
        guard check(lock.flow, isOneOf: flowNames, "flow", at: "lock.flow"),
            let flow = flowNames.index[lock.flow].map({ manifest.flows[$0] })
        else { return }
        let name = lock.flow
        for (names, member) in [(preconditionNames, "preconditions"), (conditionNames, "conditions")]
        where names.contains(name) {
            error("\(member).\(name)", "the lock's flow has the name '\(name)', too", expected: "another name")
        }
        func exclude(_ key: String, _ what: String) {
            error(
                key,
                "\(what) the flow of the lock",
                expected: "another flow: the lock's unlocks windows and nothing else"
            )
        }
        for (index, root) in manifest.roots.enumerated() where root.flow == name {
            exclude("roots[\(index)].flow", "a root cannot be")
        }
        for precondition in manifest.preconditions where precondition.flow == name {
            exclude("preconditions.\(precondition.name).flow", "a precondition cannot be satisfied by")
        }
        for destination in manifest.destinations where destination.flow == name {
            exclude("destinations.\(destination.id).flow", "a destination cannot belong to")
        }
        for other in manifest.flows {
            let starts = other.effects.contains { effect in
                if case .start(name, _, _) = effect.unconditional { true } else { false }
            }
            if starts { exclude("flows.\(other.name)", "'start: \(name)' cannot present") }
        }
        for (index, screen) in flow.screens.enumerated() where destinationNames.contains(screen.id) {
            error(
                "flows.\(name).screens[\(index)]",
                "'\(screen.id)' is a destination, and the lock stands before every destination",
                expected: "a screen that only the flow of the lock has"
            )
        }
        // Without a flow that completes, a locked window stays locked.
        let completes = flow.effects.contains { effect in
            if case .complete = effect.unconditional { true } else { false }
        }
        if !flow.intents.isEmpty, !completes {
            error(
                "flows.\(name)",
                "no intent of the lock's flow completes it, so nothing can unlock a window",
                expected: "'complete' among its effects"
            )
        }
    }

    /// A root is an implicit precondition named after its flow, and a window's root is known by its screens.
    private mutating func checkRoots() {
        if manifest.tabs.contains(where: { $0.id == WindowState.rootTab }) {
            error(
                "tabs.\(WindowState.rootTab)",
                "'\(WindowState.rootTab)' is reserved for what is above all flows and tabs",
                expected: "another name"
            )
        }
        var flows: Set<String> = []
        var screens: [String: String] = [:]
        for (index, root) in manifest.roots.enumerated() {
            let key = "roots[\(index)]"
            check(root.when, at: "\(key).when", parameters: nil)
            guard check(root.flow, isOneOf: flowNames, "flow", at: "\(key).flow") else { continue }
            if !flows.insert(root.flow).inserted {
                error("\(key).flow", "the flow '\(root.flow)' is declared as a root twice", expected: "every flow once")
                continue
            }
            if preconditionNames.contains(root.flow) {
                error(
                    "preconditions.\(root.flow)",
                    "the root flow '\(root.flow)' is already a precondition of this name, for which everything waits",
                    expected: "another name"
                )
            }
            if conditionNames.contains(root.flow) {
                error(
                    "conditions.\(root.flow)",
                    "the root flow '\(root.flow)' is already a precondition of this name",
                    expected: "another name"
                )
            }
            guard let flow = flowNames.index[root.flow].map({ manifest.flows[$0] }) else { continue }
            checkStart(ofRoot: flow)
            for screen in flow.screens {
                guard let other = screens.updateValue(root.flow, forKey: screen.id) else { continue }
                error(
                    "flows.\(root.flow).screens",
                    "'\(screen.id)' is also a screen of the root flow '\(other)'",
                    expected: "a different screen, because a window's root is known by its screens"
                )
            }
        }
    }

    /// A root must have something to show at all times, like a tab. Another screen with which it starts is left out if it may not be shown.
    private mutating func checkStart(ofRoot flow: FlowDeclaration) {
        guard let first = flow.screens.first, let destination = declaration(first.id) else { return }
        var needs = destination.preconditions + destination.conditions
        needs += destination.parameters.filter { $0.isRequired && $0.defaultValue == nil }.map { "'\($0.name)'" }
        if needs.isEmpty { return }
        error(
            "flows.\(flow.name).screens[0]",
            "the root flow starts with '\(first.id)', which needs \(needs.joined(separator: ", "))",
            expected:
                "a screen that only the flow has, or a destination without preconditions, conditions and required parameters"
        )
    }
}

/// Declared names, in order for messages and indexed for look-ups.
struct NameList {
    let names: [String]
    /// The first position of each name.
    let index: [String: Int]

    init(_ names: [String]) {
        self.names = names
        index = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    func contains(_ name: String) -> Bool { index[name] != nil }
}
