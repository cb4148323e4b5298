/// Reads a manifest into what the engine works on, and finds everything that is wrong with it on the way.
struct ManifestCompilation {
    let manifest: AppManifest
    private(set) var destinations: [CompiledDestination] = []
    private(set) var destinationIndex: [String: Int] = [:]
    private(set) var routes: [CompiledRoute] = []
    private(set) var associations = AssociationSet(appIDs: [], domains: [])
    var problems: [ManifestProblem] = []

    init(_ manifest: AppManifest) {
        self.manifest = manifest
        compileDestinations()
        compilePaths()
        compileRoutes()
        compileAssociations()
        checkReferences()
    }

    mutating func error(_ key: String, _ message: String, expected: String? = nil, suggestion: String? = nil) {
        problems.append(ManifestProblem(key: key, message: message, expected: expected, suggestion: suggestion))
    }

    mutating func warning(_ key: String, _ message: String, expected: String? = nil) {
        problems.append(ManifestProblem(severity: .warning, key: key, message: message, expected: expected))
    }

    /// Reports a name that does not exist; returns whether it does.
    @discardableResult
    mutating func check(_ name: String, isOneOf names: [String], _ what: String, at key: String) -> Bool {
        guard !names.contains(name) else { return true }
        error(
            key,
            "there is no \(what) '\(name)'",
            expected: names.isEmpty ? nil : "one of \(names.prefix(20).joined(separator: ", "))",
            suggestion: Spelling.nearest(to: name, among: names)
        )
        return false
    }

    // MARK: - Destinations

    private mutating func compileDestinations() {
        for declaration in manifest.destinations {
            let key = "destinations.\(declaration.id)"
            if destinationIndex[declaration.id] != nil { error(key, "the destination is declared twice") }
            destinationIndex[declaration.id] = destinations.count
            let parameters = compile(declaration.parameters, at: key)
            destinations.append(CompiledDestination(declaration: declaration, parameters: parameters))
        }
    }

    /// Compiles parameter types; a parameter whose type is wrong is reported and left as any text.
    mutating func compile(_ parameters: [ParameterDeclaration], at key: String) -> [CompiledDestination.Parameter] {
        var names: Set<String> = []
        return parameters.map { parameter in
            let key = "\(key).parameters.\(parameter.name)"
            if !names.insert(parameter.name).inserted { error(key, "the parameter is declared twice") }
            let check = compile(parameter.type, at: key)
            var declaration = parameter
            if let value = parameter.defaultValue {
                if let canonical = check.canonical(value.normalizedNFC) {
                    declaration.defaultValue = canonical
                } else {
                    error("\(key).default", "'\(value)' is not allowed", expected: check.expectation)
                }
            }
            return CompiledDestination.Parameter(declaration: declaration, check: check)
        }
    }

    private mutating func compile(_ type: ParameterType, at key: String) -> ParameterCheck {
        switch type {
        case .integer(let minimum?, let maximum?) where minimum > maximum:
            error(key, "the minimum \(minimum) is above the maximum \(maximum)")
        case .oneOf(let words) where words.isEmpty || words.contains(""):
            error("\(key).oneOf", "the words must not be empty", expected: "a list of words")
        case .list(of: .list):
            error(key, "a list of lists cannot stand in a URL", expected: "a list of single values")
        default: break
        }
        do {
            return try ParameterCheck(type)
        } catch {
            self.error(
                "\(key).pattern",
                error.description,
                expected: "a pattern of literals, classes, groups, alternatives and quantifiers"
            )
            return .string
        }
    }

    private mutating func compilePaths() {
        let ids = manifest.destinations.map(\.id)
        for index in destinations.indices {
            let declaration = destinations[index].declaration
            let key = "destinations.\(declaration.id)"
            var path: [Int] = []
            for (position, ancestor) in declaration.ancestry.enumerated() {
                guard check(ancestor, isOneOf: ids, "destination", at: "\(key).ancestry[\(position)]") else { continue }
                guard ancestor != declaration.id, let known = destinationIndex[ancestor], !path.contains(known) else {
                    error("\(key).ancestry[\(position)]", "'\(ancestor)' stands in its own ancestry")
                    continue
                }
                path.append(known)
            }
            path.append(index)
            destinations[index].path = path
            compileTab(index, path, key)
            compilePolicy(index, path, key)
            checkAncestors(index, path, key)
        }
    }

