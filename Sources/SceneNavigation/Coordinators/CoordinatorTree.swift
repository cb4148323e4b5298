public import SceneRouting

/// A scene's coordinators, one for each flow: the root, below it those of the tabs, and each flow's below that of the flow it
/// was started from.
///
/// A coordinator exists exactly while its flow owns a screen. The tree is updated for every change of the window, makes and
/// releases coordinators accordingly, and returns what was attached and detached.
public final class CoordinatorTree {
    /// The name of the scene's root, as a parent.
    package static let rootName = "root"

    /// The flow that owns a destination by declaration; `nil` if the owner of what is below owns it.
    private let declaredFlow: @Sendable (Destination) -> String?
    /// The flow that a window shows instead of tabs, if it does.
    private let rootFlow: @Sendable (WindowState) -> String?
    private let factory: FlowCoordinatorFactory
    package let root: CoordinatorNode
    /// In the order attached.
    private var attached: [CoordinatorNode] = []
    /// The owner of every destination of the window for which the tree was updated last (``owner(ofEachIn:)``).
    package private(set) var owners: [String] = []
    /// The coordinators of flows that are about to be shown: they have been asked how they start.
    private var starting: [String: any FlowCoordinator] = [:]
    /// Watches the coordinators that were released.
    private var leaks = LeakWatch()
    /// How many coordinators have been attached and detached since the scene was opened.
    package private(set) var counts = Counts()

    /// A tree with the root's coordinator only.
    ///
    /// - Parameters:
    ///   - declaredFlow: Returns the flow to which the manifest assigns a destination.
    ///   - rootFlow: Returns the flow that a window shows instead of tabs.
    ///   - factory: Makes the app's own coordinators.
    public init(
        declaredFlow: @escaping @Sendable (Destination) -> String?,
        rootFlow: @escaping @Sendable (WindowState) -> String? = { _ in nil },
        factory: @escaping FlowCoordinatorFactory = { _, _ in nil }
    ) {
        self.declaredFlow = declaredFlow
        self.rootFlow = rootFlow
        self.factory = factory
        root = CoordinatorNode(flow: Self.rootName, coordinator: factory(Self.rootName, nil) ?? RootCoordinator())
    }

    /// The flows that have a coordinator, in the order attached.
    public var flows: [String] { attached.map(\.flow) }

    /// The attached flows with their parents, in the order attached.
    package var edges: [(flow: String, parent: String, inSwift: Bool)] {
        attached.map { ($0.flow, $0.parent?.flow ?? Self.rootName, $0.inSwift) }
    }

    /// The node of a flow; `nil` if the flow has no coordinator.
    package func node(_ flow: String) -> CoordinatorNode? { attached.first { $0.flow == flow } }

    /// The coordinator of a flow that is shown or about to be shown. It is kept until the flow is shown or
    /// ``forgetStarting()`` is called.
    ///
    /// - Parameters:
    ///   - window: The window from which the flow will be started; `nil` for a flow to be shown instead of tabs.
    ///   - afresh: Whether one that is shown does not count.
    package func coordinator(of flow: String, startedFrom window: WindowState?, afresh: Bool = false)
        -> any FlowCoordinator
    {
        if let coordinator = (afresh ? nil : node(flow)?.coordinator) ?? starting[flow] { return coordinator }
        let coordinator = make(flow, window.map(topmostNode) ?? root)
        starting[flow] = coordinator
        return coordinator
    }

    /// Releases the coordinators of flows that were asked how they start and were not shown.
    package func forgetStarting() {
        guard !starting.isEmpty else { return }
        for (flow, coordinator) in starting { leaks.expectGone(coordinator, "coordinator \(flow)") }
        starting = [:]
    }

    /// The coordinator of the topmost screen.
    package func topmostNode(in window: WindowState) -> CoordinatorNode {
        var topmost = Self.rootName
        var selected = Self.rootName
        walk(window) { place, flow, _ in
            if case .tab(window.selectedTab) = place { selected = flow }
            topmost = flow
        }
        return node(window.modals.isEmpty ? selected : topmost) ?? root
    }

    /// Has the coordinators follow the window: attaches those of the flows that it newly shows, moves one whose flow belongs under
    /// another parent now, and detaches those of flows that it no longer shows, children before their parents.
    /// - Returns: The changes, in order: detached from where they were and attached where they belong, for one that moves both; at the
    ///   end detached what is gone.
    public func update(for window: WindowState) -> [Change] {
        var wanted: [(flow: String, parent: String)] = []
        owners = []
        walk(window) { _, flow, parent in
            if owners.last != flow, !wanted.contains(where: { $0.flow == flow }) { wanted.append((flow, parent)) }
            owners.append(flow)
        }
        // Most changes of a window leave its flows as they are.
        if attached.count == wanted.count, wanted.allSatisfy({ parent(of: $0.flow) == $0.parent }) { return [] }
        return update(by: wanted)
    }

    /// The flow that a flow's coordinator is attached to, or ``rootName``; `nil` if the flow has none.
    private func parent(of flow: String) -> String? { node(flow).map { ($0.parent ?? root).flow } }

    /// Releases the coordinators of the flows that a window shows again, afresh: the next ``update(for:)``, for the same window, gives
    /// them new ones.
    /// - Returns: The changes, in order.
    package func renew(for window: WindowState) -> [Change] {
        let kept = Set(owner(ofEachIn: window))
        return release(attached.filter { kept.contains($0.flow) })
    }

