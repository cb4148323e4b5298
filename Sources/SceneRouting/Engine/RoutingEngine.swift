internal import Basics

/// Turns untrusted input, a URL or a typed request, into typed decisions.
///
/// It is pure: its answers depend only on the manifest, the input and the context. It is a class so that passing it on
/// costs one reference.
public final class RoutingEngine: Sendable {
    /// The manifest it was made of.
    public let manifest: AppManifest
    let destinations: [CompiledDestination]
    let destinationIndex: [String: Int]
    /// From the most specific to the least.
    let routes: [CompiledRoute]
    /// In the order of the manifest, which decides the URL that is printed of several.
    let routesInOrder: [CompiledRoute]
    let table: RouteTable
    let leaves: LeafTable
    let decisions: DecisionTable
    let names: RouteNames
    private let ids: [String]
    /// Whether any route resolves outside its own markets and locales.
    let hasRoutesElsewhere: Bool
    let domains: Set<String>
    let policy: PolicyTable
    let associations: AssociationSet
    let intents: IntentTable
    /// The parameters of the screens that only flows use, by flow and screen; none of a screen without.
    let flowScreens: [String: [String: [CompiledDestination.Parameter]]]
    /// For each screen that only flows use, and for which all of these declare parameters: those of each flow.
    let ownScreens: [String: [[CompiledDestination.Parameter]]]
    /// The compiled values of what flows hand over, by flow; none of a flow that declares none.
    let flowResults: [String: [CompiledDestination.Parameter]]
    /// Those of the roots, that of the lock, then those declared. A compiled destination has positions in this list.
    let preconditions: [PreconditionDeclaration]
    /// For each destination the positions of those that have it in their ancestry, ascending.
    private let descendants: [[Int]]
    /// The traits of the destinations, for those who keep them longer than the engine.
    package let traits: DestinationTraits

    /// What makes the placeholders of secrets; `nil` if the manifest has none, or their values are worked with.
    let secretKey: SecretKey?
    /// The conditions that look at somebody: they are judged after the lock and the gates.
    package let personalConditions: Set<String>
    /// The secrets that a member of an event may be the value of, by the member's name.
    let secretMembers: [String: [CompiledDestination.Parameter]]

    /// Compiles a manifest. It never fails for one that was read from a file, because that has been checked.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - secrets: What makes the placeholders that stand in all answers for the values of secrets
    ///     (<doc:/SceneRuntime/Secrets>); `nil` to answer with the values.
    /// - Throws: all errors in the manifest, without warnings.
    public init(manifest: AppManifest, secrets: SecretKey? = nil) throws(ManifestProblems) {
        let compilation = ManifestCompilation(manifest, warns: false, secrets: secrets)
        let errors = compilation.problems.filter { $0.severity == .error }
        guard errors.isEmpty else { throw ManifestProblems(errors) }
        self.manifest = manifest
        secretKey = manifest.hasSecrets ? secrets : nil
        destinations = compilation.destinations
        destinationIndex = compilation.destinationIndex
        routesInOrder = compilation.routesInOrder
        routes = compilation.routes
        table = RouteTable(routes, domains: manifest.associatedDomains.map(\.domain))
        leaves = LeafTable(routes, destinationIndex: destinationIndex)
        decisions = DecisionTable(destinations)
        names = RouteNames(routes.map(\.declaration.pattern))
        ids = destinations.map(\.id)
        hasRoutesElsewhere = manifest.routes.contains { $0.resolvesElsewhere }
        domains = Set(manifest.associatedDomains.map(\.domain))
        policy = PolicyTable(manifest)
        associations = compilation.associations
        intents = IntentTable(compilation.intents)
        flowScreens = compilation.flowScreens
        ownScreens = compilation.ownScreens
        flowResults = compilation.flowResults
        secretMembers = compilation.secretMembers(intents)
        preconditions = manifest.impliedPreconditions + manifest.preconditions
        let personal = compilation.personalConditions
        personalConditions = personal
        var descendants = [[Int]](repeating: [], count: manifest.destinations.count)
        for (position, declaration) in manifest.destinations.enumerated() {
            for ancestor in declaration.ancestry.compactMap({ compilation.destinationIndex[$0] }) {
                descendants[ancestor].append(position)
            }
        }
        self.descendants = descendants
        traits = DestinationTraits(destinations, index: destinationIndex) { [policy] declaration in
            declaration.conditions.filter { !personal.contains($0) }
                + Self.preconditions(of: declaration, manifest, policy)
                + declaration.conditions.filter(personal.contains)
        }
    }

    // MARK: - Decisions

    /// Finds the destination that a URL means, without any policy. Of the context only market and locale matter.
    /// - Throws: any ``RouteError``.
    public func match(url: String, context: RoutingContext) throws(RouteError) -> RouteMatch {
        let found = try lookUp(url, context)
        return RouteMatch(request: request(found), rank: found.rank, names: names)
    }

