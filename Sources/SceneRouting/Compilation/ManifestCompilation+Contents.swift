// What the checks look through, with the keys under which it stands in the manifest.
extension ManifestCompilation {
    /// A list of effects of the app or of a flow.
    struct EffectList {
        let effects: [IntentEffect]
        /// What its effects can look at: the intent's parameters, or the result of the flow that has ended.
        let parameters: [CompiledDestination.Parameter]
        /// The flow of which it is; `nil` for one of the app.
        let flow: String?
        let key: String
    }

    /// All lists of effects: those of the app's intents, then those of each flow's intents, of its completion and of its sequels.
    var effectLists: [EffectList] {
        var lists = intents.map { flow, intent, parameters in
            EffectList(
                effects: intent.effects,
                parameters: parameters,
                flow: flow,
                key: (flow.map { "flows.\($0)." } ?? "") + "intents.\(intent.name).effects"
            )
        }
        for flow in manifest.flows {
            func add(_ effects: [IntentEffect], _ parameters: [CompiledDestination.Parameter], _ key: String) {
                let key = "flows.\(flow.name).\(key)"
                lists.append(EffectList(effects: effects, parameters: parameters, flow: flow.name, key: key))
            }
            add(flow.completion, [], "completion")
            for sequel in flow.after {
                add(sequel.completed, flowResults[sequel.flow] ?? [], "after.\(sequel.flow).completed")
                add(sequel.cancelled, [], "after.\(sequel.flow).cancelled")
            }
        }
        return lists
    }

    /// All predicates.
    var predicates: [(key: String, predicate: FactPredicate)] {
        var all = manifest.preconditions.map { ("preconditions.\($0.name).holds", $0.holds) }
        all += manifest.conditions.map { ("conditions.\($0.name).holds", $0.holds) }
        all += manifest.roots.enumerated().map { ("roots[\($0)].when", $1.when) }
        if let lock = manifest.lock { all.append(("lock.when", lock.when)) }
        for destination in manifest.destinations {
            all += destination.variants.enumerated().map {
                ("destinations.\(destination.id).variants[\($0)].when", $1.when)
            }
        }
        for flow in manifest.flows {
            all += flow.start.enumerated().map { ("flows.\(flow.name).start[\($0)].when", $1.when) }
        }
        for list in effectLists {
            for (index, effect) in list.effects.enumerated() {
                all += effect.conditions.map { ("\(list.key)[\(index)].when", $0) }
            }
        }
        return all
    }

    /// The predicates of preconditions and conditions, with the destinations that need them, by their places.
    var needs: [(key: String, holds: FactPredicate, users: [Int])] {
        let (gates, conditions) = (users(of: \.preconditions), users(of: \.conditions))
        return manifest.preconditions.map {
            ("preconditions.\($0.name).holds", $0.holds, gates[$0.name, default: []])
        }
            + manifest.conditions.map {
                ("conditions.\($0.name).holds", $0.holds, conditions[$0.name, default: []])
            }
    }

    /// The destinations that need something, by what they need: their places in the manifest.
    func users(of needs: (DestinationDeclaration) -> [String]) -> [String: [Int]] {
        var users: [String: [Int]] = [:]
        for (index, destination) in manifest.destinations.enumerated() {
            for need in Set(needs(destination)) { users[need, default: []].append(index) }
        }
        return users
    }

    /// The types of each destination's parameters, by their names.
    var parameterTypes: [[String: ParameterType]] {
        manifest.destinations.map { destination in
            Dictionary(destination.parameters.map { ($0.name, $0.type) }) { first, _ in first }
        }
    }

    /// The parameters at which each precondition looks, by its name.
    var parametersOfGates: [String: Set<String>] {
        Dictionary(manifest.preconditions.map { ($0.name, $0.holds.parameters) }) { first, _ in first }
    }
}
