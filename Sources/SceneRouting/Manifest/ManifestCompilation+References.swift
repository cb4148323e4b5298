/// Names that one part of a manifest uses and another declares.
extension ManifestCompilation {
    mutating func checkReferences() {
        checkUnique("tabs", manifest.tabs.map(\.id), "tab")
        checkUnique("facts", manifest.facts.map(\.name), "fact")
        checkUnique("preconditions", manifest.preconditions.map(\.name), "precondition")
        checkUnique("conditions", manifest.conditions.map(\.name), "condition")
        checkUnique("flows", manifest.flows.map(\.name), "flow")
        checkUnique("configurations", manifest.configurations.map(\.name), "configuration")
        checkUnique("adapters", manifest.adapters.map(\.name), "adapter")
        checkHead()
        checkTabs()
        checkPredicates()
        checkFlows()
        checkIntents(manifest.intents, at: "intents", flow: nil)
        checkAdapters()
        for destination in manifest.destinations {
            guard let flow = destination.flow else { continue }
            check(flow, isOneOf: flowNames, "flow", at: "destinations.\(destination.id).flow")
        }
        if let fallback = manifest.fallback { check(fallback, at: "fallback") }
    }

    private func declaration(_ id: String) -> DestinationDeclaration? {
        destinationNames.index[id].map { manifest.destinations[$0] }
    }

