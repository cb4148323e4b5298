/// Roots that stand instead of the tabs. Each is an implicit precondition of every destination, named after its flow,
/// that holds while the root does not: so what the root stands in the way of waits for its flow as at any other gate.
extension RoutingEngine {
    /// The root flow in force, or `nil` while the tabs are shown.
    public func rootFlow(context: RoutingContext) -> FlowDeclaration? {
        let root =
            manifest.roots.first { policy.holds($0.when, context, [:]) }
            ?? (manifest.tabs.isEmpty ? manifest.roots.last : nil)
        return root.flatMap { flow($0.flow) }
    }

    /// The root flow that begins with a screen of this name, or has it; every such screen belongs to one.
    public func rootFlow(ofScreen screen: String) -> String? { policy.rootScreens[screen] }
}

extension AppManifest {
    /// The preconditions that stand for the roots, in their order.
    var rootPreconditions: [PreconditionDeclaration] {
        roots.map { PreconditionDeclaration(name: $0.flow, holds: .not($0.when), flow: $0.flow) }
    }
}