    /// Checks that a destination exists and allows these parameters. The request has them in canonical form with defaults,
    /// except for defaults that depend on market or locale, which ``resolve(_:context:)`` adds.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``; for an unknown ID the parameter is `destination`.
    public func request(for destination: Destination, source: RouteSource) throws(RouteError) -> RouteRequest {
        let compiled = destinations[try index(of: destination.id)]
        let parameters = try compiled.normalized(destination.parameters)
        return RouteRequest(destination: Destination(id: destination.id, parameters: parameters), source: source)
    }

    /// Decides where a URL leads.
    /// - Throws: any ``RouteError``.
    public func resolve(url: String, context: RoutingContext) throws(RouteError) -> RouteResolution {
        let found = try lookUp(url, context)
        return try decide(found.destination, request(found), context)
    }

    /// Decides where a typed request leads, by the same policy as ``resolve(url:context:)``.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` for a parameter, a condition or an unknown ID, and with
    ///   `otherUser` as its parameter if the request is for another user than the one who is signed in.
    public func resolve(_ request: RouteRequest, context: RoutingContext) throws(RouteError) -> RouteResolution {
        let (index, request) = try checked(request, context)
        return try decide(index, request, context)
    }

    /// The destination, by its position, with its parameters in canonical form and with all defaults.
    func checked(
        _ request: RouteRequest,
        _ context: RoutingContext
    ) throws(RouteError) -> (index: Int, request: RouteRequest) {
        if let user = request.user, let current = context.user, !current.hasSameBytes(as: user) {
            throw .validationFailed(parameter: RouteRequest.otherUser, reason: "it is for another user")
        }
        let index = try index(of: request.destination.id)
        let compiled = destinations[index]
        let parameters = try compiled.normalized(
            request.destination.parameters,
            place: compiled.hasVariantDefaults ? place(context) : nil
        )
        let destination = Destination(id: ids[index], parameters: parameters)
        return (index, RouteRequest(destination: destination, source: request.source, user: request.user))
    }

    /// The place of a request whatever the session says: what ``resolve(_:context:)`` answers once nothing gates or refuses.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` for a parameter or an unknown ID.
    public func target(of request: RouteRequest) throws(RouteError) -> Target {
        let checked = try self.request(for: request.destination, source: request.source)
        return try compiled(checked.destination.id).target(checked.destination)
    }

    /// Whether the app's associated domains let this URL open it; none lets one of more than 8,192 bytes.
    public func association(for url: String) -> AssociationDecision { associations.decide(url) }

    /// Refuses a URL of more than 8,192 bytes, before anything else looks at it.
    /// - Throws: ``RouteError/malformed(reason:)``.
    package static func checkLength(of url: String) throws(RouteError) { try RoutingURL.checkLength(of: url) }

    /// The destinations to which a link shows this one: itself, and those that have it in their ancestry, in the manifest's order.
    package func destinations(showing id: String) -> some Sequence<DestinationDeclaration> {
        let own = destinationIndex[id]
        return [own.map { [$0] } ?? [], own.map { descendants[$0] } ?? []].lazy.joined()
            .map { [destinations] in destinations[$0].declaration }
    }

    // MARK: - Steps

    /// The definition of ``match(url:context:)``: tries every route in order, those of the context's market and locale
    /// first. Tests compare the two; explanations show the steps of this one.
    package func matchByDefinition(url: String, context: RoutingContext) throws(RouteError) -> RouteMatch {
        let parsed = try RoutingURL(url)
        var invalid: RouteError?
        for route in candidates(context) {
            do {
                guard let found = try attempt(route, parsed, context) else { continue }
                let rank = routes.firstIndex { $0 === route } ?? 0
                return RouteMatch(request: request(found), rank: rank, names: names)
            } catch {
                invalid = invalid ?? error
            }
        }
        throw invalid ?? .unknownRoute(url: concealed(url: url))
    }

    /// The routes that exist in the context's market and locale, then those that resolve elsewhere.
    func candidates(_ context: RoutingContext) -> [CompiledRoute] {
        let market = policy.text("market", context)
        let locale = policy.text("locale", context)
        let here = routes.filter { $0.declaration.exists(market: market, locale: locale) }
        let elsewhere = routes.filter {
            $0.declaration.resolvesElsewhere && !$0.declaration.exists(market: market, locale: locale)
        }
        return here + elsewhere
    }

    /// Tries one route on a URL; `nil` if the URL has another shape.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` if only a value is wrong.
    func attempt(
        _ route: CompiledRoute,
        _ url: RoutingURL,
        _ context: RoutingContext
    ) throws(RouteError) -> FoundRoute? {
        switch RouteMatcher(route: route).attempt(url, domains: domains) {
        case .mismatch: return nil
        case .invalid(let parameter, let reason): throw .validationFailed(parameter: parameter, reason: reason)
        case .match(let captures): return try match(route, captures, url, context)
        }
    }

