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

    /// The lowest presentation that goes with the flow's when the flow leaves; `nil` if the flow is in a tab.
    private let lowest: Int?
    /// Whether the flow has more screens directly below that one.
    private let hasMoreBelow: Bool

    /// Finds the topmost stack in which the flow owns a screen.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - window: The window.
    ///   - owners: For each of ``/SceneVocabulary/WindowState/destinations``, the flow that owns it.
    /// - Returns: `nil` when the flow is not shown.
    public init?(of flow: String, in window: WindowState, owners: [String]) {
        var offset = 0
        var tab: (id: String, stack: [Destination], base: Int)?
        // Whether what is directly below the next presentation belongs to the flow.
        var isBelow = false
        for candidate in window.tabs {
            let own = owners[offset..<(offset + candidate.stack.count)]
            offset += candidate.stack.count
            guard let first = own.firstIndex(of: flow) else { continue }
            if candidate.id == window.selectedTab { isBelow = own.last == flow }
            // The selected tab wins over other tabs: a flow moves where it is seen.
            if tab?.id == window.selectedTab { continue }
            tab = (candidate.id, candidate.stack, first - own.startIndex)
        }
        var found: (index: Int, base: Int)?
        var (lowest, hasMoreBelow) = (0, false)
        for (index, modal) in window.modals.enumerated() {
            let own = owners[offset..<(offset + modal.stack.count)]
            offset += modal.stack.count
            guard let first = own.firstIndex(of: flow) else {
                isBelow = false
                continue
            }
            let base = first - own.startIndex
            if base > 0 {
                // It begins with another flow's screen, so it stays.
                (lowest, hasMoreBelow) = (index + 1, true)
            } else if found == nil || !isBelow {
                (lowest, hasMoreBelow) = (index, isBelow)
            }
            found = (index, base)
            isBelow = own.last == flow
        }
        if let found {
            (container, stack, base) = (.modal(found.index), window.modals[found.index].stack, found.base)
            (self.lowest, self.hasMoreBelow) = (lowest, hasMoreBelow)
        } else if let tab {
            (container, stack, base) = (.tab(tab.id), tab.stack, tab.base)
            (self.lowest, self.hasMoreBelow) = (nil, false)
        } else {
            return nil
        }
    }

    /// The flow's screens, root first, with everything that was pushed onto them.
    public var screens: [Destination] { Array(stack[base...]) }

    /// The op for a command that moves within the flow.
    ///
    /// A move back goes no further than to the flow's first screen.
    ///
    /// - Returns: The op and whether its transition is animated; `nil` for a command that is not a move, and for a move back where there
    ///   is nothing to go back to.
    /// - Throws: Why the flow cannot move so.
    public func op(for command: FlowCommand) throws(Obstacle) -> (op: NavOp, animated: Bool)? {
        switch command {
        case .push(let screen, let animated):
            if case .tab(let tab) = container { return (.push(tab: tab, screen), animated) }
            return (replacing(stack + [screen]), animated)
        case .pop(let count, let animated):
            let screens = screens.count
            guard count >= 1, screens > 1 else { return nil }
            return (popping(to: base + max(1, screens - count)), animated)
        case .popTo(let screen, let animated):
            guard let place = screens.dropLast().lastIndex(where: { $0.id == screen }) else { return nil }
            return (popping(to: base + place + 1), animated)
        case .popToRoot(let animated):
            guard screens.count > 1 else { return nil }
            return (popping(to: base + 1), animated)
        case .replace(let screen, let animated):
            // A tab keeps its root, but a flow shown instead of tabs may have another first screen.
            if case .tab(let tab) = container, stack.count == 1, tab != WindowState.rootTab { throw .rootStays }
            return (replacing(stack.dropLast() + [screen]), animated)
        case .route, .session, .start, .finish, .openWindow, .closeWindow, .closeWindows, .refreshWindow,
            .refreshWindows, .answer:
            return nil
        }
    }

    /// The op that takes the flow off the window, back to where it was started from. The flow's presentations, or its screens,
    /// leave with everything above them. A flow at the bottom of a tab cannot leave; it goes back to its first screen.
    ///
    /// - Returns: The op, and whether the flow has more screens directly below what the op removes, which leave next; `nil` if
    ///   there is nothing to do.
    public var leaving: (op: NavOp, hasMoreBelow: Bool)? {
        switch container {
        case .modal(let index):
            guard let lowest, lowest <= index else {
                return (.setModalStack(index: index, Array(stack[..<base])), false)
            }
            return (.dismissModals(keeping: lowest), hasMoreBelow)
        case .tab(let tab):
            let depth = max(base, 1)
            return depth < stack.count ? (.popTo(tab: tab, depth: depth), false) : nil
        }
    }

    /// Why a flow cannot make a move. The raw value is the reason of the outcome `rejected`.
    public enum Obstacle: String, Error, Hashable, Sendable {
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
