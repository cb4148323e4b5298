internal import SceneRouting
package import SceneVocabulary

extension AppModel {
    /// Whether something that goes to this destination, and waits for the precondition, still has to: it stands on the way there,
    /// as that of the lock, of a root, of the ancestry or of the destination, looks at these values, and the flow that is waited for can satisfy
    /// it.
    ///
    /// - Parameter flow: The flow; `nil` if that is not known.
    package func isGate(
        _ precondition: String,
        for parameters: [String: String],
        opensBy flow: String?,
        onTheWayTo wanted: Destination
    ) -> Bool {
        guard let right = self.flow(ofPrecondition: precondition) else { return false }
        if let flow, flow != right { return false }
        // What is not known is left to the runtime.
        return gateParameters(precondition, onTheWayTo: wanted)?.contains(where: parameters.hasSameValues) ?? true
    }

    /// The values of the parameters that a precondition looks at, for each that declares it on the way to a destination, the same
    /// values once: none if it stands nowhere on the way; `nil` if a value is not known.
    package func gateParameters(_ precondition: String, onTheWayTo wanted: Destination) -> [[String: String]]? {
        guard let declaration = destination(wanted.id) else { return [] }
        var all: [[String: String]] = []
        func insert(_ values: [String: String]) {
            if !all.contains(where: values.hasSameValues) { all.append(values) }
        }
        if !declaration.isOverCurrent, manifest.roots.contains(where: { $0.flow == precondition }) { insert([:]) }
        if precondition == lockFlow { insert([:]) }
        let names = preconditions[precondition].map { Self.parameters($0.holds) } ?? []
        for step in declaration.ancestry.compactMap(destination) + [declaration]
        where step.preconditions.contains(precondition) {
            let facts = known(nobody, of: step.id, onTheWayTo: wanted)
            guard names.isDisjoint(with: facts.unknownParameters) else { return nil }
            insert((facts.parameters ?? [:]).filter { names.contains($0.key) })
        }
        return all
    }

    /// The names of the parameters that a predicate looks at.
    private static func parameters(_ predicate: FactPredicate) -> Set<String> {
        switch predicate {
        case .compare(_, _, .parameter(let name)), .contains(_, .parameter(let name)): [name]
        case .period(let from, let until):
            Set([from, until].compactMap { if case .parameter(let name, _) = $0 { name } else { nil } })
        case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion(parameters($1)) }
        case .not(let part): parameters(part)
        default: []
        }
    }
}
