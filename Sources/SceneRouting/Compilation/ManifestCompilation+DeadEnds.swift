internal import Basics

/// Finds what is declared and cannot work as it is probably meant: links that iOS would not hand to the app, destinations and screens
/// that lack what they need.
extension ManifestCompilation {
    mutating func findDeadEnds() {
        findFilesThatNameAnotherApp()
        findRoutesThatNoFileCovers()
        findRulesWithoutRoute()
        findAdaptersThatLeaveOutWhatIsRequired()
        findFlowsThatBeginElsewhere()
        findGatedFallback()
        findListsCapturedAsOne()
    }

    // MARK: - Associated domains

    private mutating func findFilesThatNameAnotherApp() {
        guard !manifest.appIDs.isEmpty else { return }
        for domain in associations.domains {
            let named = Set(domain.file.details.flatMap(\.appIDs))
            guard named.isDisjoint(with: manifest.appIDs) else { continue }
            let found = named.isEmpty ? "no app" : "only \(named.sorted().prefix(4).joined(separator: ", "))"
            warning(
                "associatedDomains.\(domain.name)",
                "the association file names \(found), so no link of \(domain.name) opens this app",
                expected: manifest.appIDs.joined(separator: " or ")
            )
        }
    }

    /// Finds routes of the web whose links iOS would open in the browser. One with captures is tried with a value that each takes;
    /// if none is found, it is left alone.
    private mutating func findRoutesThatNoFileCovers() {
        let domains = associations.domains.filter { !$0.name.hasPrefix("*.") }
        for route in routes {
            guard case .web(let scheme, let domain) = route.pattern.origin, scheme == "https" else { continue }
            let hosts = domains.map(\.name).filter { domain == nil || domain == $0 }
            guard !hosts.isEmpty, let path = Self.example(of: route) else { continue }
            let decisions = hosts.map { associations.decide("https://\($0)\(path)") }
            guard !decisions.contains(where: { if case .match = $0 { true } else { false } }) else { continue }
            let exclusion = decisions.lazy.compactMap { decision in
                if case .exclude(let component) = decision { component } else { nil }
            }.first
            warning(
                "routes[\(positions[ObjectIdentifier(route)] ?? 0)].pattern",
                "'\(route.declaration.pattern)' takes links such as \(path), which iOS opens in the browser: "
                    + (exclusion.map { "the association file excludes them with \($0)" }
                        ?? "no rule of the association file covers them"),
                expected: "a rule that covers them in the association file of \(hosts.joined(separator: " or "))"
            )
        }
    }

    /// Finds rules of an association file for links that no route takes. One whose path begins with a wildcard is left alone, and so are a
    /// domain without any route and an app with an adapter that may take a link of the web, because it may take any.
    private mutating func findRulesWithoutRoute() {
        guard !manifest.adapters.contains(where: \.mayTakeLinks) else { return }
        let web = routes.filter { if case .web(scheme: "https", _) = $0.pattern.origin { true } else { false } }
        // More than anybody writes.
        var budget = 200_000
        for domain in associations.domains {
            let own = web.filter { route in
                guard case .web(_, let other?) = route.pattern.origin else { return true }
                return HostName.matches(other, domain.name) || HostName.matches(domain.name, other)
            }
            guard !own.isEmpty else { continue }
            for detail in domain.file.details where !Set(detail.appIDs).isDisjoint(with: manifest.appIDs) {
                for component in detail.components where !component.excludes {
                    guard let (segments, isWhole) = component.literalSegments else { continue }
                    budget -= own.count + 1
                    guard budget > 0 else { return }
                    guard !own.contains(where: { $0.mayTake(pathOf: segments, isWhole: isWhole) }) else { continue }
                    warning(
                        "associatedDomains.\(domain.name)",
                        "the association file hands over the links of \(component.text), and no route of \(domain.name) takes one",
                        expected: "a route for them, or a file without this rule"
                    )
                }
            }
        }
    }

    /// The values that are tried where a route captures something.
    private static let usualValues = [
        "1", "p1", "o1", "a", "A1B2", "ABCD", "a-1", "123456", "00000000-0000-4000-8000-000000000000", "2024-01-01",
    ]

    /// The path of a link that the route takes; `nil` if none is known.
    private static func example(of route: CompiledRoute) -> String? {
        var path = ""
        for segment in route.pattern.segments {
            switch segment {
            case .constant(let text): path += "/" + PercentEncoding.encode(text)
            case .capture(let name):
                let check = route.check(name)
                var values = usualValues
                switch check {
                case .oneOf(let words): values = words
                case .pattern(let pattern): values += [pattern.example].compactMap(\.self)
                case .integer(let minimum, let maximum): values += [minimum, maximum].compactMap { $0.map { "\($0)" } }
                case .string, .uuid, .date, .list: break
                }
                guard let value = values.first(where: { check.canonical($0) != nil }) else { return nil }
                path += "/" + PercentEncoding.encode(value)
            case .anyOne: path += "/a"
            case .mixed, .anyRun: return nil
            }
        }
        // What a query or fragment must be, an association file can require too.
        guard
            route.pattern.query.allSatisfy({
                if case .capture(_, isOptional: true, _) = $0.value { true } else { false }
            }),
            route.pattern.fragment == nil
        else { return nil }
        return path.isEmpty ? "/" : path
    }

