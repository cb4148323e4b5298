internal import SceneRouting
internal import StrictJSON

/// Builds an ``AppManifest`` from the values of a file. Whatever is wrong is reported and left out.
struct ManifestDecoder {
    var reader = ManifestReader()
    /// Reads a file that the manifest names, such as an association file; `nil` if it may name none.
    let readFile: ((String) throws -> String)?
    var routes: [RouteDeclaration] = []

    /// The newest format that is read. Every earlier one is read as it was.
    static let newestFormat = 5

    static let keys = [
        "format", "version", "name", "appIDs", "schemes", "associatedDomains", "markets", "locales", "facts",
        "preconditions",
        "conditions", "tabs", "roots", "lock", "destinations", "routes", "flows", "intents", "configurations",
        "adapters",
        "notificationCategories", "policies", "fallback",
    ]

    /// The manifest; `nil` if nothing else can be said of the file than what was reported.
    mutating func manifest(_ node: ManifestNode) -> AppManifest? {
        guard node.members != nil else {
            reader.report(
                "the file is \(node.kind)",
                at: "",
                node.place,
                expected: "a mapping with 'name', 'destinations' …"
            )
            return nil
        }
        let format = node.members?.first { $0.key == "format" }?.value
        if let number = reader.integer(format, at: "format"), !(1...Self.newestFormat).contains(number) {
            // What else would be said of words that a later format has is not the mistake.
            reader.report(
                "format \(number) is not known here",
                at: "format",
                format?.place,
                expected: "a number from 1 to \(Self.newestFormat); a later one needs a later scened"
            )
            if number > Self.newestFormat { return nil }
        }
        let members = reader.members(node, at: "", allowed: Self.keys)
        if members["name"] == nil {
            reader.reportMissing("name", at: "", node.place, expected: "the app's name")
        }
        var manifest = AppManifest(name: reader.text(members["name"], at: "name") ?? "")
        manifest.version = reader.text(members["version"], at: "version") ?? "1"
        manifest.appIDs = reader.texts(members["appIDs"], at: "appIDs")
        manifest.schemes = reader.texts(members["schemes"], at: "schemes").map { $0.lowercased() }
        manifest.associatedDomains = associatedDomains(members["associatedDomains"])
        manifest.markets = reader.texts(members["markets"], at: "markets")
        manifest.locales = reader.texts(members["locales"], at: "locales")
        manifest.facts = facts(members["facts"])
        let types = Dictionary(manifest.facts.map { ($0.name, $0.type) }) { first, _ in first }
        manifest.preconditions = preconditions(members["preconditions"], types)
        manifest.conditions = conditions(members["conditions"], types)
        manifest.tabs = tabs(members["tabs"])
        manifest.roots = roots(members["roots"], types)
        manifest.lock = lock(members["lock"], types)
        manifest.destinations = destinations(members["destinations"], types)
        for (index, route) in reader.list(members["routes"], at: "routes").enumerated() {
            addRoute(route, at: "routes[\(index)]", destination: nil)
        }
        manifest.routes = routes
        manifest.flows = flows(members["flows"], types)
        manifest.intents = intents(members["intents"], at: "intents", types)
        manifest.configurations = configurations(members["configurations"])
        manifest.adapters = adapters(members["adapters"])
        manifest.notificationCategories = notificationCategories(members["notificationCategories"])
        manifest.policies = policies(members["policies"])
        manifest.fallback = fallback(members["fallback"])
        return manifest
    }

    private mutating func associatedDomains(_ node: ManifestNode?) -> [AssociatedDomain] {
        var domains: [AssociatedDomain] = []
        for member in reader.dotted(node, at: "associatedDomains") {
            let key = "associatedDomains.\(member.key)"
            if case .scalar(let path, _) = member.value.value, !member.value.isNull {
                guard let readFile else {
                    reader.report(
                        "other files cannot be read here",
                        at: key,
                        member.value.place,
                        expected: "the association file's content as a mapping"
                    )
                    continue
                }
                do {
                    let text = try readFile(path)
                    domains.append(AssociatedDomain(domain: member.key, association: text))
                    for diagnostic in AssociationFile.lint(text) where diagnostic.code != .notJSON {
                        let place = "\(path):\(diagnostic.line):\(diagnostic.column)"
                        warn(diagnostic, "in \(place): ", at: key, member.value.place)
                    }
                } catch {
                    reader.report("the file '\(path)' cannot be read: \(error)", at: key, member.value.place)
                }
                continue
            }
            guard member.value.members != nil else {
                reader.report(
                    "is \(member.value.kind)",
                    at: key,
                    member.value.place,
                    expected: "an association file's content as a mapping, or its path"
                )
                continue
            }
            let text = member.value.json.text()
            domains.append(AssociatedDomain(domain: member.key, association: text))
            for diagnostic in AssociationFile.lint(text) {
                warn(diagnostic, "", at: key, member.value.place(of: diagnostic.path[...]))
            }
        }
        return domains
    }

