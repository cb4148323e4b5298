internal import SceneRouting

extension AppModel {
    /// Whether something that goes to this destination, and waits for the precondition, still has to: it stands on the way there,
    /// as that of a root, of the ancestry or of the destination, and the flow that is waited for can satisfy it.
    ///
    /// - Parameter flow: The flow; `nil` if that is not known.
    package func isGate(_ precondition: String, opensBy flow: String?, onTheWayTo id: String) -> Bool {
        guard let wanted = destination(id), let right = self.flow(ofPrecondition: precondition) else { return false }
        if let flow, flow != right { return false }
        let path = wanted.ancestry.compactMap(destination) + [wanted]
        return !wanted.isOverCurrent && manifest.roots.contains { $0.flow == precondition }
            || path.contains { $0.preconditions.contains(precondition) }
    }
}
