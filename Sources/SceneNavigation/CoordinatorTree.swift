public import SceneRouting

/// Which coordinators a scene has, and who is whose parent.
///
/// The window is the only truth: a coordinator is there exactly while its flow owns something on screen, one per flow.
/// The tree is told of every change of the window and answers what was attached and what was detached.
public struct CoordinatorTree: Sendable {
    /// The name under which the scene's root stands as a parent.
    package static let root = "root"

    /// Who owns a destination by declaration; `nil` for the owner of what it stands on.
    private let declaredFlow: @Sendable (Destination) -> String?
    /// The attached flows with their parents, in the order attached.
    private var attached: [(flow: String, parent: String)] = []

    /// A tree without coordinators; `declaredFlow` names the flow that the manifest gives a destination.
    public init(declaredFlow: @escaping @Sendable (Destination) -> String?) {
        self.declaredFlow = declaredFlow
    }

    /// The flows that have a coordinator, in the order attached.
    public var flows: [String] { attached.map(\.flow) }

    /// Attaches what the window newly shows and detaches what it no longer shows, children before their parents.
    public mutating func update(for window: WindowState) -> [Change] {
        let owners = owners(in: window)
        var changes: [Change] = []
        for (flow, parent) in attached.reversed() where !owners.contains(where: { $0.flow == flow }) {
            changes.append(.detached(flow: flow, parent: parent))
        }
        attached.removeAll { entry in !owners.contains { $0.flow == entry.flow } }
        for owner in owners where !attached.contains(where: { $0.flow == owner.flow }) {
            attached.append(owner)
            changes.append(.attached(flow: owner.flow, parent: owner.parent))
        }
        return changes
    }

    /// Detaches all, children before their parents: the window goes.
    public mutating func removeAll() -> [Change] {
        defer { attached = [] }
        return attached.reversed().map { .detached(flow: $0.flow, parent: $0.parent) }
    }

    /// For every destination of the window, bottom first as ``WindowState/destinations`` lists them, its owner.
    public func owner(ofEachIn window: WindowState) -> [String] {
        var flows: [String] = []
        walk(window) { flow, _ in flows.append(flow) }
        return flows
    }

    private func owners(in window: WindowState) -> [(flow: String, parent: String)] {
        var owners: [(flow: String, parent: String)] = []
        walk(window) { flow, parent in
            if !owners.contains(where: { $0.flow == flow }) { owners.append((flow, parent)) }
        }
        return owners
    }

    private func walk(_ window: WindowState, visit: (_ flow: String, _ parent: String) -> Void) {
        var below = Self.root
        for tab in window.tabs {
            var owner = tab.id
            for (depth, destination) in tab.stack.enumerated() {
                let flow = declaredFlow(destination) ?? owner
                visit(flow, depth == 0 ? Self.root : (flow == owner ? Self.root : owner))
                if tab.id == window.selectedTab { below = flow }
                if depth == 0 { owner = flow }
            }
        }
        for modal in window.modals {
            let parent = below
            for destination in modal.stack {
                let flow = modal.flow ?? declaredFlow(destination) ?? parent
                visit(flow, flow == parent ? Self.root : parent)
                below = flow
            }
        }
    }

    /// What happened to a coordinator.
    public enum Change: Hashable, Sendable {
        case attached(flow: String, parent: String)
        case detached(flow: String, parent: String)
    }
}
