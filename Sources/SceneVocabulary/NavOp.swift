/// One change to a window. A plan is a list of these; each carries all it needs.
public enum NavOp: Hashable, Sendable {
    /// Dismisses presentations from the top until `keeping` are left.
    case dismissModals(keeping: Int)
    /// Shows another tab with its stack as it is.
    case selectTab(String)
    /// Pops the tab's stack until `depth` screens are left, at least 1.
    case popTo(tab: String, depth: Int)
    /// Pushes one screen on the tab's stack.
    case push(tab: String, Destination)
    /// Replaces the tab's stack in one transition. A screen whose place keeps its destination ID is reused.
    case setStack(tab: String, [Destination])
    /// Gives the screen at `depth`, counted from 0 at the root, other parameters without a transition.
    case update(tab: String, depth: Int, Destination)
    /// Presents over everything else in the window.
    case present(ModalState)
    /// Replaces the stack of the presentation at `index`, as ``setStack(tab:_:)`` does for a tab.
    case setModalStack(index: Int, [Destination])
    /// Gives a screen of the presentation at `index` other parameters, as ``update(tab:depth:_:)`` does in a tab.
    case updateModal(index: Int, depth: Int, Destination)
    /// Replaces the root by other tabs, or by a flow instead of tabs. Presentations go with the old root.
    case setRoot([TabState], selected: String)
}

extension NavOp {
    /// The ops' names in records.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// The case of ``NavOp`` with the same name.
        case dismissModals, selectTab, popTo, push, setStack, update, present, setModalStack, updateModal, setRoot
    }

    /// The op's name in records.
    public var name: Name {
        switch self {
        case .dismissModals: .dismissModals
        case .selectTab: .selectTab
        case .popTo: .popTo
        case .push: .push
        case .setStack: .setStack
        case .update: .update
        case .present: .present
        case .setModalStack: .setModalStack
        case .updateModal: .updateModal
        case .setRoot: .setRoot
        }
    }
}

extension NavOp: CustomStringConvertible {
    /// What the op does, in words: `push product(id: p1004)`.
    public var description: String {
        switch self {
        case .dismissModals(let keeping): "dismiss modals" + (keeping > 0 ? " but \(keeping)" : "")
        case .selectTab(let tab): "select tab \(tab)"
        case .popTo(let tab, let depth): "pop \(tab) to depth \(depth)"
        case .push(_, let destination): "push \(destination)"
        case .setStack(let tab, let stack): "set \(tab) to \(WindowNotation.stack(stack))"
        case .update(_, _, let destination), .updateModal(_, _, let destination): "update \(destination)"
        case .present(let modal): "present \(modal)"
        case .setModalStack(_, let stack): "set modal to \(WindowNotation.stack(stack))"
        case .setRoot(let tabs, _): "set root to \(tabs.map(\.id).joined(separator: ", "))"
        }
    }
}
