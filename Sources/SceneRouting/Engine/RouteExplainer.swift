internal import Basics

/// Resolves a URL step by step and notes every step.
struct RouteExplainer {
    let engine: RoutingEngine
    let url: String
    private let secrets: SentSecrets
    let context: RoutingContext
    private var steps: [RouteExplanation.Step] = []
    private var omitted = 0

    private static let maximumMismatches = 256

    init(engine: RoutingEngine, url: String, context: RoutingContext) {
        self.engine = engine
        self.url = url
        secrets = engine.secrets(inURL: url)
        self.context = context
    }

    mutating func explain() -> RouteExplanation {
        let outcome: RouteExplanation.Outcome
        var route: String?
        do throws(RouteError) {
            let parsed = try read()
            explainAssociation()
            explainRoutes(parsed)
            let match = try engine.match(url: url, context: context)
            route = match.route
            explainParameters(match.request.destination)
            try explainPolicy(match.request.destination)
            outcome = .resolved(try engine.resolve(url: url, context: context))
        } catch {
            outcome = .refused(error)
        }
        let association = engine.association(for: url)
        let concealment = Concealment(secrets)
        return RouteExplanation(
            url: concealment.concealed(url),
            steps: steps.map { $0.concealed(by: concealment) },
            omittedRoutes: omitted,
            association: association,
            route: route,
            outcome: outcome
        )
    }

    private mutating func add(_ kind: RouteExplanation.Step.Kind, _ subject: String, _ passed: Bool, _ reason: String) {
        steps.append(RouteExplanation.Step(kind: kind, subject: subject, passed: passed, reason: reason))
    }

    private mutating func read() throws(RouteError) -> RoutingURL {
        do {
            let parsed = try RoutingURL(url)
            let host = parsed.host.isEmpty ? "" : " at \(parsed.host)"
            let path = parsed.segments.map { "'\($0)'" }.joined(separator: ", ")
            add(.url, url, true, "\(parsed.scheme)\(host), segments: \(path.isEmpty ? "none" : path)")
            return parsed
        } catch {
            add(.url, url.echoed, false, "\(error)")
            throw error
        }
    }

    private mutating func explainAssociation() {
        guard let parsed = AssociationURL(url) else { return }
        guard let domain = engine.associations.domains.first(where: { HostName.matches(parsed.host, $0.name) }) else {
            add(.association, parsed.host, false, "is not an associated domain")
            return
        }
        steps += domain.file.explain(parsed, appIDs: engine.associations.appIDs)
    }

    private mutating func explainRoutes(_ parsed: RoutingURL) {
        let candidates = engine.candidates(context)
        var mismatches = 0
        for route in engine.routes where !candidates.contains(where: { $0 === route }) {
            if case .mismatch = RouteMatcher(route: route).attempt(parsed, domains: engine.domains) { continue }
            let place = (route.declaration.markets + route.declaration.locales).joined(separator: ", ")
            add(.route, route.declaration.pattern, false, "exists only in \(place)")
        }
        for route in candidates {
            let pattern = route.declaration.pattern
            switch RouteMatcher(route: route).attempt(parsed, domains: engine.domains) {
            case .mismatch(part: "origin", _): omitted += 1
            case .mismatch(_, let reason):
                mismatches += 1
                if mismatches > Self.maximumMismatches { omitted += 1 } else { add(.route, pattern, false, reason) }
            case .invalid(let parameter, let reason): add(.route, pattern, false, "\(parameter): \(reason)")
            case .match:
                do throws(RouteError) {
                    guard try engine.attempt(route, parsed, context) != nil else { continue }
                    add(.route, pattern, true, "takes the URL, and no route before it does")
                    return
                } catch {
                    add(.route, pattern, false, "\(error)")
                }
            }
        }
    }

    private mutating func explainParameters(_ destination: Destination) {
        guard let compiled = try? engine.compiled(destination.id) else { return }
        for parameter in compiled.parameters {
            let name = parameter.declaration.name
            guard let value = destination.parameters[name] else {
                add(.parameter, name, true, "is optional and not given")
                continue
            }
            add(.parameter, name, true, "'\(value)' is \(parameter.check.expectation)")
        }
    }

    private mutating func explainPolicy(_ destination: Destination) throws(RouteError) {
        guard try explainNeeds(destination) else { return }
        let index = try engine.index(of: destination.id)
        let compiled = engine.destinations[index]
        if compiled.variants.isEmpty { return }
        let chosen = engine.chosenVariant(of: index, context)
        let shown = chosen.map { engine.destinations[$0].id } ?? destination.id
        if context.choices[destination.id] == shown {
            add(.variant, shown, true, "was chosen for the user before, whatever holds now")
        } else {
            for variant in compiled.variants {
                let id = engine.destinations[variant.destination].id
                guard engine.policy.holds(variant.when, context, [:]) else {
                    add(.variant, id, false, "its condition does not hold\(untimeliness(of: variant.when, [:]))")
                    continue
                }
                add(.variant, id, true, "its condition holds, and that of no variant before it")
                break
            }
            if chosen == nil {
                add(.variant, destination.id, true, "is shown itself, because no variant's condition holds")
            }
        }
        guard let chosen else { return }
        _ = try explainNeeds(try engine.variant(chosen, from: destination, context))
    }

    /// - Returns: Whether everything holds that the destination needs.
    private mutating func explainNeeds(_ destination: Destination) throws(RouteError) -> Bool {
        let compiled = try engine.compiled(destination.id)
        for need in compiled.needs {
            switch need {
            case .precondition(let index, let owner):
                let precondition = engine.preconditions[index]
                let parameters = compiled.parameters(destination.parameters, of: owner)
                guard engine.policy.preconditionHolds(index, context, parameters) else {
                    let values = precondition.holds.lookedAt(in: parameters).sorted { $0.key < $1.key }
                    let place = values.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
                    let time = untimeliness(of: precondition.holds, parameters)
                    let reason =
                        "does not hold\(place.isEmpty ? "" : " for \(place)")\(time); the flow \(precondition.flow) would satisfy it"
                    add(.precondition, precondition.name, false, reason)
                    return false
                }
                let isLock = precondition.name == engine.lockFlow?.name
                add(.precondition, precondition.name, true, isLock ? "holds in a window that is not locked" : "holds")
            case .condition(let index, let owner):
                let condition = engine.manifest.conditions[index]
                let parameters = compiled.parameters(destination.parameters, of: owner)
                guard engine.policy.conditionHolds(index, context, parameters) else {
                    add(
                        .condition,
                        condition.name,
                        false,
                        condition.reason + untimeliness(of: condition.holds, parameters)
                    )
                    return false
                }
                add(.condition, condition.name, true, "holds")
            }
        }
        return true
    }

    /// What the time would have to be, as the end of a reason; empty if it is not to blame.
    private func untimeliness(of predicate: FactPredicate, _ parameters: [String: String]) -> String {
        engine.policy.untimeliness(of: predicate, context, parameters).map { ": \($0)" } ?? ""
    }
}

extension RoutingEngine {
    /// Explains the answer of ``resolve(url:context:)``, step by step.
    package func explain(url: String, context: RoutingContext) -> RouteExplanation {
        var explainer = RouteExplainer(engine: self, url: url, context: context)
        return explainer.explain()
    }
}

extension RouteExplanation.Step {
    /// The step with placeholders for these secrets.
    fileprivate func concealed(by secrets: Concealment) -> Self {
        Self(kind: kind, subject: secrets.concealed(subject), passed: passed, reason: secrets.concealed(reason))
    }
}