    /// Reports what is ignored in an association file, as iOS ignores it: the rest of the file counts.
    private mutating func warn(
        _ diagnostic: AssociationDiagnostic,
        _ file: String,
        at key: String,
        _ place: ManifestNode.Place
    ) {
        let path = diagnostic.path.isEmpty ? "" : diagnostic.path + ": "
        reader.report("\(file)\(path)\(diagnostic.message) [\(diagnostic.code.rawValue)]", .warning, at: key, place)
    }

    private mutating func tabs(_ node: ManifestNode?) -> [TabDeclaration] {
        var tabs: [TabDeclaration] = []
        for member in reader.named(node, at: "tabs") {
            guard let root = reader.text(member.value, at: "tabs.\(member.key)") else { continue }
            tabs.append(TabDeclaration(id: member.key, root: root))
        }
        return tabs
    }

    private mutating func roots(_ node: ManifestNode?, _ types: FactTypes) -> [RootDeclaration] {
        elements(node, at: "roots") { decoder, element, key in
            let members = decoder.reader.members(element, at: key, allowed: ["flow", "when"])
            let text = decoder.reader.text(members["flow"], at: "\(key).flow")
            guard let flow = decoder.required(text, "flow", key, element),
                let when = decoder.required(members["when"], "when", key, element)
            else { return nil }
            return RootDeclaration(flow: flow, when: decoder.predicate(when, at: "\(key).when", types))
        }
    }

    /// Reads a list element by element. What cannot be read is left out, and those behind it keep their places in problems.
    mutating func elements<Element>(
        _ node: ManifestNode?,
        at key: String,
        _ read: (inout ManifestDecoder, ManifestNode, _ key: String) -> Element?
    ) -> [Element] {
        var elements: [Element] = []
        for (index, node) in reader.list(node, at: key).enumerated() {
            guard let element = read(&self, node, "\(key)[\(index)]") else { continue }
            reader.nameElement(elements.count, of: key, as: index)
            elements.append(element)
        }
        return elements
    }

    private mutating func lock(_ node: ManifestNode?, _ types: FactTypes) -> LockDeclaration? {
        guard let node else { return nil }
        let members = reader.members(node, at: "lock", allowed: ["flow", "when"])
        guard let flow = required(reader.text(members["flow"], at: "lock.flow"), "flow", "lock", node) else {
            return nil
        }
        return LockDeclaration(
            flow: flow,
            when: members["when"].map { predicate($0, at: "lock.when", types) } ?? .always
        )
    }

    private mutating func policies(_ node: ManifestNode?) -> Policies {
        guard let node else { return Policies() }
        let members = reader.members(
            node,
            at: "policies",
            allowed: ["whileGated", "maximumScenes", "maximumStackDepth"]
        )
        var policies = Policies()
        if let choice = reader.choice(members["whileGated"], at: "policies.whileGated", of: Policies.WhileGated.self) {
            policies.whileGated = choice
        }
        if let count = reader.integer(members["maximumScenes"], at: "policies.maximumScenes") {
            policies.maximumScenes = count
        }
        if let depth = reader.integer(members["maximumStackDepth"], at: "policies.maximumStackDepth") {
            policies.maximumStackDepth = depth
        }
        return policies
    }

    private mutating func fallback(_ node: ManifestNode?) -> Destination? {
        guard let node, !node.isNull else { return nil }
        if case .scalar = node.value {
            return reader.text(node, at: "fallback").map { Destination(id: $0) }
        }
        let members = reader.members(node, at: "fallback", allowed: ["destination", "parameters"])
        let parameters = textMap(members["parameters"], at: "fallback.parameters")
        return required(
            reader.text(members["destination"], at: "fallback.destination"),
            "destination",
            "fallback",
            node
        )
        .map { Destination(id: $0, parameters: parameters) }
    }

    // MARK: - Shared

    typealias FactTypes = [String: FactDeclaration.FactType]

    /// Reports a missing member. One that is present but wrong has been reported already.
    mutating func required<Value>(_ value: Value?, _ member: String, _ key: String, _ node: ManifestNode) -> Value? {
        if value == nil, node.isNull || node.members.map({ !$0.contains { $0.key == member } }) ?? false {
            reader.reportMissing(member, at: key, node.place)
        }
        return value
    }

    mutating func textMap(_ node: ManifestNode?, at key: String) -> [String: String] {
        var result: [String: String] = [:]
        for member in reader.named(node, at: key) {
            if let text = reader.text(member.value, at: "\(key).\(member.key)") { result[member.key] = text }
        }
        return result
    }
}

extension ManifestReader {
    /// The members of a mapping whose keys are not checked as names, because they may have dots: domains, and the identifiers of
    /// notification categories and their actions.
    mutating func dotted(_ node: ManifestNode?, at key: String) -> [ManifestNode.Member] {
        guard let node else { return [] }
        let members = map(node, at: key)
        for member in members { note("\(key).\(member.key)", member.place) }
        return members
    }
}
