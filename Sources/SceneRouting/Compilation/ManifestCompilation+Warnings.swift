/// Finds what can be used but is probably not what was meant.
extension ManifestCompilation {
    mutating func findWarnings() {
        findUnreachableDestinations()
        findAncestryCycles()
        findSequelsThatNeverCome()
        findWhatIsDoneForNobody()
        findPreconditionsOfNothing()
        findUnusedConditions()
        findUnusedFacts()
        findVariantsThatNeedLess()
        findVariantsThatAreNeverChosen()
        findEffectsAfterTheEnd()
        findCirclesOfStarts()
        findFlowsThatNeverEnd()
        findParametersThatAreAbsent()
        findParametersThatNothingGives()
        findRoutesThatNeverMatch()
        findEquallySpecificRoutes()
        findDeadEnds()
        findWhatNeverComes()
        findNotationsThatDiffer()
        findEventsWithoutScene()
    }

    /// Every event must match a scene, says Apple of `UISceneActivationConditions`; one without an identifier matches only what takes
    /// everything.
    private mutating func findEventsWithoutScene() {
        guard !manifest.configurations.contains(where: \.takesEverything) else { return }
        warning(
            "configurations",
            "no window takes an event without a content identifier, such as a push without 'target-content-id', so it is refused "
                + "as NoEligibleScene",
            expected: "a configuration with 'canActivate: true'"
        )
    }

    // MARK: - Destinations

    private mutating func findUnreachableDestinations() {
        // A route with its destination in the URL leads to every destination.
        guard !manifest.routes.contains(where: { $0.destination.hasPrefix("{") }) else { return }
        var reached = Set(manifest.routes.map(\.destination))
        reached.formUnion(manifest.tabs.map(\.root))
        reached.formUnion(manifest.flows.flatMap { $0.screens.map(\.id) })
        if let fallback = manifest.fallback { reached.insert(fallback.id) }
        for effect in manifest.intents.flatMap(\.effects) + manifest.flows.flatMap(\.effects) {
            switch effect.unconditional {
            case .route(let destination, _), .openWindow(let destination, _, _): reached.insert(destination)
            default: break
            }
        }
        for adapter in manifest.adapters {
            guard case .destination(let id, _, _) = adapter.mapping else { continue }
            if id.contains("{") { return }
            reached.insert(id)
        }
        for destination in manifest.destinations where reached.contains(destination.id) {
            reached.formUnion(destination.variants.map(\.destination))
        }
        // The ancestry of a destination is shown with it.
        for destination in manifest.destinations where reached.contains(destination.id) {
            reached.formUnion(destination.ancestry)
        }
        for destination in manifest.destinations where !reached.contains(destination.id) {
            warning(
                "destinations.\(destination.id)",
                "nothing leads to '\(destination.id)'",
                expected: "a route, an intent or an adapter"
            )
        }
    }

    /// Finds facts of the user that are changed after the user has been signed out by the same intent: whoever signs in next gets them.
    private mutating func findWhatIsDoneForNobody() {
        let ofUser = Set(manifest.facts.lazy.filter { $0.scope == .user }.map(\.name))
        func find(_ intents: [IntentDeclaration], at key: String) {
            for intent in intents {
                let isSignOut = { (effect: IntentEffect) in effect == .signOut }
                guard let place = intent.effects.firstIndex(where: isSignOut) else { continue }
                for (index, effect) in intent.effects.enumerated().dropFirst(place + 1) {
                    switch effect.unconditional {
                    case .set(let fact, _), .append(let fact, _), .remove(let fact, _), .add(let fact, _):
                        guard ofUser.contains(fact) else { continue }
                        warning(
                            "\(key).\(intent.name).effects[\(index)]",
                            "'\(fact)' is changed after 'signOut', for whoever signs in next",
                            expected: "a fact with 'scope: app', or nothing: signing out resets those of the user"
                        )
                    default: continue
                    }
                }
            }
        }
        find(manifest.intents, at: "intents")
        for flow in manifest.flows { find(flow.intents, at: "flows.\(flow.name).intents") }
    }

