internal import SceneRouting

extension ManifestDecoder {
    mutating func configurations(_ node: ManifestNode?) -> [SceneConfiguration] {
        guard let node, !node.isNull else { return [SceneConfiguration(name: "default")] }
        var configurations: [SceneConfiguration] = []
        for member in reader.named(node, at: "configurations") {
            let key = "configurations.\(member.key)"
            let members = reader.members(member.value, at: key, allowed: ["canActivate", "prefers"])
            var configuration = SceneConfiguration(name: member.key)
            if let node = members["canActivate"] {
                configuration.canActivate = contentPredicate(node, at: "\(key).canActivate")
            }
            if let node = members["prefers"] { configuration.prefers = contentPredicate(node, at: "\(key).prefers") }
            configurations.append(configuration)
        }
        return configurations
    }

    private mutating func contentPredicate(_ node: ManifestNode, at key: String) -> ContentPredicate {
        let broken = ContentPredicate.constant(false)
        if case .scalar = node.value { return reader.boolean(node, at: key).map { .constant($0) } ?? broken }
        let members = reader.members(
            node,
            at: key,
            allowed: ["equals", "beginsWith", "endsWith", "contains", "like", "all", "any", "not"]
        )
        guard members.count == 1, let (name, value) = members.first else {
            reader.report(
                "a predicate must have exactly one member",
                at: key,
                node.place,
                expected: "true, false, or one of equals, beginsWith, endsWith, contains, like, all, any, not"
            )
            return broken
        }
        let inner = "\(key).\(name)"
        switch name {
        case "all": return .all(contentPredicates(value, at: inner))
        case "any": return .any(contentPredicates(value, at: inner))
        case "not": return .not(contentPredicate(value, at: inner))
        default:
            guard let text = reader.text(value, at: inner) else { return broken }
            switch name {
            case "equals": return .equals(text)
            case "beginsWith": return .beginsWith(text)
            case "endsWith": return .endsWith(text)
            case "contains": return .contains(text)
            default: return .like(text)
            }
        }
    }

    private mutating func contentPredicates(_ node: ManifestNode, at key: String) -> [ContentPredicate] {
        reader.list(node, at: key).enumerated().map { contentPredicate($1, at: "\(key)[\($0)]") }
    }

    mutating func adapters(_ node: ManifestNode?) -> [AdapterDeclaration] {
        elements(node, at: "adapters") { $0.adapter($1, at: $2) }
    }

    private mutating func adapter(_ node: ManifestNode, at key: String) -> AdapterDeclaration? {
        let members = reader.members(
            node,
            at: key,
            allowed: [
                "name", "priority", "kinds", "when", "url", "destination", "parameters", "parametersFrom", "handled",
                "user",
            ]
        )
        let name = required(reader.name(members["name"], at: "\(key).name"), "name", key, node)
        guard members["kinds"] != nil else {
            reader.reportMissing("kinds", at: key, node.place, expected: "a list such as [push, activity]")
            return nil
        }
        let mapping: AdapterDeclaration.Mapping
        func refuseParameters(with name: String) {
            for extra in ["parameters", "parametersFrom"] + (name == "handled" ? ["user"] : []) {
                guard let node = members[extra] else { continue }
                reader.report("'\(extra)' cannot be combined with '\(name)'", at: "\(key).\(extra)", node.place)
            }
        }
        switch (members["url"], members["destination"], members["handled"]) {
        case (let url?, nil, nil):
            refuseParameters(with: "url")
            mapping = .url(template: reader.text(url, at: "\(key).url") ?? "")
        case (nil, nil, let handled?):
            refuseParameters(with: "handled")
            if reader.boolean(handled, at: "\(key).handled") == false {
                reader.report("is false", at: "\(key).handled", handled.place, expected: "true")
            }
            mapping = .handled
        case (nil, let destination?, nil):
            mapping = .destination(
                id: reader.text(destination, at: "\(key).destination") ?? "",
                parameters: textMap(members["parameters"], at: "\(key).parameters"),
                parametersFrom: reader.text(members["parametersFrom"], at: "\(key).parametersFrom")
            )
        default:
            guard !reader.hasMisspelt(oneOf: ["url", "destination", "handled"], at: key) else { return nil }
            let message = "must say in one way what it makes of an event"
            reader.report(message, at: key, node.place, expected: "one of 'url', 'destination' and 'handled'")
            return nil
        }
        return AdapterDeclaration(
            name: name ?? "",
            priority: reader.integer(members["priority"], at: "\(key).priority") ?? 0,
            kinds: reader.texts(members["kinds"], at: "\(key).kinds"),
            conditions: fieldConditions(members["when"], at: "\(key).when"),
            mapping: mapping,
            user: reader.text(members["user"], at: "\(key).user")
        )
    }

    private mutating func fieldConditions(_ node: ManifestNode?, at key: String) -> [AdapterDeclaration.FieldCondition]
    {
        elements(node, at: key) { $0.fieldCondition($1, at: $2) }
    }

    private mutating func fieldCondition(_ node: ManifestNode, at key: String) -> AdapterDeclaration.FieldCondition? {
        let members = reader.members(node, at: key, allowed: ["present", "path", "equals", "oneOf", "matches"])
        if members.count == 1, let path = members["present"] {
            return reader.text(path, at: "\(key).present").map { .present(path: $0) }
        }
        guard members.count == 2, members["present"] == nil, let written = members["path"] else {
            guard !reader.hasMisspelt(oneOf: ["present", "path", "equals", "oneOf", "matches"], at: key) else {
                return nil
            }
            reader.report(
                "a condition must be about exactly one field",
                at: key,
                node.place,
                expected: "{ present: PATH } or { path: PATH, equals | oneOf | matches: … }"
            )
            return nil
        }
        guard let path = reader.text(written, at: "\(key).path") else { return nil }
        if let value = members["equals"] {
            return reader.text(value, at: "\(key).equals").map { .equals(path: path, oneOf: [$0]) }
        }
        if let values = members["oneOf"] {
            return .equals(path: path, oneOf: reader.texts(values, at: "\(key).oneOf"))
        }
        return members["matches"].flatMap { reader.text($0, at: "\(key).matches") }.map {
            .matches(path: path, pattern: $0)
        }
    }
}