    private mutating func checkUnique(_ key: String, _ names: [String], _ what: String) {
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            error("\(key).\(name)", "the \(what) '\(name)' is declared twice", expected: "every name once")
        }
    }

    private mutating func checkHead() {
        for (index, appID) in manifest.appIDs.enumerated() {
            let parts = appID.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count < 2 || parts.contains("") else { continue }
            error(
                "appIDs[\(index)]",
                "'\(appID)' is no app ID",
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
                    "'\(scheme)' is no scheme",
                    expected: "a letter, then letters, digits, +, - and ."
                )
            } else if ["http", "https"].contains(scheme.lowercased()) {
                error(
                    "schemes[\(index)]",
                    "'\(scheme)' cannot be an app's own scheme",
                    expected: "an associated domain for links of the web"
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
    }

    /// A tab's root must be there for everybody at all times, so that every sweep has somewhere to stop.
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
                    expected: "'tab: \(tab.id)' at \(root.id)"
                )
            }
            if !root.preconditions.isEmpty || !root.conditions.isEmpty {
                let names = (root.preconditions + root.conditions).joined(separator: ", ")
                error(
                    "destinations.\(root.id)",
                    "the root of a tab needs \(names)",
                    expected: "no preconditions and no conditions: a tab must always have something to show"
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
            error("destinations.\(destination.id).tab", "the root of '\(tab)' is '\(root)'")
        }
        checkRoots()
    }

    /// A root is an implicit precondition named after its flow, and a window shows by its screens which root it has.
    private mutating func checkRoots() {
        if !manifest.roots.isEmpty, manifest.tabs.contains(where: { $0.id == AppManifest.rootTab }) {
            error(
                "tabs.\(AppManifest.rootTab)",
                "'\(AppManifest.rootTab)' is what a window calls a root without tabs",
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
                error("\(key).flow", "'\(root.flow)' is a root already", expected: "every flow once")
                continue
            }
            if manifest.preconditions.contains(where: { $0.name == root.flow }) {
                error(
                    "preconditions.\(root.flow)",
                    "the root flow '\(root.flow)' is a precondition of this name already: everything waits for it",
                    expected: "another name"
                )
            }
            if manifest.conditions.contains(where: { $0.name == root.flow }) {
                error(
                    "conditions.\(root.flow)",
                    "the root flow '\(root.flow)' is a precondition of this name",
                    expected: "another name"
                )
            }
            for screen in manifest.flows.first(where: { $0.name == root.flow })?.screens ?? [] {
                guard let other = screens.updateValue(root.flow, forKey: screen.id) else { continue }
                error(
                    "flows.\(root.flow).screens",
                    "'\(screen.id)' is a screen of the root flow '\(other)' too",
                    expected: "screens that tell the roots apart"
                )
            }
        }
    }

    // MARK: - Predicates

    private mutating func checkPredicates() {
        for precondition in manifest.preconditions {
            let key = "preconditions.\(precondition.name)"
            check(precondition.holds, at: "\(key).holds", parameters: nil)
            if precondition.flow.isEmpty {
                warning(
                    key,
                    "no flow satisfies the precondition, so what it gates stays closed until the session changes otherwise",
                    expected: "'flow', or a condition instead"
                )
            } else {
                check(precondition.flow, isOneOf: flowNames, "flow", at: "\(key).flow")
            }
        }
        var users: [String: [Set<String>]] = [:]
        for destination in manifest.destinations where !destination.conditions.isEmpty {
            let parameters = Set(destination.parameters.map(\.name))
            for condition in Set(destination.conditions) { users[condition, default: []].append(parameters) }
        }
        for condition in manifest.conditions {
            let known = users[condition.name, default: []]
            check(condition.holds, at: "conditions.\(condition.name).holds", parameters: known)
        }
    }

    /// - Parameter parameters: the parameters of each destination that uses the condition; `nil` where none may be used.
    private mutating func check(_ predicate: FactPredicate, at key: String, parameters: [Set<String>]?) {
        switch predicate {
        case .always, .signedIn: break
        case .present(let fact): checkFact(fact, at: "\(key).present")
        case .compare(let fact, let comparison, let operand):
            guard let type = checkFact(fact, at: "\(key).fact") else { return }
            if type == .strings, comparison != .equal, comparison != .notEqual {
                error(key, "a list has no order", expected: "'equals', 'notEquals' or 'contains'")
            }
            check(operand, type, at: key, parameters)
        case .contains(let fact, let operand):
            guard let type = checkFact(fact, at: "\(key).fact") else { return }
            guard type == .strings else {
                error(
                    key,
                    "'\(fact)' is of type \(type.rawValue), which contains nothing",
                    expected: "a fact of type strings"
                )
                return
            }
            check(operand, .string, at: key, parameters)
        case .oneOf(let fact, let values):
            guard let type = checkFact(fact, at: "\(key).fact") else { return }
            for value in values { check(.value(value), type, at: key, parameters) }
        case .appVersion(_, let version):
            guard AppVersion(version) == nil else { return }
            error(key, "'\(version)' is no app version", expected: "numbers between dots, such as 2.10.1")
        case .period(let from?, let until?) where from >= until:
            error(key, "the period ends before it begins", expected: "'from' before 'until'")
        case .period: break
        case .all(let inner):
            for (index, predicate) in inner.enumerated() {
                check(predicate, at: "\(key).all[\(index)]", parameters: parameters)
            }
        case .any(let inner):
            for (index, predicate) in inner.enumerated() {
                check(predicate, at: "\(key).any[\(index)]", parameters: parameters)
            }
        case .not(let inner): check(inner, at: "\(key).not", parameters: parameters)
        }
    }

    /// The fact's type, if it exists.
    @discardableResult
    private mutating func checkFact(_ name: String, at key: String) -> FactDeclaration.FactType? {
        guard check(name, isOneOf: factNames, "fact", at: key) else { return nil }
        return factNames.index[name].map { manifest.facts[$0].type }
    }

    private mutating func check(
        _ operand: FactPredicate.Operand,
        _ type: FactDeclaration.FactType,
        at key: String,
        _ parameters: [Set<String>]?
    ) {
        switch operand {
        case .value(let value):
            guard !value.isOf(type) else { return }
            error(key, "the value is no \(type.rawValue)", expected: "a value of type \(type.rawValue)")
        case .parameter(let name):
            guard let parameters else {
                error(key, "only a destination's condition can look at its parameters", expected: "a value")
                return
            }
            for known in parameters where !known.contains(name) {
                check(name, isOneOf: known.sorted(), "parameter of a destination with this condition", at: key)
                return
            }
        }
    }

    // MARK: - Flows, intents, adapters

    private mutating func checkFlows() {
        for flow in manifest.flows {
            let key = "flows.\(flow.name)"
            if flow.screens.isEmpty {
                error("\(key).screens", "the flow has no screen", expected: "at least the one where it starts")
            }
            checkUnique("\(key).screens", flow.screens.map(\.id), "screen")
            checkIntents(flow.intents, at: "\(key).intents", flow: flow)
            for (index, effect) in flow.completion.enumerated() {
                check(effect, at: "\(key).completion[\(index)]", intent: nil, flow: nil)
            }
        }
    }

    private mutating func checkIntents(_ intents: [IntentDeclaration], at key: String, flow: FlowDeclaration?) {
        checkUnique(key, intents.map(\.name), "intent")
        let screens: NameList
        if let flow {
            screens = NameList(flow.screens.map(\.id))
        } else {
            screens = NameList(manifest.flows.flatMap { $0.screens.map(\.id) } + destinationNames.names)
        }
        for intent in intents {
            let key = "\(key).\(intent.name)"
            let parameters = compile(intent.parameters, at: key)
            self.intents.append((flow?.name, intent, parameters))
            for (index, screen) in intent.screens.enumerated() {
                check(screen, isOneOf: screens, "screen", at: "\(key).screens[\(index)]")
            }
            for (index, effect) in intent.effects.enumerated() {
                check(effect, at: "\(key).effects[\(index)]", intent: intent, flow: flow, screens: screens)
            }
        }
    }

    private mutating func check(
        _ effect: IntentEffect,
        at key: String,
        intent: IntentDeclaration?,
        flow: FlowDeclaration?,
        screens: NameList = NameList([])
    ) {
        switch effect {
        case .route(let destination, let parameters):
            guard check(destination, isOneOf: destinationNames, "destination", at: "\(key).route"),
                let declaration = declaration(destination)
            else { return }
            for (name, source) in parameters.sorted(by: { $0.key < $1.key }) {
                let key = "\(key).parameters.\(name)"
                check(name, isOneOf: declaration.parameters.map(\.name), "parameter of \(destination)", at: key)
                check(source, at: key, intent: intent)
            }
            for parameter in declaration.parameters where parameter.isRequired && parameter.defaultValue == nil {
                guard parameters[parameter.name] == nil else { continue }
                error(
                    "\(key).route",
                    "'\(destination)' needs the parameter '\(parameter.name)'",
                    expected: "a value for it"
                )
            }
        case .set(let fact, let source):
            checkFact(fact, at: "\(key).set")
            check(source, at: "\(key).value", intent: intent)
        case .append(let fact, let source):
            if let type = checkFact(fact, at: "\(key).append"), type != .strings {
                error("\(key).append", "'\(fact)' is of type \(type.rawValue)", expected: "a fact of type strings")
            }
            check(source, at: "\(key).value", intent: intent)
        case .reset(let fact): checkFact(fact, at: "\(key).reset")
        case .signOut: break
        case .push(let screen), .replace(let screen):
            guard let flow else {
                error(key, "only an intent of a flow moves within the flow", expected: "'route' to a destination")
                return
            }
            check(screen, isOneOf: screens, "screen of \(flow.name)", at: key)
        case .back, .cancel:
            if flow == nil { error(key, "only an intent of a flow moves within the flow") }
        case .complete(let user):
            guard flow != nil else {
                error(key, "only an intent of a flow completes it")
                return
            }
            guard let user, let intent else { return }
            check(
                user,
                isOneOf: intent.parameters.map(\.name),
                "parameter of \(intent.name)",
                at: "\(key).complete.user"
            )
        }
    }

    private mutating func check(_ source: ValueSource, at key: String, intent: IntentDeclaration?) {
        switch source {
        case .literal: break
        case .parameter(let name):
            check(
                name,
                isOneOf: intent?.parameters.map(\.name) ?? [],
                "parameter of the intent",
                at: "\(key).parameter"
            )
        case .fact(let name): checkFact(name, at: "\(key).fact")
        }
    }

    private static let eventKinds = ["push", "activity", "widget", "shortcut", "url"]

    private mutating func checkAdapters() {
        for (index, adapter) in manifest.adapters.enumerated() {
            let key = "adapters[\(index)]"
            if adapter.kinds.isEmpty {
                error("\(key).kinds", "the adapter takes no event", expected: "at least one kind")
            }
            for (position, kind) in adapter.kinds.enumerated() {
                check(kind, isOneOf: Self.eventKinds, "kind of event", at: "\(key).kinds[\(position)]")
            }
            guard case .destination(let id, let parameters, _) = adapter.mapping, !id.contains("{") else { continue }
            guard check(id, isOneOf: destinationNames, "destination", at: "\(key).destination"),
                let declaration = declaration(id)
            else { continue }
            for name in parameters.keys.sorted() {
                check(
                    name,
                    isOneOf: declaration.parameters.map(\.name),
                    "parameter of \(id)",
                    at: "\(key).parameters.\(name)"
                )
            }
        }
    }

    private mutating func check(_ destination: Destination, at key: String) {
        guard check(destination.id, isOneOf: destinationNames, "destination", at: key) else { return }
        guard let index = destinationIndex[destination.id], destinations.indices.contains(index) else { return }
        do {
            _ = try destinations[index].normalized(destination.parameters)
        } catch {
            self.error(key, "\(error)")
        }
    }
}

extension FactValue {
    /// Whether a fact of this type can have the value; an integer is a number too.
    package func isOf(_ type: FactDeclaration.FactType) -> Bool {
        switch (self, type) {
        case (.string, .string), (.integer, .integer), (.number, .number), (.integer, .number), (.boolean, .boolean),
            (.strings, .strings):
            true
        default: false
        }
    }
}