    private func match(
        _ route: CompiledRoute,
        _ captures: [String: String],
        _ url: RoutingURL,
        _ context: RoutingContext
    ) throws(RouteError) -> FoundRoute {
        var values = route.declaration.parameters
        values.merge(captures) { $1 }
        let destination: CompiledDestination
        if let fixed = route.destination {
            destination = fixed
        } else {
            let capture = route.destinationCapture ?? ""
            let id = values.removeValue(forKey: capture) ?? ""
            guard let index = destinationIndex[id] else {
                throw .validationFailed(
                    parameter: capture,
                    reason: "there is no destination '\(id.echoed)'" + Spelling.hint(for: id, among: ids)
                )
            }
            destination = destinations[index]
            values = values.filter { destination.parameter($0.key) != nil }
        }
        if route.pattern.takesRemainingItems {
            for item in url.query where !route.pattern.query.contains(where: { $0.name == item.name }) {
                guard let parameter = destination.parameter(item.name) else { continue }
                if case .list = parameter.check {
                    let one = ParameterCheck.list([item.value])
                    values[item.name] = values[item.name].map { "\($0),\(one)" } ?? one
                    continue
                }
                guard values[item.name] == nil else {
                    throw .validationFailed(parameter: item.name, reason: "appears more than once; it is allowed once")
                }
                values[item.name] = item.value
            }
        }
        let parameters = try destination.normalized(values, place: place(context))
        // The caller knows the rank of the route.
        return FoundRoute(rank: .max, destination: try index(of: destination.id), parameters: parameters)
    }

    func place(_ context: RoutingContext) -> (market: String?, locale: String?) {
        (policy.text("market", context), policy.text("locale", context))
    }

    private func request(_ found: FoundRoute) -> RouteRequest {
        RouteRequest(
            destination: Destination(id: ids[found.destination], parameters: found.parameters),
            source: .external
        )
    }

    /// Applies the policy to a request whose parameters are canonical.
    private func decide(
        _ index: Int,
        _ request: RouteRequest,
        _ context: RoutingContext
    ) throws(RouteError) -> RouteResolution {
        if let gated = try gate(index, request.destination, request, context) { return gated }
        guard let variant = chosenVariant(of: index, context) else {
            return .proceed(target(index, request.destination))
        }
        let shown = try self.variant(variant, from: request.destination, context)
        return try gate(variant, shown, request, context) ?? .proceed(target(variant, shown))
    }

    /// The first precondition in front of a destination that does not hold, as the answer to a request; `nil` if everything holds.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` for a condition that does not hold.
    func gate(
        _ index: Int,
        _ destination: Destination,
        _ request: RouteRequest,
        _ context: RoutingContext
    ) throws(RouteError) -> RouteResolution? {
        guard let (need, parameters) = obstacle(index, destination, context) else { return nil }
        switch need {
        case .precondition(let precondition, _):
            let declaration = preconditions[precondition]
            return .gated(
                precondition: declaration.name,
                parameters: declaration.holds.lookedAt(in: parameters),
                resume: request
            )
        case .condition(let condition, _):
            let declaration = manifest.conditions[condition]
            throw .validationFailed(parameter: declaration.name, reason: declaration.reason)
        }
    }

    /// The first thing that a destination needs and that does not hold, with the parameters that it may look at; `nil` if all holds.
    func obstacle(
        _ index: Int,
        _ destination: Destination,
        _ context: RoutingContext
    ) -> (need: CompiledDestination.Need, parameters: [String: String])? {
        for need in decisions.needs(of: index) {
            let parameters = destinations[index].parameters(destination.parameters, of: need.owner)
            let holds =
                switch need {
                case .precondition(let precondition, _): policy.preconditionHolds(precondition, context, parameters)
                case .condition(let condition, _): policy.conditionHolds(condition, context, parameters)
                }
            if !holds { return (need, parameters) }
        }
        return nil
    }

    private func target(_ index: Int, _ destination: Destination) -> Target {
        let placement = decisions.placement(of: index)
        if let ancestry = placement.ancestry {
            return .placed(tab: placement.tab, path: ancestry + CollectionOfOne(destination))
        }
        return destinations[index].target(destination)
    }

    func index(of id: String) throws(RouteError) -> Int {
        if let index = destinationIndex[id] { return index }
        throw .validationFailed(
            parameter: "destination",
            reason: "there is no destination '\(id.echoed)'" + Spelling.hint(for: id, among: ids)
        )
    }

    func compiled(_ id: String) throws(RouteError) -> CompiledDestination { destinations[try index(of: id)] }
}
