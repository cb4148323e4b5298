/// A coordinator's place in its scene's tree: children are held, the parent is not.
package final class CoordinatorNode {
    /// The flow, the tab, or `root`.
    package let flow: String
    package let coordinator: any FlowCoordinator
    package private(set) weak var parent: CoordinatorNode?
    package private(set) var children: [CoordinatorNode] = []

    package init(flow: String, coordinator: any FlowCoordinator) {
        self.flow = flow
        self.coordinator = coordinator
    }

    /// Takes a child; the counterpart of ``detach(_:)``.
    package func attach(_ child: CoordinatorNode) {
        children.append(child)
        child.parent = self
    }

    /// Lets a child go.
    package func detach(_ child: CoordinatorNode) {
        children.removeAll { $0 === child }
        child.parent = nil
    }

    /// The node itself, its parent, and so on to the root: who is asked, in order.
    package var responders: [CoordinatorNode] {
        var chain = [self]
        while let next = chain.last?.parent { chain.append(next) }
        return chain
    }
}
