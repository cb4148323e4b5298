import SceneRouting

extension AppManifest {
    /// What somebody may have made of a manifest by the next reload: each differs in one thing, and can be loaded.
    var variants: [AppManifest] {
        var edits: [(inout AppManifest) -> Void] = [
            { $0.policies.whileGated = .queue }, { $0.policies.whileGated = .reject }, { $0.tabs.reverse() },
            { $0.roots = [] }, { $0.fallback = nil },
        ]
        for index in preconditions.indices {
            edits.append { $0.preconditions[index].holds = .always }
            for flow in flows where flow.name != preconditions[index].flow {
                edits.append { $0.preconditions[index].flow = flow.name }
            }
        }
        for index in facts.indices {
            edits.append { $0.facts[index].scope = $0.facts[index].scope == .user ? .app : .user }
        }
        for index in conditions.indices { edits.append { $0.conditions[index].holds = .always } }
        for index in destinations.indices {
            edits.append { $0.destinations[index].preconditions = [] }
            edits.append { $0.destinations[index].conditions = [] }
            for precondition in preconditions {
                edits.append { $0.destinations[index].preconditions.append(precondition.name) }
            }
            if !destinations[index].variants.isEmpty {
                edits.append { $0.destinations[index].variants = [] }
                edits.append { $0.destinations[index].variants.reverse() }
                edits.append { $0.destinations[index].variants.removeFirst() }
            }
            let id = destinations[index].id
            edits.append { manifest in
                manifest.destinations.remove(at: index)
                manifest.routes.removeAll { $0.destination == id }
                for place in manifest.destinations.indices {
                    manifest.destinations[place].variants.removeAll { $0.destination == id }
                }
            }
        }
        for index in flows.indices where flows[index].screens.count > 1 {
            edits.append { $0.flows[index].screens.removeFirst() }
            edits.append { $0.flows[index].screens.removeLast() }
        }
        return edits.enumerated().compactMap { number, edit in
            var variant = self
            edit(&variant)
            guard variant != self else { return nil }
            variant.version = "\(version)-\(number)"
            return (try? RoutingEngine(manifest: variant)) == nil ? nil : variant
        }
    }
}
