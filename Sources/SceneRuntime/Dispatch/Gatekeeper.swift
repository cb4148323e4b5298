package import SceneNavigation
package import SceneRouting

/// The intents that a scene has parked, and which flows are on screen for them.
///
/// A value without time of its own: the dispatcher asks it and carries out the answer.
package struct Gatekeeper {
    /// In the order parked.
    package private(set) var parked: [ParkedIntent] = []
    /// Flows that were presented for a gate and not ended yet.
    private var flows: Set<String> = []

    package init() {}

    package mutating func park(_ intent: ParkedIntent) {
        parked.append(intent)
        flows.insert(intent.flow)
    }

    /// Removes and returns what fits.
    package mutating func take(where fits: (ParkedIntent) -> Bool) -> [ParkedIntent] {
        guard !parked.isEmpty else { return [] }
        let taken = parked.filter(fits)
        parked.removeAll(where: fits)
        return taken
    }

    /// Marks what is parked on a flow to be resumed, because the flow has reported completion.
    ///
    /// - Parameter isClosed: Whether a precondition does not hold by `snapshot`, which the flow's commit made.
    package mutating func complete(_ flow: String, by snapshot: SessionSnapshot, isClosed: (String) -> Bool) {
        for index in parked.indices where parked[index].flow == flow {
            parked[index].completion = ParkedIntent.Completion(
                snapshot: snapshot,
                isUnsatisfied: isClosed(parked[index].precondition)
            )
        }
    }

    /// Whether the flow was presented for a gate on which nothing waits any more.
    package func isPointless(_ flow: String?) -> Bool {
        guard let flow, flows.contains(flow) else { return false }
        return !parked.contains { $0.flow == flow }
    }

    /// Forgets the flows that the window no longer shows.
    package mutating func forgetFlows(where isGone: (String) -> Bool) {
        guard !flows.isEmpty else { return }
        flows = flows.filter { !isGone($0) }
    }

    /// The ops that bring `flow` on screen, or nothing if it is there already.
    ///
    /// - Parameters:
    ///   - isRoot: Whether the window shows the flow instead of tabs, so that there is nothing to present.
    ///   - replacing: Takes away what is shown for other gates first: their intents are superseded.
    ///   - start: The screens that the flow starts with.
    package func plan(
        toShow flow: FlowDeclaration,
        isRoot: Bool,
        in window: WindowState,
        replacing: Bool,
        start: () -> [Destination]
    ) -> [NavOp] {
        var ops: [NavOp] = []
        var modals = window.modals
        if replacing, let first = modals.firstIndex(where: { isOther($0.flow, than: flow.name) }) {
            ops.append(.dismissModals(keeping: first))
            modals.removeSubrange(first...)
        }
        if isRoot { return ops }
        if let index = modals.lastIndex(where: { $0.flow == flow.name }) {
            if index < modals.count - 1 { ops.append(.dismissModals(keeping: index + 1)) }
        } else {
            ops.append(.present(ModalState(flow: flow.name, style: flow.style, stack: start())))
        }
        return ops
    }

    private func isOther(_ shown: String?, than flow: String) -> Bool {
        guard let shown else { return false }
        return shown != flow && flows.contains(shown)
    }
}