    /// Finds what follows the end of a flow that is never started. One that a gate presents is not started.
    private mutating func findSequelsThatNeverCome() {
        for flow in manifest.flows where !flow.after.isEmpty {
            let started = Set(
                flow.effects.compactMap { if case .start(let child, _, _) = $0.unconditional { child } else { nil } }
            )
            for sequel in flow.after where !started.contains(sequel.flow) {
                warning(
                    "flows.\(flow.name).after.\(sequel.flow)",
                    "'\(flow.name)' never starts '\(sequel.flow)'",
                    expected: "'start: \(sequel.flow)' in an effect"
                )
            }
        }
    }

    // MARK: - Preconditions

    private mutating func findPreconditionsOfNothing() {
        let needed = Set(manifest.destinations.flatMap(\.preconditions))
        for precondition in manifest.preconditions where !needed.contains(precondition.name) {
            warning(
                "preconditions.\(precondition.name)",
                "no destination needs '\(precondition.name)'",
                expected: "'preconditions: [\(precondition.name)]' in a destination"
            )
        }
    }

    /// Finds what a precondition looks at and a destination may lack: what waits then may wait for what no flow can bring about.
    private mutating func findParametersThatAreAbsent() {
        let lookedAt = Dictionary(manifest.preconditions.map { ($0.name, $0.holds.parameters) }) { first, _ in first }
        for destination in manifest.destinations {
            for name in destination.preconditions.prefix(Self.maximumParts) {
                let names = lookedAt[name, default: []]
                for parameter in destination.parameters
                where names.contains(parameter.name) && !parameter.isRequired && parameter.defaultValue == nil
                    && parameter.variantDefaults.isEmpty
                {
                    warning(
                        "destinations.\(destination.id).parameters.\(parameter.name)",
                        "'\(name)' looks at '\(parameter.name)', which may be absent; then nothing is equal to it, and no list contains it",
                        expected: "a required parameter or a default"
                    )
                }
            }
        }
    }

    /// Finds a parameter of a gate's flow's first screen that always has its default, because nothing that waits has one of this
    /// name and no flow starts it with one.
    private mutating func findParametersThatNothingGives() {
        let flows = Dictionary(manifest.preconditions.map { ($0.name, $0.flow) }) { first, _ in first }
        var given: [String: Set<String>] = [:]
        for destination in manifest.destinations {
            let ancestry = destination.ancestry.prefix(Self.maximumParts)
            let path = ancestry.compactMap { destinationIndex[$0].map { manifest.destinations[$0] } } + [destination]
            let names = path.flatMap { $0.parameters.map(\.name) }
            for flow in Set(path.flatMap(\.preconditions).compactMap { flows[$0] }) {
                given[flow, default: []].formUnion(names)
            }
        }
        let gates = Set(given.keys)
        for effect in manifest.flows.flatMap(\.effects) {
            guard case .start(let flow, let sources, _) = effect.unconditional else { continue }
            given[flow, default: []].formUnion(sources.keys)
        }
        for flow in manifest.flows where gates.contains(flow.name) {
            let starts = Set(flow.startingScreens)
            for (index, screen) in flow.screens.enumerated() where starts.contains(screen.id) {
                for parameter in screen.parameters where !given[flow.name, default: []].contains(parameter.name) {
                    let known = given[flow.name, default: []].sorted()
                    warning(
                        "flows.\(flow.name).screens[\(index)].parameters.\(parameter.name)",
                        "nothing that waits for '\(flow.name)' has '\(parameter.name)', so it always has its default",
                        expected: known.isEmpty ? "no parameter" : "one of \(known.joined(separator: ", "))"
                    )
                }
            }
        }
    }

    private mutating func findAncestryCycles() {
        let ancestry = Dictionary(manifest.destinations.map { ($0.id, Set($0.ancestry)) }) { first, _ in first }
        for destination in manifest.destinations {
            for (position, ancestor) in destination.ancestry.enumerated()
            where ancestor != destination.id && ancestry[ancestor]?.contains(destination.id) ?? false {
                warning(
                    "destinations.\(destination.id).ancestry[\(position)]",
                    "'\(ancestor)' and '\(destination.id)' are ancestors of each other",
                    expected: "an ancestry without cycles"
                )
            }
        }
    }

    // MARK: - Routes

