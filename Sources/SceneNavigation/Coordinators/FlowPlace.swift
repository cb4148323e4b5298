public import SceneRouting

/// Where a flow is in a window: the container, and the part of its stack that belongs to the flow.
public struct FlowPlace: Hashable, Sendable {
    /// The tab or presentation whose stack has the flow's screens.
    public let container: Container
    /// The container's whole stack, root first.
    public let stack: [Destination]
    /// How many screens of the stack are below the flow's first.
    public let base: Int

    /// A stack of the window.
    public enum Container: Hashable, Sendable {
        /// The tab of this name.
        case tab(String)
        /// The presentation at this place of the chain, 0 for the lowest.
        case modal(Int)
    }

    /// Finds the topmost stack in which the flow owns a screen.
    ///
    /// - Parameter owners: For each of ``WindowState/destinations``, the flow that owns it.
    /// - Returns: `nil` when the flow is not shown.
    public init?(of flow: String, in window: WindowState, owners: [String]) {
        var stacks: [(container: Container, stack: [Destination])] = []
        // The selected tab wins over other tabs: a flow moves where it is seen.
        stacks += window.tabs.map { (.tab($0.id), $0.stack) }
        stacks += window.modals.enumerated().map { (.modal($0.offset), $0.element.stack) }
        var offset = 0
        var found: FlowPlace?
        for (container, stack) in stacks {
            let own = owners[offset..<(offset + stack.count)]
            offset += stack.count
            guard let base = own.firstIndex(of: flow) else { continue }
            if case .tab(window.selectedTab)? = found?.container, case .tab = container { continue }
            found = FlowPlace(container: container, stack: stack, base: base - own.startIndex)
        }
        guard let found else { return nil }
        self = found
    }

    private init(container: Container, stack: [Destination], base: Int) {
        self.container = container
        self.stack = stack
        self.base = base
    }

    /// The flow's screens, root first, with everything that was pushed onto them.
    public var screens: [Destination] { Array(stack[base...]) }

    /// The op for a command that moves within the flow.
    ///
    /// - Returns: The op and whether its transition is animated; `nil` for a command that is not a move.
    /// - Throws: Why the flow cannot move so.
    public func op(for command: FlowCommand) throws(Obstacle) -> (op: NavOp, animated: Bool)? {
        switch command {
        case .push(let screen, let animated):
            if case .tab(let tab) = container { return (.push(tab: tab, screen), animated) }
            return (replacing(stack + [screen]), animated)
        case .pop(let count, let animated):
            guard count >= 1, count < screens.count else { throw .nothingToPop }
            return (popping(to: stack.count - count), animated)
        case .popTo(let screen, let animated):
            guard let place = screens.dropLast().lastIndex(where: { $0.id == screen }) else { throw .nothingToPop }
            return (popping(to: base + place + 1), animated)
        case .popToRoot(let animated):
            guard screens.count > 1 else { throw .nothingToPop }
            return (popping(to: base + 1), animated)
        case .replace(let screen, let animated):
            // A tab keeps its root, but a flow shown instead of tabs may have another first screen.
            if case .tab(let tab) = container, stack.count == 1, tab != WindowState.rootTab { throw .rootStays }
            return (replacing(stack.dropLast() + [screen]), animated)
        case .route, .session, .finish: return nil
        }
    }

    /// The op that takes the flow off the window, back to where it was started from. The flow's presentation, or its screens,
    /// leave with everything above them. A flow at the bottom of a tab cannot leave; it goes back to its first screen.
    ///
    /// - Returns: `nil` if there is nothing to do.
    public func leaving(_ window: WindowState, flow: String) -> NavOp? {
        switch container {
        case .modal(let index):
            // All presentations of the flow leave together.
            let first = window.modals[...index].lastIndex { $0.flow != flow }.map { $0 + 1 } ?? 0
            if base > 0 { return .setModalStack(index: index, Array(stack[..<base])) }
            return .dismissModals(keeping: min(first, index))
        case .tab(let tab):
            let depth = max(base, 1)
            return depth < stack.count ? .popTo(tab: tab, depth: depth) : nil
        }
    }

    /// Why a flow cannot make a move. The raw value is the reason of the outcome `rejected`.
    public enum Obstacle: String, Error, Hashable, Sendable {
        /// The flow shows only its first screen, has fewer screens than the command pops, or does not have the screen to which it
        /// pops below the one on top.
        case nothingToPop
        /// The screen is the root of a tab.
        case rootStays
    }

    private func popping(to depth: Int) -> NavOp {
        if case .tab(let tab) = container { return .popTo(tab: tab, depth: depth) }
        return replacing(Array(stack[..<depth]))
    }

    private func replacing(_ stack: [Destination]) -> NavOp {
        switch container {
        case .tab(let tab): .setStack(tab: tab, stack)
        case .modal(let index): .setModalStack(index: index, stack)
        }
    }
}