    private func update(by wanted: [(flow: String, parent: String)]) -> [Change] {
        let gone = attached.filter { node in !wanted.contains { $0.flow == node.flow } }
        var settled: Set<String> = [Self.rootName]
        for owner in wanted where settled.contains(owner.parent) {
            // What is gone leaves its children to its parent.
            var parent = node(owner.flow)?.parent
            while let next = parent, gone.contains(where: { $0 === next }) { parent = next.parent ?? root }
            if parent?.flow == owner.parent { settled.insert(owner.flow) }
        }
        let moved = attached.filter { node in !settled.contains(node.flow) && !gone.contains { $0 === node } }
        var changes = detach(moved)
        for node in moved { starting[node.flow] = node.coordinator }
        let released = release(gone)
        for owner in wanted where node(owner.flow) == nil {
            let parent = node(owner.parent) ?? root
            let coordinator = starting.removeValue(forKey: owner.flow) ?? make(owner.flow, parent)
            let node = CoordinatorNode(flow: owner.flow, coordinator: coordinator)
            parent.attach(node)
            attached.append(node)
            counts.attached += 1
            changes.append(.attached(flow: owner.flow, parent: parent.flow, inSwift: node.inSwift))
        }
        return changes + released
    }

    /// Detaches all coordinators, children before their parents, because the window is released.
    /// - Returns: The changes, in order.
    public func removeAll() -> [Change] {
        owners = []
        starting = [:]
        return release(attached)
    }

    /// Detaches coordinators that nobody may hold any more.
    private func release(_ nodes: [CoordinatorNode]) -> [Change] {
        for node in nodes.reversed() { leaks.expectGone(node.coordinator, "coordinator \(node.flow)") }
        return detach(nodes)
    }

    /// Detaches coordinators, children before their parents. A child that stays moves to its parent's parent.
    /// - Parameter nodes: In the order attached.
    private func detach(_ nodes: [CoordinatorNode]) -> [Change] {
        let changes = nodes.reversed().map { node in
            let parent = node.parent ?? root
            for child in node.children {
                node.detach(child)
                parent.attach(child)
            }
            parent.detach(node)
            return Change.detached(flow: node.flow, parent: parent.flow)
        }
        attached.removeAll { node in nodes.contains { $0 === node } }
        counts.detached += changes.count
        return changes
    }

    /// Every coordinator with its flow, the root's first.
    package var all: [(flow: String, coordinator: any FlowCoordinator)] {
        [(Self.rootName, root.coordinator)] + attached.map { ($0.flow, $0.coordinator) }
            + starting.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether coordinators have been released since the last call of ``leaks(holders:)``.
    package var expectsLeaks: Bool { !leaks.isEmpty }

    /// The coordinators that still exist although their flows are no longer shown, once each.
    package func leaks(holders: () -> [(name: String, object: AnyObject)]) -> [LeakWatch.Leak] {
        leaks.check(
            isShown: { object in all.contains { $0.coordinator === object } },
            holders: holders,
            keepers: { [("the coordinator tree", self)] }
        )
    }

    /// The flow that owns each destination of the window, in the order of ``/SceneVocabulary/WindowState/destinations``.
    public func owner(ofEachIn window: WindowState) -> [String] {
        var flows: [String] = []
        flows.reserveCapacity(window.tabs.reduce(0) { $0 + $1.stack.count } + window.modals.count)
        walk(window) { _, flow, _ in flows.append(flow) }
        return flows
    }

    /// A coordinator that was attached or detached. One that moves is both.
    public enum Change: Hashable, Sendable {
        /// The flow's coordinator was attached to that of `parent`, a flow or `root`; `inSwift` if it is the app's own.
        case attached(flow: String, parent: String, inSwift: Bool = false)
        /// The flow's coordinator was detached from that of `parent`, a flow or `root`.
        case detached(flow: String, parent: String)
    }

    /// How many coordinators have come and gone.
    package struct Counts: Hashable, Sendable {
        package fileprivate(set) var attached = 0
        package fileprivate(set) var detached = 0

        package init() {}
    }

    private func make(_ flow: String, _ parent: CoordinatorNode) -> any FlowCoordinator {
        factory(flow, parent.coordinator) ?? ManifestCoordinator(flow: flow)
    }

    private enum Place {
        case tab(String)
        case modal
    }

    private func walk(_ window: WindowState, visit: (_ place: Place, _ flow: String, _ parent: String) -> Void) {
        var below = Self.rootName
        let rootFlow = rootFlow(window)
        for tab in window.tabs {
            var owner = rootFlow ?? tab.id
            for (depth, destination) in tab.stack.enumerated() {
                let flow = rootFlow ?? declaredFlow(destination) ?? owner
                visit(.tab(tab.id), flow, depth == 0 || flow == owner ? Self.rootName : owner)
                if tab.id == window.selectedTab { below = flow }
                if depth == 0 { owner = flow }
            }
        }
        for modal in window.modals {
            let parent = below
            for destination in modal.stack {
                let flow = modal.flow ?? declaredFlow(destination) ?? parent
                visit(.modal, flow, flow == parent ? Self.rootName : parent)
                below = flow
            }
        }
    }
}

/// A coordinator's place in its scene's tree. It holds its children strongly and its parent weakly.
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

    /// Whether its coordinator is the app's own, rather than one that follows the manifest.
    package var inSwift: Bool { !(coordinator is ManifestCoordinator || coordinator is RootCoordinator) }

    /// Adds a child; the counterpart of ``detach(_:)``.
    package func attach(_ child: CoordinatorNode) {
        children.append(child)
        child.parent = self
    }

    /// Removes a child.
    package func detach(_ child: CoordinatorNode) {
        children.removeAll { $0 === child }
        child.parent = nil
    }

    /// The node itself, its parent, and so on to the root: the order in which they are asked.
    package var responders: [CoordinatorNode] {
        var chain = [self]
        while let next = chain.last?.parent { chain.append(next) }
        return chain
    }
}