    // MARK: - Parameters

    private mutating func findAdaptersThatLeaveOutWhatIsRequired() {
        for adapter in manifest.adapters {
            guard case .destination(let id, let given, parametersFrom: nil) = adapter.mapping,
                let index = destinationIndex[id]
            else { continue }
            for parameter in manifest.destinations[index].parameters
            where parameter.isRequired && parameter.defaultValue == nil && parameter.variantDefaults.isEmpty
                && given[parameter.name] == nil
            {
                warning(
                    "adapters.\(adapter.name)",
                    "gives '\(id)' no '\(parameter.name)', which it requires, so every event ends with an error",
                    expected: "'\(parameter.name)' among its parameters"
                )
            }
        }
    }

    private mutating func findListsCapturedAsOne() {
        for route in routes {
            for segment in route.pattern.segments {
                guard case .capture(let name) = segment, case .list = route.check(name) else { continue }
                warning(
                    "routes[\(positions[ObjectIdentifier(route)] ?? 0)].pattern",
                    "'{\(name)}' in '\(route.declaration.pattern)' is one segment, and '\(name)' is a list: a link gives it one text, of which commas separate the elements",
                    expected: "'{\(name)**}' for the remaining segments, or '{\(name)*}' in the query"
                )
            }
            for item in route.pattern.query {
                guard case .capture(let name, let isOptional, isRepeated: false) = item.value,
                    case .list = route.check(name)
                else { continue }
                let written = "{\(name)\(isOptional ? "?" : "")}"
                warning(
                    "routes[\(positions[ObjectIdentifier(route)] ?? 0)].pattern",
                    "'\(written)' in '\(route.declaration.pattern)' is one query item, and '\(name)' is a list: a link gives it one "
                        + "text, of which commas separate the elements, and one with '\(item.name)' twice is refused",
                    expected: "'{\(name)*}' for an item that may be repeated"
                )
            }
        }
    }

    // MARK: - Flows

    /// Finds a destination that is shown as a flow which begins with another screen.
    private mutating func findFlowsThatBeginElsewhere() {
        let flows = Dictionary(manifest.flows.map { ($0.name, $0) }) { first, _ in first }
        for destination in manifest.destinations {
            guard let name = destination.flow, let flow = flows[name], !flow.startingScreens.contains(destination.id)
            else { continue }
            warning(
                "destinations.\(destination.id).flow",
                "'\(name)' begins with '\(flow.startingScreens.first ?? "")', not with '\(destination.id)'",
                expected: "'\(destination.id)' as its first screen"
            )
        }
    }

    /// Finds screens of a flow with intents that none of those leads to which are shown. A flow without intents is the app's own code.
    /// - Parameter reached: What each flow can get to.
    mutating func findScreensThatNothingShows(_ reached: [FlowReach]) {
        for (flow, shown) in zip(manifest.flows, reached.lazy.map(\.screens)) where !flow.intents.isEmpty {
            let named = Set(
                flow.effects.compactMap { effect in
                    switch effect.unconditional {
                    case .push(let screen, _, _), .replace(let screen, _, _): screen
                    default: nil
                    }
                }
            )
            for (index, screen) in flow.screens.enumerated() where !shown.contains(screen.id) {
                warning(
                    "flows.\(flow.name).screens[\(index)]",
                    named.contains(screen.id)
                        ? "'\(flow.name)' shows '\(screen.id)' only from where it never gets"
                        : "nothing in '\(flow.name)' shows '\(screen.id)'",
                    expected: "'push: \(screen.id)' or 'replace: \(screen.id)' in an effect"
                        + (named.contains(screen.id) ? " that a screen which is shown can report" : "")
                )
            }
        }
    }

    // MARK: - Fallback

    private mutating func findGatedFallback() {
        guard let fallback = manifest.fallback, let index = destinationIndex[fallback.id] else { return }
        let path = manifest.destinations[index].ancestry.compactMap { destinationIndex[$0] } + [index]
        for part in path {
            let destination = manifest.destinations[part]
            guard let need = (destination.preconditions + destination.conditions).first else { continue }
            warning(
                "fallback",
                "'\(fallback.id)' needs '\(need)', so what leads nowhere may not show it",
                expected: "a destination without preconditions and conditions, such as a tab's root"
            )
            return
        }
    }
}

extension AdapterDeclaration {
    /// Whether it may take a link of the web: the activity that carries one, or the page of another activity.
    fileprivate var mayTakeLinks: Bool {
        guard kinds.contains("activity") else { return false }
        return readsPage
            || conditions.allSatisfy { condition in
                switch condition {
                case .equals("activityType", let words): words.contains { $0.hasSameBytes(as: Self.browsingWeb) }
                case .matches("activityType", let pattern):
                    (try? CapturePattern(pattern))?.match(Self.browsingWeb) != nil
                case .equals, .matches, .present: true
                }
            }
    }

    /// Whether it looks at the page of an activity.
    private var readsPage: Bool {
        let page = "webpageURL"
        let templates: [String] =
            switch mapping {
            case .url(let template): [template]
            case .destination(let id, let parameters, _): [id] + parameters.values
            case .handled: []
            }
        return templates.contains { $0.contains("{\(page)}") }
            || conditions.contains { condition in
                switch condition {
                case .present(let path), .equals(let path, _), .matches(let path, _): path == page
                }
            }
    }
}
