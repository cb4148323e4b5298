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
            edits += placements(of: index)
            let id = destinations[index].id
            edits.append { manifest in
                manifest.destinations.remove(at: index)
                manifest.routes.removeAll { $0.destination == id }
                for place in manifest.destinations.indices {
                    manifest.destinations[place].variants.removeAll { $0.destination == id }
                }
            }
        }
        for index in flows.indices {
            edits.append { $0.flows[index].style = $0.flows[index].style.other }
            if flows[index].screens.count > 1 {
                edits.append { $0.flows[index].screens.removeFirst() }
                edits.append { $0.flows[index].screens.removeLast() }
            }
        }
        for index in tabs.indices where tabs.count > 1 {
            let root = tabs[index].root
            edits.append { manifest in
                manifest.tabs.remove(at: index)
                manifest.destinations.removeAll { $0.id == root || $0.ancestry.first == root }
                let left = Set(manifest.destinations.map(\.id))
                manifest.routes.removeAll { !left.contains($0.destination) }
            }
        }
        return edits.enumerated().compactMap { number, edit in
            var variant = self
            edit(&variant)
            guard variant != self else { return nil }
            variant.version = "\(version)-\(number)"
            return (try? RoutingEngine(manifest: variant)) == nil ? nil : variant
        }
    }

    /// What decides where a destination is shown, to whom it belongs there and with which parameters, changed.
    private func placements(of index: Int) -> [(inout AppManifest) -> Void] {
        let before = destinations[index]
        var edits: [(inout AppManifest) -> Void] = [{ $0.destinations[index].repeats.toggle() }]
        for flow in flows.map(\.name) + [nil] where flow != before.flow {
            edits.append { $0.destinations[index].flow = flow }
        }
        switch before.presentation {
        case .tab: break
        case .push: edits.append { $0.destinations[index].presentation = .modal(.sheet) }
        case .modal(let style):
            edits.append { $0.destinations[index].presentation = .push }
            edits.append { $0.destinations[index].presentation = .modal(style.other) }
        }
        if !before.ancestry.isEmpty {
            edits.append { $0.destinations[index].ancestry.removeLast() }
            for other in destinations where other.id != before.id && !before.ancestry.contains(other.id) {
                edits.append { $0.destinations[index].ancestry.append(other.id) }
                edits.append { $0.destinations[index].ancestry = other.ancestry + [other.id] }
            }
        }
        let added = ParameterDeclaration(name: "added", type: .string, isRequired: false)
        edits.append { $0.destinations[index].parameters.append(added) }
        for place in before.parameters.indices {
            edits.append { $0.destinations[index].parameters.remove(at: place) }
            edits.append { $0.destinations[index].parameters[place].type = .oneOf(["p1", "7"]) }
        }
        return edits
    }
}

extension ModalStyle {
    fileprivate var other: ModalStyle { self == .sheet ? .fullScreen : .sheet }
}
