extension RoutingEngine {
    /// Whether a destination may be shown, by its own preconditions and conditions, not those of its ancestry.
    ///
    /// A screen of a flow that is no declared destination is allowed: being in its flow is what it takes.
    public func verdict(for destination: Destination, context: RoutingContext) -> DestinationVerdict {
        guard let index = destinationIndex[destination.id] else {
            return policy.flowScreens.contains(destination.id)
                ? .allowed : .unknown(reason: "there is no destination '\(destination.id)'")
        }
        let compiled = destinations[index]
        let parameters: [String: String]
        do {
            parameters = try compiled.normalized(destination.parameters, place: place(context))
        } catch {
            return .unknown(reason: "\(error)")
        }
        for name in Self.preconditions(of: compiled.declaration, manifest, policy) {
            guard let index = policy.preconditionIndex[name], !policy.preconditionHolds(index, context) else {
                continue
            }
            return .gated(precondition: name)
        }
        for name in compiled.declaration.conditions {
            guard let index = policy.conditionIndex[name], !policy.conditionHolds(index, context, parameters) else {
                continue
            }
            return .refused(condition: name, reason: manifest.conditions[index].reason)
        }
        return .allowed
    }

    /// Whether a precondition holds; `nil` for a name that the manifest does not know.
    public func holds(precondition: String, context: RoutingContext) -> Bool? {
        policy.preconditionIndex[precondition].map { policy.preconditionHolds($0, context) }
    }

    /// The truth of every precondition, then of every condition that looks at no parameter, in the manifest's order.
    ///
    /// What looks at the time is left out: it need not stay true, or false, until the next commit.
    public func truths(context: RoutingContext) -> [(name: String, holds: Bool)] {
        var truths: [(name: String, holds: Bool)] = []
        for (index, precondition) in preconditions.enumerated() where !precondition.holds.usesTime {
            truths.append((precondition.name, policy.preconditionHolds(index, context)))
        }
        for (index, condition) in manifest.conditions.enumerated()
        where !condition.holds.usesParameter && !condition.holds.usesTime {
            truths.append((condition.name, policy.conditionHolds(index, context, [:])))
        }
        return truths
    }

    /// The names of a destination's own preconditions and conditions in order; empty for an unknown name.
    public func needs(of destinationID: String) -> [String] { traits.needs(of: destinationID) }

    /// A destination's own preconditions, after those of the roots. A screen of a root flow needs none of these: it is
    /// shown while they do not hold.
    static func preconditions(
        of declaration: DestinationDeclaration,
        _ manifest: AppManifest,
        _ policy: PolicyTable
    ) -> [String] {
        guard !manifest.roots.isEmpty, policy.rootScreens[declaration.id] == nil else {
            return declaration.preconditions
        }
        return manifest.roots.map(\.flow) + declaration.preconditions
    }

    // MARK: - Look-ups

    /// The destination of this name.
    public func destination(_ id: String) -> DestinationDeclaration? {
        destinationIndex[id].map { destinations[$0].declaration }
    }

    /// The flow of this name.
    public func flow(_ name: String) -> FlowDeclaration? { policy.flowIndex[name].map { manifest.flows[$0] } }

    /// The precondition of this name.
    public func precondition(_ name: String) -> PreconditionDeclaration? {
        policy.preconditionIndex[name].map { preconditions[$0] }
    }

    /// The app's own intent of this name; a flow's intents stand in the flow.
    public func intent(_ name: String) -> IntentDeclaration? { policy.intentIndex[name].map { manifest.intents[$0] } }

    /// The fact of this name.
    public func fact(_ name: String) -> FactDeclaration? { policy.factIndex[name].map { manifest.facts[$0] } }
}
