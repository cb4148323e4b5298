/// Compiles the routes: their patterns, destinations and captures.
extension ManifestCompilation {
    /// Compiles the routes and sorts them by specificity.
    mutating func compileRoutes() {
        for (position, declaration) in manifest.routes.enumerated() {
            let key = "routes[\(position)]"
            do {
                let pattern = try RoutePattern(declaration.pattern)
                if let route = compile(declaration, pattern, at: key) {
                    routes.append(route)
                    positions[ObjectIdentifier(route)] = position
                }
            } catch {
                self.error("\(key).pattern", "'\(declaration.pattern)': \(error.reason)")
            }
        }
        routesInOrder = routes
        routes.sort { $0.specificity < $1.specificity }
    }

    private mutating func compile(
        _ declaration: RouteDeclaration,
        _ pattern: RoutePattern,
        at key: String
    ) -> CompiledRoute? {
        switch pattern.origin {
        case .scheme(let scheme):
            guard check(scheme, isOneOf: schemeNames, "scheme", at: "\(key).pattern") else { return nil }
        case .web(_, domain: let domain?):
            if !domainNames.contains(domain),
                !HostName.parents(of: domain).contains(where: { domainNames.contains("*.\($0)") })
            {
                warning("\(key).pattern", "'\(domain)' is not an associated domain, so no universal link leads here")
            }
        case .web: break
        }
        for (position, market) in declaration.markets.enumerated() {
            check(market, isOneOf: marketNames, "market", at: "\(key).markets[\(position)]")
        }
        for (position, locale) in declaration.locales.enumerated() {
            check(locale, isOneOf: localeNames, "locale", at: "\(key).locales[\(position)]")
        }
        if declaration.destination.hasPrefix("{"), declaration.destination.hasSuffix("}") {
            let capture = String(declaration.destination.dropFirst().dropLast())
            guard check(capture, isOneOf: pattern.captures, "capture", at: "\(key).destination") else { return nil }
            return CompiledRoute(
                declaration: declaration,
                pattern: pattern,
                destination: nil,
                destinationCapture: capture,
                checks: [:]
            )
        }
        guard check(declaration.destination, isOneOf: destinationNames, "destination", at: "\(key).destination"),
            let index = destinationIndex[declaration.destination], let destination = compiled[index]
        else { return nil }
        return CompiledRoute(
            declaration: declaration,
            pattern: pattern,
            destination: destination,
            destinationCapture: nil,
            checks: compileCaptures(declaration, pattern, destination, at: key)
        )
    }

    private mutating func compileCaptures(
        _ declaration: RouteDeclaration,
        _ pattern: RoutePattern,
        _ destination: CompiledDestination,
        at key: String
    ) -> [String: ParameterCheck] {
        let names = destination.parameters.map(\.declaration.name)
        var checks: [String: ParameterCheck] = [:]
        for capture in pattern.captures {
            guard check(capture, isOneOf: names, "parameter of \(destination.declaration.id)", at: "\(key).pattern")
            else { continue }
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
                "'\(declaration.pattern)' gives no value for '\(name)', which \(destination.declaration.id) needs",
                expected: "{\(name)} in the pattern, or a value under 'parameters'"
            )
        }
        return checks
    }
}
