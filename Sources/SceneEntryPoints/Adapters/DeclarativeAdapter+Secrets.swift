package import SceneRouting
internal import StrictJSON

extension DeclarativeAdapter {
    /// The places in an event from which the adapter makes a secret (<doc:/SceneRuntime/Secrets>), whether or not it takes the event.
    ///
    /// Of a URL that it makes, only what comes after literal text counts: what comes first is a URL itself, and known as one.
    package func sourcesOfSecrets(by engine: RoutingEngine) -> [EventPath] {
        guard let rules else { return [] }
        var captured: [String: [EventPath]] = [:]
        for condition in rules.conditions {
            for name in condition.captures { captured[name, default: []].append(condition.path) }
        }
        return rules.mapping.namesOfSecrets(by: engine).flatMap { captured[$0.name] ?? $0.path.map { [$0] } ?? [] }
    }
}

extension AdapterMapping {
    /// The names in its templates whose values become secrets, or parts of them.
    fileprivate func namesOfSecrets(by engine: RoutingEngine) -> [(name: String, path: EventPath?)] {
        switch self {
        case .handled: return []
        case .destination(_, let parameters, _):
            return parameters.sorted { $0.key < $1.key }.filter { engine.isSecret(parameter: $0.key) }
                .flatMap(\.value.names)
        case .url(let template):
            // A value that is found again where a route takes a secret.
            let marked = template.names.enumerated().map { ($1, "value-\($0)-of-the-template") }
            let values = Dictionary(marked.map { ($0.name, $1) }) { first, _ in first }
            guard case .text(let url) = template.filledAsURL(from: [:], values) else { return [] }
            let shown = engine.concealed(url: url)
            return marked.filter { !shown.contains(values[$0.name] ?? $1) }.map(\.0)
        }
    }
}