    private func key(of route: CompiledRoute) -> String {
        "routes[\(positions[ObjectIdentifier(route)] ?? 0)].pattern"
    }

    private mutating func findRoutesThatNeverMatch() {
        for route in routes {
            let pattern = route.declaration.pattern
            if case .web(_, domain: nil) = route.pattern.origin, manifest.associatedDomains.isEmpty {
                warning(
                    key(of: route),
                    "'\(pattern)' can never match: the app has no associated domain",
                    expected: "an associated domain, or a pattern with one of the app's schemes"
                )
            }
            for (name, check) in route.checks.sorted(by: { $0.key < $1.key }) where check.takesNothing {
                warning(
                    key(of: route),
                    "'\(pattern)' can never match: '\(name)' must be \(check.expectation), and nothing is"
                )
            }
        }
        var earlier: [PatternShape: [CompiledRoute]] = [:]
        var wide = WideRoutes()
        for route in routes {
            let shape = PatternShape(route)
            defer { wide.append(route) }
            if let other = earlier[shape]?.prefix(64).first(where: { $0.takesAll(of: route) }) {
                let isMutual = route.specificity.parts == other.specificity.parts
                warning(
                    key(of: route),
                    isMutual
                        ? "'\(route.declaration.pattern)' and '\(other.declaration.pattern)' of \(other.declaration.destination) "
                            + "are equally specific, so this one can never match"
                        : "'\(route.declaration.pattern)' can never match: '\(other.declaration.pattern)' takes all its URLs",
                    expected: "patterns that differ"
                )
            } else if let other = wide.first(before: route) {
                warning(
                    key(of: route),
                    "'\(route.declaration.pattern)' can never match: '\(other.declaration.pattern)' of \(other.declaration.destination) "
                        + "is more specific and takes all its URLs",
                    expected: "a route that the other leaves something to"
                )
            }
            earlier[shape, default: []].append(route)
        }
    }

    /// Finds routes that differ only in types of the same rank with common values. Between them the text of the type decides,
    /// which nobody intended.
    private mutating func findEquallySpecificRoutes() {
        var groups: [PatternShape: [CompiledRoute]] = [:]
        for route in routes {
            let shape = PatternShape(route, withTypes: false)
            for other in groups[shape, default: []].prefix(64)
            where PatternShape(other) != PatternShape(route) && other.sharesValues(with: route) {
                warning(
                    key(of: route),
                    "'\(route.declaration.pattern)' of \(route.declaration.destination) and "
                        + "'\(other.declaration.pattern)' of \(other.declaration.destination) are equally specific "
                        + "and take some of the same URLs",
                    expected: "types without common values"
                )
            }
            groups[shape, default: []].append(route)
        }
    }
}

/// Routes in the order in which they are tried, of which one may take all that a later one could, though it has another shape: a capture
/// of any text comes before `*`, and what follows does not matter then.
private struct WideRoutes {
    private struct Group: Hashable {
        let origin: RoutePattern.Origin
        let count: Int
        /// The first segment in lower case; `nil` if it is no constant.
        let first: String?
    }

    private var groups: [Group: [CompiledRoute]] = [:]
    /// How many routes may still be looked at: more than a file has that somebody wrote.
    private var budget = 200_000

    private static func first(of route: CompiledRoute) -> String? {
        if case .constant(let text)? = route.pattern.segments.first { text.lowercased() } else { nil }
    }

    private static func group(_ route: CompiledRoute, _ first: String?) -> Group {
        Group(origin: route.pattern.origin, count: route.pattern.segments.count, first: first)
    }

    mutating func append(_ route: CompiledRoute) {
        let isConstant = route.pattern.segments.allSatisfy { if case .constant = $0 { true } else { false } }
        guard !isConstant else { return }
        groups[Self.group(route, Self.first(of: route)), default: []].append(route)
    }

    /// The first of those before `route` that takes all its URLs.
    mutating func first(before route: CompiledRoute) -> CompiledRoute? {
        for first in Set([nil, Self.first(of: route)]) {
            for other in groups[Self.group(route, first)] ?? [] {
                budget -= 1
                guard budget > 0 else { return nil }
                if other.takesPath(of: route), other.takesAll(of: route) { return other }
            }
        }
        return nil
    }
}

