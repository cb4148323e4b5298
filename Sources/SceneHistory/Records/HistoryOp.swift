package import SceneVocabulary

/// A change of a window.
package enum HistoryOp: Hashable, Sendable {
    /// An op that this checker knows.
    case known(NavOp)
    /// An op of a newer version; its effect is not judged.
    case other(name: String)
}

extension HistoryOp {
    /// The op's name in the record.
    var name: String {
        switch self {
        case .known(let op): op.name.rawValue
        case .other(let name): name
        }
    }

    /// The window after the op.
    /// - Returns: `nil` if the op cannot be applied to this window.
    func applied(to layout: WindowState) -> WindowState? {
        guard case .known(let op) = self else { return nil }
        var next = layout
        switch op {
        case .dismissModals(let keeping):
            guard next.modals.indices.contains(keeping) else { return nil }
            next.modals.removeSubrange(keeping...)
        case .selectTab(let tab):
            guard next.tabs.contains(where: { $0.id == tab }) else { return nil }
            next.selectedTab = tab
        case .popTo(let tab, let depth):
            guard let index = next.index(of: tab), (1...next.tabs[index].stack.count).contains(depth) else {
                return nil
            }
            next.tabs[index].stack.removeSubrange(depth...)
        case .push(let tab, let destination):
            guard let index = next.index(of: tab) else { return nil }
            next.tabs[index].stack.append(destination)
        case .setStack(let tab, let stack):
            guard let index = next.index(of: tab) else { return nil }
            next.tabs[index].stack = stack
        case .update(let tab, let depth, let destination):
            guard let index = next.index(of: tab), next.tabs[index].stack.indices.contains(depth),
                next.tabs[index].stack[depth].id == destination.id
            else { return nil }
            next.tabs[index].stack[depth] = destination
        case .present(let modal): next.modals.append(modal)
        case .setModalStack(let index, let stack):
            guard next.modals.indices.contains(index) else { return nil }
            next.modals[index].stack = stack
        case .updateModal(let index, let depth, let destination):
            guard next.modals.indices.contains(index), next.modals[index].stack.indices.contains(depth),
                next.modals[index].stack[depth].id == destination.id
            else { return nil }
            next.modals[index].stack[depth] = destination
        case .setRoot(let tabs, let selected):
            next = WindowState(tabs: tabs, selectedTab: selected)
        }
        return next
    }
}

extension WindowState {
    /// The index of the tab; `nil` if it does not exist or has no screens.
    fileprivate func index(of tab: String) -> Int? {
        tabs.firstIndex { $0.id == tab && !$0.stack.isEmpty }
    }
}

extension HistoryOp {
    /// Whether it shows another root.
    var isRoot: Bool { if case .known(.setRoot) = self { true } else { false } }
}
