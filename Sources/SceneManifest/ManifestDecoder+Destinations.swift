internal import SceneRouting

extension ManifestDecoder {
    mutating func destinations(_ node: ManifestNode?, _ types: FactTypes) -> [DestinationDeclaration] {
        var destinations: [DestinationDeclaration] = []
        for member in reader.named(node, at: "destinations") {
            destinations.append(destination(member.key, member.value, types))
        }
        return destinations
    }

    private mutating func destination(
        _ id: String,
        _ node: ManifestNode,
        _ types: FactTypes
    ) -> DestinationDeclaration {
        let key = "destinations.\(id)"
        let members = reader.members(
            node,
            at: key,
            allowed: [
                "tab", "ancestry", "presentation", "flow", "repeats", "parameters", "preconditions", "conditions",
                "variants", "routes",
            ]
        )
        var destination = DestinationDeclaration(id: id)
        destination.parameters = parameters(members["parameters"], at: "\(key).parameters")
        if let node = members["ancestry"], case .scalar = node.value, !node.isNull {
            reader.note("\(key).ancestry", node.place)
            // What is misspelt is probably meant, and then nothing else is wrong with it.
            destination.isOverCurrent = true
            if reader.text(node, at: "\(key).ancestry") != "current" {
                reader.report(
                    "is neither a list nor 'current'",
                    at: "\(key).ancestry",
                    node.place,
                    expected: "a list of destinations, or 'current' for what is presented over whatever is shown"
                )
            }
        } else {
            destination.ancestry = reader.texts(members["ancestry"], at: "\(key).ancestry")
        }
        destination.flow = reader.text(members["flow"], at: "\(key).flow")
        destination.repeats = reader.boolean(members["repeats"], at: "\(key).repeats") ?? false
        destination.preconditions = reader.texts(members["preconditions"], at: "\(key).preconditions")
        destination.conditions = reader.texts(members["conditions"], at: "\(key).conditions")
        destination.variants = variants(members["variants"], at: "\(key).variants", types)
        if let tab = reader.text(members["tab"], at: "\(key).tab") {
            destination.presentation = .tab(tab)
            if let presentation = members["presentation"] {
                reader.report(
                    "the root of a tab cannot have a presentation",
                    at: "\(key).presentation",
                    presentation.place,
                    expected: "either 'tab' or 'presentation'"
                )
            }
        } else if let node = members["presentation"], let text = reader.text(node, at: "\(key).presentation") {
            if let style = ModalStyle(rawValue: text) {
                destination.presentation = .modal(style)
            } else if text != "push" {
                let all = ["push"] + ModalStyle.allCases.map(\.rawValue)
                reader.report(
                    "'\(text)' is not a presentation",
                    at: "\(key).presentation",
                    node.place,
                    expected: "one of \(all.joined(separator: ", "))",
                    suggestion: Spelling.nearest(to: text, among: all)
                )
            }
        }
        for (index, route) in reader.list(members["routes"], at: "\(key).routes").enumerated() {
            addRoute(route, at: "\(key).routes[\(index)]", destination: id)
        }
        return destination
    }

    private mutating func variants(_ node: ManifestNode?, at key: String, _ types: FactTypes) -> [VariantDeclaration] {
        elements(node, at: key) { decoder, element, key in
            let members = decoder.reader.members(element, at: key, allowed: ["when", "destination"])
            let text = decoder.reader.text(members["destination"], at: "\(key).destination")
            let destination = decoder.required(text, "destination", key, element)
            let when = decoder.required(members["when"], "when", key, element)
            guard let destination, let when else { return nil }
            return VariantDeclaration(when: decoder.predicate(when, at: "\(key).when", types), destination: destination)
        }
    }