/// The same for routes that take URLs of the same shape.
private struct PatternShape: Hashable {
    enum Segment: Hashable {
        case constant(String)
        case part(Specificity.Part)
    }

    let origin: RoutePattern.Origin
    let segments: [Segment]

    init(_ route: CompiledRoute, withTypes: Bool = true) {
        origin = route.pattern.origin
        segments = route.pattern.segments.enumerated().map { index, segment in
            let folds = route.declaration.ignoresCase || index == 0 && route.pattern.isCustomScheme
            if case .constant(let text) = segment { return .constant(folds ? "~" + text.lowercased() : "=" + text) }
            var part = Specificity.part(segment, ignoresCase: folds, checks: route.checks)
            if !withTypes, case .capture = segment { part.text = "" }
            return .part(part)
        }
    }
}

extension CompiledRoute {
    /// Whether it takes every URL that the other takes, provided that their paths fit the same URLs.
    fileprivate func takesAll(of other: CompiledRoute) -> Bool {
        guard
            declaration.markets.isEmpty
                || !other.declaration.markets.isEmpty
                    && Set(declaration.markets).isSuperset(of: other.declaration.markets),
            declaration.locales.isEmpty
                || !other.declaration.locales.isEmpty
                    && Set(declaration.locales).isSuperset(of: other.declaration.locales),
            declaration.resolvesElsewhere || !other.declaration.resolvesElsewhere || !hasVariants
        else { return false }
        switch (pattern.fragment, other.pattern.fragment) {
        case (nil, _): break
        case (let mine?, let theirs?) where mine == theirs: break
        default: return false
        }
        return pattern.query.allSatisfy { item in
            if case .capture(_, isOptional: true, _) = item.value { return true }
            return other.pattern.query.contains { $0.name == item.name && $0.value == item.value }
        }
    }

    /// Whether it takes every path that the other takes, segment by segment.
    fileprivate func takesPath(of other: CompiledRoute) -> Bool {
        pattern.segments.indices.allSatisfy { index in
            func folds(_ route: CompiledRoute) -> Bool {
                route.declaration.ignoresCase || index == 0 && route.pattern.isCustomScheme
            }
            switch (pattern.segments[index], other.pattern.segments[index]) {
            case (.constant(let mine), .constant(let theirs)):
                return folds(self) ? mine.lowercased() == theirs.lowercased() : mine == theirs && !folds(other)
            case (.anyRun(capture: nil), .anyRun): return true
            case (.anyRun(capture: let mine?), .anyRun(capture: let theirs?)): return check(mine) == other.check(theirs)
            case (.anyRun, _), (_, .anyRun): return false
            case (.anyOne, _): return true
            case (.capture(let mine), .capture(let theirs)): return check(mine).takesAll(of: other.check(theirs))
            case (.capture(let mine), .constant(let text)):
                return check(mine) == .string || !folds(other) && check(mine).canonical(text) != nil
            case (.capture(let mine), .anyOne), (.capture(let mine), .mixed): return check(mine) == .string
            case (.mixed, .mixed):
                let parts = [self, other].map {
                    Specificity.part($0.pattern.segments[index], ignoresCase: folds($0), checks: $0.checks)
                }
                return parts[0] == parts[1]
            case (.mixed, _), (.constant, _): return false
            }
        }
    }

    /// Whether each capture has values in common with that of the same segment of the other route, and neither route is set
    /// apart by its query, fragment, market or locale.
    fileprivate func sharesValues(with other: CompiledRoute) -> Bool {
        guard takesAll(of: other) || other.takesAll(of: self) else { return false }
        return zip(pattern.segments, other.pattern.segments).allSatisfy { mine, theirs in
            guard case .capture(let one) = mine, case .capture(let two) = theirs else { return true }
            return check(one).sharesValues(with: other.check(two))
        }
    }
}

extension ParameterCheck {
    /// Whether every value of the other is one of its own, as far as that is easily seen.
    fileprivate func takesAll(of other: ParameterCheck) -> Bool {
        switch (self, other) {
        case (.string, _), (.integer(nil, nil), .integer): true
        case (_, .oneOf(let words)): words.allSatisfy { canonical($0) != nil }
        default: self == other
        }
    }
}
