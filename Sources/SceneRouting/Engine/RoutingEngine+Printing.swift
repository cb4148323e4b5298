extension RoutingEngine {
    /// The URLs of a destination in the context's market and locale, in the order of the manifest: for each scheme and
    /// domain that of the first printed route that can express the parameters. Each resolves to the destination again.
    public func urls(for destination: Destination, context: RoutingContext) -> [String] {
        guard let index = destinationIndex[destination.id],
            let parameters = try? destinations[index].normalized(destination.parameters, place: place(context))
        else { return [] }
        let request = RouteRequest(
            destination: Destination(id: destination.id, parameters: parameters),
            source: .external
        )
        var printer = RoutePrinter(manifest: manifest, destination: request.destination)
        let market = policy.text("market", context)
        let locale = policy.text("locale", context)
        for route in routesInOrder where route.declaration.isPrinted {
            guard route.declaration.exists(market: market, locale: locale) else { continue }
            for (origin, url) in printer.urls(of: route) where !printer.has(origin) {
                guard let match = try? match(url: url, context: context), match.request == request else { continue }
                printer.add(url, origin: origin)
            }
        }
        return printer.result
    }
}

/// Collects the URLs of a destination, one for each scheme and domain.
struct RoutePrinter {
    let manifest: AppManifest
    let destination: Destination
    private var origins: Set<String> = []
    private(set) var result: [String] = []

    init(manifest: AppManifest, destination: Destination) {
        self.manifest = manifest
        self.destination = destination
    }

    func has(_ origin: String) -> Bool { origins.contains(origin) }

    mutating func add(_ url: String, origin: String) {
        origins.insert(origin)
        result.append(url)
    }

    /// The route's URLs, one for each scheme or domain; none if it leads elsewhere or cannot express the parameters.
    func urls(of route: CompiledRoute) -> [(origin: String, url: String)] {
        guard route.declaration.destination == destination.id, let rest = rest(of: route) else { return [] }
        switch route.pattern.origin {
        // An empty first segment cannot be a host: an empty host is none.
        case .scheme(let scheme): return [(scheme, "\(scheme):\(rest.hasPrefix("/") ? "///" : "//")\(rest)")]
        case .web(let scheme, let domain?):
            return domain.hasPrefix("*.") ? [] : [(domain, "\(scheme)://\(domain)/\(rest)")]
        case .web(let scheme, nil):
            return manifest.associatedDomains.filter { !$0.domain.hasPrefix("*.") }.map {
                ($0.domain, "\(scheme)://\($0.domain)/\(rest)")
            }
        }
    }

    private func rest(of route: CompiledRoute) -> String? {
        let pattern = route.pattern
        var said = Set(pattern.captures)
        for (name, value) in route.declaration.parameters where !said.contains(name) {
            guard destination.parameters[name] == value else { return nil }
            said.insert(name)
        }
        guard let path = path(pattern), var items = items(pattern) else { return nil }
        let left = destination.parameters.keys.filter { !said.contains($0) }.sorted()
        if pattern.takesRemainingItems {
            for name in left {
                items.append(
                    "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(destination.parameters[name] ?? ""))"
                )
            }
        }
        var text = path
        if !items.isEmpty { text += "?" + items.joined(separator: "&") }
        switch pattern.fragment {
        case nil: break
        case .constant(let constant): text += "#" + PercentEncoding.encode(constant)
        case .capture(let name):
            guard let value = destination.parameters[name] else { return nil }
            text += "#" + PercentEncoding.encode(value)
        }
        return text
    }

    private func path(_ pattern: RoutePattern) -> String? {
        var segments: [String] = []
        for segment in pattern.segments {
            switch segment {
            case .constant(let constant): segments.append(PercentEncoding.encode(constant))
            case .capture(let name):
                guard let value = destination.parameters[name] else { return nil }
                segments.append(PercentEncoding.encode(value))
            case .mixed(let pieces):
                var text = ""
                for piece in pieces {
                    switch piece {
                    case .constant(let constant): text += PercentEncoding.encode(constant)
                    case .capture(let name):
                        guard let value = destination.parameters[name] else { return nil }
                        text += PercentEncoding.encode(value)
                    }
                }
                segments.append(text)
            case .anyRun(capture: let name?):
                guard let value = destination.parameters[name] else { return nil }
                segments += value.split(separator: "/", omittingEmptySubsequences: false).map {
                    PercentEncoding.encode(String($0))
                }
            // Any text fits.
            case .anyOne: segments.append("-")
            case .anyRun(capture: nil): break
            }
        }
        return segments.joined(separator: "/")
    }

    private func items(_ pattern: RoutePattern) -> [String]? {
        var items: [String] = []
        for item in pattern.query {
            let name = PercentEncoding.encode(item.name)
            switch item.value {
            case .constant(let constant):
                items.append(constant.isEmpty ? name : "\(name)=\(PercentEncoding.encode(constant))")
            case .any: items.append(name)
            case .capture(let capture, let isOptional, let isRepeated):
                guard let value = destination.parameters[capture] else {
                    guard isOptional else { return nil }
                    continue
                }
                let values = isRepeated ? ParameterCheck.elements(value) : [value]
                items += values.map { "\(name)=\(PercentEncoding.encode($0))" }
            }
        }
        return items
    }
}
