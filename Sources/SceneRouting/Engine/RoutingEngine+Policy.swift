extension RoutingEngine {
    /// Whether a destination may be shown, by its own preconditions and conditions without those of its ancestry.
    ///
    /// A screen that only flows have is allowed if one of them takes these parameters for it.
    public func verdict(for destination: Destination, context: RoutingContext) -> DestinationVerdict {
        guard let index = destinationIndex[destination.id] else {
            return verdict(forOwnScreen: destination, context: context)
        }
        let compiled = destinations[index]
        let parameters: [String: String]
        do {
            parameters = try compiled.normalized(destination.parameters, place: place(context))
        } catch {
            return .unknown(reason: "\(error)")
        }
        for name in traits.needs(of: destination.id) {
            if let index = policy.preconditionIndex[name] {
                guard policy.preconditionHolds(index, context, parameters) else { return .gated(precondition: name) }
            } else if let index = policy.conditionIndex[name] {
                guard policy.conditionHolds(index, context, parameters) else {
                    return .refused(condition: name, reason: manifest.conditions[index].reason)
                }
            }
        }
        return .allowed
    }

    private func verdict(forOwnScreen screen: Destination, context: RoutingContext) -> DestinationVerdict {
        guard policy.flowScreens.contains(screen.id) else {
            return .unknown(reason: "there is no destination '\(screen.id)'")
        }
        var reason: String?
        for parameters in ownScreens[screen.id] ?? [] {
            do throws(RouteError) {
                _ = try parameters.normalized(screen.parameters, of: screen.id, place: place(context))
                return .allowed
            } catch {
                reason = "\(error)"
            }
        }
        return reason.map { .unknown(reason: $0) } ?? .allowed
    }

    /// Whether a precondition holds; `nil` for an unknown name. Those of the roots and of the lock are named after their flows.
    ///
    /// - Parameters:
    ///   - precondition: The precondition's name.
    ///   - parameters: What it may look at, of the destination that declares it.
    ///   - context: The session that it looks at.
    public func holds(precondition: String, for parameters: [String: String] = [:], context: RoutingContext) -> Bool? {
        policy.preconditionIndex[precondition].map { policy.preconditionHolds($0, context, parameters) }
    }

    /// Whether a predicate holds that looks at these parameters.
    package func holds(
        _ predicate: FactPredicate,
        parameters: [String: String],
        context: RoutingContext
    ) -> Bool {
        policy.holds(predicate, context, parameters)
    }

    /// Whether a precondition has to hold on the way to a destination: one of the lock, of a root, of its ancestry or its own. `false` if the
    /// app has no such precondition or destination.
    ///
    /// - Parameter parameters: The values that the precondition looks at.
    package func needs(
        precondition name: String,
        for parameters: [String: String],
        onTheWayTo destination: Destination,
        context: RoutingContext
    ) -> Bool {
        guard let wanted = policy.preconditionIndex[name], let index = destinationIndex[destination.id],
            let all = try? destinations[index].normalized(destination.parameters, place: place(context))
        else { return false }
        return decisions.needs(of: index).contains { need in
            guard case .precondition(wanted, let owner) = need else { return false }
            let own = destinations[index].parameters(all, of: owner)
            return preconditions[wanted].holds.lookedAt(in: own) == parameters
        }
    }

    /// Whether each precondition, then each condition holds that looks at no parameter, in the order of the manifest.
    ///
    /// Those that look at the time are left out, because the answer may change before the next commit; and so is the lock's, which
    /// holds in some windows and not in others.
    package func truths(context: RoutingContext) -> [(name: String, holds: Bool)] {
        var truths: [(name: String, holds: Bool)] = []
        for (index, precondition) in preconditions.enumerated()
        where index != policy.lockPosition && !precondition.holds.usesParameter && !precondition.holds.usesTime {
            truths.append((precondition.name, policy.preconditionHolds(index, context, [:])))
        }
        for (index, condition) in manifest.conditions.enumerated()
        where !condition.holds.usesParameter && !condition.holds.usesTime {
            truths.append((condition.name, policy.conditionHolds(index, context, [:])))
        }
        return truths
    }

    /// What the time would have to be for what gates or refuses a request, and what it is: `not before 2026-11-28T00:00:00Z; it is
    /// 2026-11-27T08:00:00Z`. `nil` if nothing does, or if the time is not to blame.
    package func untimeliness(of request: RouteRequest, context: RoutingContext) -> String? {
        guard looksAtTime, let (index, checked) = try? checked(request, context) else { return nil }
        var unmet = obstacle(index, checked.destination, context)
        if unmet == nil, let chosen = chosenVariant(of: index, context),
            let shown = try? variant(chosen, from: checked.destination, context)
        {
            unmet = obstacle(chosen, shown, context)
        }
        guard let (need, parameters) = unmet else { return nil }
        let predicate =
            switch need {
            case .precondition(let precondition, _): preconditions[precondition].holds
            case .condition(let condition, _): manifest.conditions[condition].holds
            }
        return policy.untimeliness(of: predicate, context, parameters)
    }

    /// Whether a precondition, a condition or that of a variant looks at the time.
    package var looksAtTime: Bool { policy.looksAtTime }

    /// The names of a destination's own preconditions and conditions, in the order in which they are judged; none for an unknown
    /// destination.
    package func needs(of destinationID: String) -> [String] { traits.needs(of: destinationID) }

    /// The preconditions of the roots, then a destination's own. A screen of a root flow, and what is presented over whatever is
    /// shown, need only their own, because they are shown while those of the roots do not hold.
    static func preconditions(
        of declaration: DestinationDeclaration,
        _ manifest: AppManifest,
        _ policy: PolicyTable
    ) -> [String] {
        guard !manifest.roots.isEmpty, !declaration.isOverCurrent, policy.rootScreens[declaration.id] == nil else {
            return declaration.preconditions
        }
        return manifest.roots.map(\.flow) + declaration.preconditions
    }

    // MARK: - Roots

    // A root is an implicit precondition of every destination. It has the name of its flow and holds while the root is
    // not shown, so whatever the root keeps away waits for its flow as at any other gate.

    /// The root flow to show; `nil` while the tabs are.
    package func rootFlow(context: RoutingContext) -> FlowDeclaration? {
        let root =
            manifest.roots.first { policy.holds($0.when, context, [:]) }
            ?? (manifest.tabs.isEmpty ? manifest.roots.last : nil)
        return root.flatMap { flow($0.flow) }
    }

    /// The name of the root flow that a screen belongs to; `nil` for any other screen.
    package func rootFlow(ofScreen screen: String) -> String? { policy.rootScreens[screen] }

    // MARK: - The lock

    /// Whether windows that are left now are locked.
    package func locks(context: RoutingContext) -> Bool {
        manifest.lock.map { policy.holds($0.when, context, [:]) } ?? false
    }

    /// The flow that unlocks a window; `nil` if windows do not lock.
    package var lockFlow: FlowDeclaration? { manifest.lock.flatMap { flow($0.flow) } }

    // MARK: - Intents

    /// Checks an intent against the manifest: some declaration of its name must allow the parameters. A name without
    /// declaration passes, because a coordinator of the app may know it.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``.
    package func checkIntent(_ name: String, parameters: [String: String]) throws(RouteError) {
        try intents.check(parameters, of: name)
    }

    /// The parameters of an intent in canonical form, with defaults; as given if the intent is not declared.
    /// - Parameters:
    ///   - given: The parameters, by name.
    ///   - name: The intent's name.
    ///   - flow: the flow that declares the intent; `nil` for an intent of the app itself.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)``.
    public func parameters(
        _ given: [String: String],
        ofIntent name: String,
        flow: String?
    ) throws(RouteError) -> [String: String] {
        try intents.normalized(given, of: name, flow: flow)
    }

    /// Whether these parameters include all that a destination requires; `false` for an unknown destination.
    package func isComplete(_ parameters: [String: String], for destination: String) -> Bool {
        self.destination(destination)?.parameters.areGiven(by: parameters) ?? false
    }

    // MARK: - Look-ups

    /// Whether the app has a screen of this ID: a destination, or a screen that only a flow declares.
    package func hasScreen(_ id: String) -> Bool { destinationIndex[id] != nil || policy.flowScreens.contains(id) }

    /// Whether a destination is presented over whatever is shown.
    package func isOverCurrent(_ id: String) -> Bool { destination(id)?.isOverCurrent ?? false }

    /// The destination with this ID.
    public func destination(_ id: String) -> DestinationDeclaration? {
        destinationIndex[id].map { destinations[$0].declaration }
    }

    /// The value that a parameter of a destination has if none is given anywhere, in canonical form; `nil` if there is none.
    package func defaultValue(of parameter: String, in destination: String) -> String? {
        destinationIndex[destination].flatMap { destinations[$0].parameter(parameter)?.declaration.defaultValue }
    }

    /// The flow of this name.
    public func flow(_ name: String) -> FlowDeclaration? { policy.flowIndex[name].map { manifest.flows[$0] } }

    /// The precondition of this name; those of the roots and of the lock are named after their flows.
    public func precondition(_ name: String) -> PreconditionDeclaration? {
        policy.preconditionIndex[name].map { preconditions[$0] }
    }

    /// The intent of this name that the app itself declares, not a flow.
    public func intent(_ name: String) -> IntentDeclaration? { policy.intentIndex[name].map { manifest.intents[$0] } }

    /// The fact of this name.
    public func fact(_ name: String) -> FactDeclaration? { policy.factIndex[name].map { manifest.facts[$0] } }
}
