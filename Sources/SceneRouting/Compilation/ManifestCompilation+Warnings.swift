/// Finds what can be used but is probably not what was meant.
extension ManifestCompilation {
    mutating func findWarnings() {
        let entrances = entrances
        let reached = manifest.flows.map { FlowReach($0, enteredAt: entrances[$0.name, default: []], reading) }
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
        findFlowsThatNeverEnd(reached)
        findParametersThatAreAbsent()
        findParametersThatNothingGives()
        findRoutesThatNeverMatch()
        findEquallySpecificRoutes()
        findScreensThatNothingShows(reached)
        findDeadEnds()
        findWhatNeverComes()
        findNotationsThatDiffer()
        findParametersThatNoFactIs()
        findEventsWithoutScene()
        findAdaptersThatLeadNowhere()
        findMovesThatComeToNothing()
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
        let lookedAt = parametersOfGates
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
}