    private mutating func compileTab(_ index: Int, _ path: [Int], _ key: String) {
        let declaration = destinations[index].declaration
        guard let root = path.first else { return }
        if case .tab(let tab) = destinations[root].declaration.presentation {
            destinations[index].tab = tab
            check(
                tab,
                isOneOf: manifest.tabs.map(\.id),
                "tab",
                at: "destinations.\(destinations[root].declaration.id).tab"
            )
        } else {
            error(
                path.count > 1 ? "\(key).ancestry[0]" : "\(key).ancestry",
                "'\(destinations[root].declaration.id)' is not the root of a tab",
                expected:
                    "an ancestry that begins with the root of a tab, such as '\(manifest.tabs.first?.root ?? "home")'"
            )
        }
        if case .tab = declaration.presentation, path.count > 1 {
            error("\(key).ancestry", "the root of a tab has nothing below it", expected: "no ancestry")
        }
        for middle in path.dropFirst() where middle != index {
            guard case .tab = destinations[middle].declaration.presentation else { continue }
            error(
                "\(key).ancestry",
                "'\(destinations[middle].declaration.id)' is the root of a tab; it can only come first"
            )
        }
    }

    private mutating func compilePolicy(_ index: Int, _ path: [Int], _ key: String) {
        let preconditionNames = manifest.preconditions.map(\.name)
        let conditionNames = manifest.conditions.map(\.name)
        let own = destinations[index].declaration
        for (position, name) in own.preconditions.enumerated() {
            check(name, isOneOf: preconditionNames, "precondition", at: "\(key).preconditions[\(position)]")
        }
        for (position, name) in own.conditions.enumerated() {
            check(name, isOneOf: conditionNames, "condition", at: "\(key).conditions[\(position)]")
        }
        for step in path {
            let declaration = destinations[step].declaration
            for name in declaration.preconditions {
                guard let known = preconditionNames.firstIndex(of: name),
                    !destinations[index].preconditions.contains(known)
                else { continue }
                destinations[index].preconditions.append(known)
            }
            for name in declaration.conditions {
                guard let known = conditionNames.firstIndex(of: name) else { continue }
                destinations[index].conditions.append((step, known))
            }
        }
    }

    /// An ancestor takes its parameters from the destination's parameters of the same names and types.
    private mutating func checkAncestors(_ index: Int, _ path: [Int], _ key: String) {
        for step in path where step != index {
            for parameter in destinations[step].parameters {
                let name = parameter.declaration.name
                if let own = destinations[index].parameter(name) {
                    if own.check != parameter.check {
                        error(
                            "\(key).parameters.\(name)",
                            "the ancestor '\(destinations[step].declaration.id)' has a parameter of this name and another type",
                            expected: parameter.check.expectation
                        )
                    }
                    if !own.declaration.isRequired, own.declaration.defaultValue == nil,
                        parameter.declaration.isRequired
                    {
                        error(
                            "\(key).parameters.\(name)",
                            "the ancestor '\(destinations[step].declaration.id)' requires it",
                            expected: "a required parameter"
                        )
                    }
                } else if parameter.declaration.isRequired, parameter.declaration.defaultValue == nil {
                    error(
                        "\(key).parameters",
                        "the ancestor '\(destinations[step].declaration.id)' requires the parameter '\(name)'",
                        expected: "a parameter '\(name)' here too"
                    )
                }
            }
        }
    }

    // MARK: - Routes

    private mutating func compileRoutes() {
        for (position, declaration) in manifest.routes.enumerated() {
            let key = "routes[\(position)]"
            do {
                let pattern = try RoutePattern(declaration.pattern)
                if let route = compile(declaration, pattern, at: key) { routes.append(route) }
            } catch {
                self.error("\(key).pattern", "'\(declaration.pattern)': \(error.reason)")
            }
        }
    }