    /// Adds a route, which is a pattern or a mapping.
    /// - Parameter destination: the destination that the route is declared with; `nil` if the route names one itself.
    mutating func addRoute(_ node: ManifestNode, at key: String, destination: String?) {
        var route = RouteDeclaration(destination: destination ?? "", pattern: "")
        if case .scalar = node.value {
            guard let pattern = reader.text(node, at: key) else { return }
            guard destination != nil else {
                reader.report(
                    "the route has no destination",
                    at: key,
                    node.place,
                    expected: "a mapping with 'pattern' and 'destination'"
                )
                return
            }
            route.pattern = pattern
        } else {
            var allowed = [
                "pattern", "parameters", "markets", "locales", "resolvesElsewhere", "ignoresCase", "printed",
            ]
            if destination == nil { allowed.append("destination") }
            let members = reader.members(node, at: key, allowed: allowed)
            guard let pattern = required(reader.text(members["pattern"], at: "\(key).pattern"), "pattern", key, node)
            else { return }
            route.pattern = pattern
            if destination == nil {
                let text = reader.text(members["destination"], at: "\(key).destination")
                guard let text = required(text, "destination", key, node) else { return }
                route.destination = text
            }
            route.parameters = textMap(members["parameters"], at: "\(key).parameters")
            route.markets = reader.texts(members["markets"], at: "\(key).markets")
            route.locales = reader.texts(members["locales"], at: "\(key).locales")
            route.resolvesElsewhere =
                reader.boolean(members["resolvesElsewhere"], at: "\(key).resolvesElsewhere") ?? false
            route.ignoresCase = reader.boolean(members["ignoresCase"], at: "\(key).ignoresCase") ?? false
            route.isPrinted = reader.boolean(members["printed"], at: "\(key).printed") ?? true
        }
        reader.name("routes[\(routes.count)]", as: key)
        routes.append(route)
    }

    mutating func parameters(_ node: ManifestNode?, at key: String) -> [ParameterDeclaration] {
        var parameters: [ParameterDeclaration] = []
        for member in reader.named(node, at: key) {
            parameters.append(parameter(member.key, member.value, at: "\(key).\(member.key)"))
        }
        return parameters
    }

    private mutating func parameter(_ name: String, _ node: ManifestNode, at key: String) -> ParameterDeclaration {
        var parameter = ParameterDeclaration(name: name, type: .string)
        if case .scalar = node.value {
            parameter.type = type(node, at: key)
            return parameter
        }
        let members = reader.members(
            node,
            at: key,
            allowed: [
                "type", "pattern", "oneOf", "minimum", "maximum", "list", "optional", "default", "defaults", "secret",
            ]
        )
        if let pattern = members["pattern"] {
            parameter.type = .pattern(reader.text(pattern, at: "\(key).pattern") ?? "")
        } else if let words = members["oneOf"] {
            parameter.type = .oneOf(reader.texts(words, at: "\(key).oneOf"))
        } else if let type = members["type"] {
            parameter.type = self.type(type, at: "\(key).type")
        }
        if members.keys.filter({ ["pattern", "oneOf", "type"].contains($0) }).count > 1 {
            reader.report("has more than one type", at: key, node.place, expected: "one of 'type', 'pattern', 'oneOf'")
        }
        let minimum = reader.integer(members["minimum"], at: "\(key).minimum")
        let maximum = reader.integer(members["maximum"], at: "\(key).maximum")
        if case .integer = parameter.type {
            parameter.type = .integer(minimum: minimum, maximum: maximum)
        } else if minimum != nil || maximum != nil {
            reader.report("only integers can have bounds", at: key, node.place, expected: "'type: integer'")
        }
        if reader.boolean(members["list"], at: "\(key).list") ?? false { parameter.type = .list(of: parameter.type) }
        parameter.defaultValue = members["default"].flatMap { reader.text($0, at: "\(key).default") }
        let isOptional = reader.boolean(members["optional"], at: "\(key).optional") ?? false
        parameter.variantDefaults = textMap(members["defaults"], at: "\(key).defaults")
        parameter.isSecret = reader.boolean(members["secret"], at: "\(key).secret") ?? false
        parameter.isRequired = !isOptional && parameter.defaultValue == nil && parameter.variantDefaults.isEmpty
        return parameter
    }

    private mutating func type(_ node: ManifestNode, at key: String) -> ParameterType {
        let all = ["string", "integer", "uuid", "date"]
        guard let text = reader.text(node, at: key) else { return .string }
        switch text {
        case "string": return .string
        case "integer": return .integer(minimum: nil, maximum: nil)
        case "uuid": return .uuid
        case "date": return .date
        default:
            reader.report(
                "'\(text)' is not a type",
                at: key,
                node.place,
                expected: "one of \(all.joined(separator: ", ")), or 'pattern' or 'oneOf'",
                suggestion: Spelling.nearest(to: text, among: all)
            )
            return .string
        }
    }
}