    private mutating func compile(
        _ declaration: RouteDeclaration,
        _ pattern: RoutePattern,
        at key: String
    ) -> CompiledRoute? {
        switch pattern.origin {
        case .scheme(let scheme):
            guard check(scheme, isOneOf: manifest.schemes.map { $0.lowercased() }, "scheme", at: "\(key).pattern")
            else {
                return nil
            }
        case .web(_, domain: let domain?):
            let domains = manifest.associatedDomains.map(\.domain)
            if !domains.contains(where: { $0 == domain || HostName.matches(domain, $0) }) {
                warning("\(key).pattern", "'\(domain)' is no associated domain, so no universal link leads here")
            }
        case .web: break
        }
        for (position, market) in declaration.markets.enumerated() {
            check(market, isOneOf: manifest.markets, "market", at: "\(key).markets[\(position)]")
        }
        for (position, locale) in declaration.locales.enumerated() {
            check(locale, isOneOf: manifest.locales, "locale", at: "\(key).locales[\(position)]")
        }
        if declaration.destination.hasPrefix("{"), declaration.destination.hasSuffix("}") {
            let capture = String(declaration.destination.dropFirst().dropLast())
            guard check(capture, isOneOf: pattern.captures, "capture", at: "\(key).destination") else { return nil }
            return CompiledRoute(
                declaration: declaration,
                pattern: pattern,
                origin: pattern.origin,
                destination: nil,
                destinationCapture: capture,
                checks: [:],
                specificity: Specificity(declaration, pattern: pattern, checks: [:])
            )
        }
        let ids = manifest.destinations.map(\.id)
        guard check(declaration.destination, isOneOf: ids, "destination", at: "\(key).destination"),
            let index = destinationIndex[declaration.destination]
        else { return nil }
        let checks = compileCaptures(declaration, pattern, index, at: key)
        return CompiledRoute(
            declaration: declaration,
            pattern: pattern,
            origin: pattern.origin,
            destination: index,
            destinationCapture: nil,
            checks: checks,
            specificity: Specificity(declaration, pattern: pattern, checks: checks)
        )
    }

    private mutating func compileCaptures(
        _ declaration: RouteDeclaration,
        _ pattern: RoutePattern,
        _ index: Int,
        at key: String
    ) -> [String: ParameterCheck] {
        let destination = destinations[index]
        let names = destination.parameters.map(\.declaration.name)
        var checks: [String: ParameterCheck] = [:]
        for capture in pattern.captures {
            guard check(capture, isOneOf: names, "parameter of \(destination.declaration.id)", at: "\(key).pattern")
            else {
                continue
            }
            checks[capture] = destination.parameter(capture)?.check
        }
        for (name, value) in declaration.parameters.sorted(by: { $0.key < $1.key }) {
            let key = "\(key).parameters.\(name)"
            guard check(name, isOneOf: names, "parameter of \(destination.declaration.id)", at: key) else { continue }
            if let check = destination.parameter(name)?.check, check.canonical(value.normalizedNFC) == nil {
                error(key, "'\(value)' is not allowed", expected: check.expectation)
            }
        }
        for parameter in destination.parameters where parameter.declaration.isRequired {
            let name = parameter.declaration.name
            guard parameter.declaration.defaultValue == nil, !pattern.captures.contains(name),
                !pattern.takesRemainingItems,
                declaration.parameters[name] == nil
            else { continue }
            error(
                "\(key).pattern",
                "'\(declaration.pattern)' does not say '\(name)', which \(destination.declaration.id) needs",
                expected: "{\(name)} in the pattern or a value under 'parameters'"
            )
        }
        return checks
    }

    private mutating func compileAssociations() {
        var domains: [AssociationSet.Domain] = []
        for declaration in manifest.associatedDomains {
            let key = "associatedDomains.\(declaration.domain)"
            let name = declaration.domain.hasPrefix("*.") ? String(declaration.domain.dropFirst(2)) : declaration.domain
            guard HostName.canonical(name) == name else {
                error(
                    key,
                    "'\(declaration.domain)' is no domain",
                    expected: "a domain in lower case ASCII such as shop.example, or *.shop.example",
                    suggestion: HostName.canonical(name)
                )
                continue
            }
            do {
                domains.append(
                    .init(name: declaration.domain, file: try AssociationFile(parsing: declaration.association))
                )
            } catch {
                self.error(
                    key,
                    "the association file cannot be read: \(error)",
                    expected: "an apple-app-site-association file"
                )
            }
        }
        associations = AssociationSet(appIDs: manifest.appIDs, domains: domains)
    }
}
