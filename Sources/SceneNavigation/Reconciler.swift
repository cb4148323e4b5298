public import SceneRouting

/// Plans the ops by which a window comes to show a target. It is pure: the same input always gives the same plan.
///
/// The rules are those of <doc:/SceneRuntime/Windows>. Screens match by ID; if only parameters differ the screen is updated
/// in place.
public enum Reconciler {
    /// The ops that lead from `window` to `target`, in the order to apply them; empty if the target is already shown.
    ///
    /// - Parameters:
    ///   - window: What is shown.
    ///   - target: What is to be shown.
    ///   - source: An external request makes the declared ancestry the tab's stack. An internal one keeps what the user built
    ///     up and goes the shortest way.
    ///   - repeats: Whether an internal request may push a destination of this name onto itself.
    public static func plan(
        from window: WindowState,
        to target: Target,
        source: RouteSource,
        repeats: (String) -> Bool = { _ in false }
    ) -> [NavOp] {
        let (tab, path, presented): (String, [Destination], [ModalState])
        switch target {
        case .placed(let ofTarget, let stack, let modals): (tab, path, presented) = (ofTarget, stack, modals)
        case .overCurrent(let modal):
            let repeats = source == .internal && modal.stack.first.map { repeats($0.id) } ?? false
            return plan(over: window.modals, to: modal, repeats: repeats)
        }
        let modals = modalPlan(from: window.modals, to: presented)
        let current = window.stack(of: tab) ?? []
        let wanted: [Destination]
        switch source {
        case .external: wanted = path
        case .internal:
            wanted = internalStack(
                from: current,
                to: path,
                isBelow: !presented.isEmpty,
                sameTab: window.selectedTab == tab,
                repeats: repeats
            )
        }
        // Change what is covered, or in another tab, before uncovering it. Otherwise a screen that the target does not have,
        // and that may be forbidden by now (S6), would be visible for the length of one op.
        var ops = stackPlan(tab: tab, from: current, to: wanted)
        if window.selectedTab != tab { ops.append(.selectTab(tab)) }
        ops += modals.updates
        if modals.kept < window.modals.count { ops.append(.dismissModals(keeping: modals.kept)) }
        ops += modals.presentations
        return ops
    }

    /// The ops that present something over whatever is shown. If it is presented already, the window goes back to it, unless that
    /// would take a flow away.
    ///
    /// - Parameter repeats: Whether it may be presented over itself.
    private static func plan(over current: [ModalState], to wanted: ModalState, repeats: Bool) -> [NavOp] {
        let place =
            repeats
            ? current.indices.last.flatMap { current[$0] == wanted ? $0 : nil }
            : current.lastIndex { $0.isSamePresentation(as: wanted) }
        guard let place, current[(place + 1)...].allSatisfy({ $0.flow == nil }) else { return [.present(wanted)] }
        let updates = modalStackPlan(index: place, from: current[place].stack, to: wanted.stack)
        return updates + (place < current.count - 1 ? [.dismissModals(keeping: place + 1)] : [])
    }

    /// The stack that an internal request leads to: back to the leaf if the stack has it, else the leaf on top; in another
    /// tab, the longest prefix that the stack shares with the declared ancestry, and then the rest of the ancestry.
    ///
    /// - Parameter isBelow: Whether the target is presented over the path. If the stack has the leaf as it should be, what is on top
    ///   of it stays, too.
    private static func internalStack(
        from current: [Destination],
        to path: [Destination],
        isBelow: Bool,
        sameTab: Bool,
        repeats: (String) -> Bool
    ) -> [Destination] {
        guard let leaf = path.last, !current.isEmpty else { return path }
        if isBelow, current.contains(leaf) { return current }
        if repeats(leaf.id), sameTab {
            return current.last == leaf ? current : current + [leaf]
        }
        if let index = current.lastIndex(where: { $0.id == leaf.id }) {
            return Array(current[..<index]) + [leaf]
        }
        guard !sameTab else { return current + [leaf] }
        let shared = commonPrefix(current, path)
        return Array(current[..<shared]) + path[shared...]
    }

    /// The fewest ops that turn one stack into another.
    private static func stackPlan(tab: String, from current: [Destination], to wanted: [Destination]) -> [NavOp] {
        let shared = commonPrefix(current, wanted)
        let updates = (0..<shared).filter { current[$0] != wanted[$0] }
            .map { NavOp.update(tab: tab, depth: $0, wanted[$0]) }
        switch (current.count - shared, wanted.count - shared) {
        case (0, 0): return updates
        case (0, 1): return updates + [.push(tab: tab, wanted[shared])]
        case (_, 0): return updates + [.popTo(tab: tab, depth: shared)]
        default: return [.setStack(tab: tab, wanted)]
        }
    }

    /// How many presentations stay, what changes in them, and what is presented once those above are gone.
    private static func modalPlan(
        from current: [ModalState],
        to wanted: [ModalState]
    ) -> (kept: Int, updates: [NavOp], presentations: [NavOp]) {
        var updates: [NavOp] = []
        var kept = 0
        while kept < current.count, kept < wanted.count, current[kept].isSamePresentation(as: wanted[kept]) {
            updates += modalStackPlan(index: kept, from: current[kept].stack, to: wanted[kept].stack)
            kept += 1
        }
        return (kept, updates, wanted[kept...].map { .present($0) })
    }

    /// Updates in place if only parameters differ, else one op that replaces the stack.
    private static func modalStackPlan(
        index: Int,
        from current: [Destination],
        to wanted: [Destination]
    ) -> [NavOp] {
        guard current.map(\.id) == wanted.map(\.id) else { return [.setModalStack(index: index, wanted)] }
        return wanted.indices.filter { current[$0] != wanted[$0] }
            .map { .updateModal(index: index, depth: $0, wanted[$0]) }
    }

    private static func commonPrefix(_ one: [Destination], _ other: [Destination]) -> Int {
        var length = 0
        while length < one.count, length < other.count, one[length].id == other[length].id { length += 1 }
        return length
    }
}

extension ModalState {
    /// Whether it is the same flow's, in the same style, with the same first screen.
    func isSamePresentation(as other: ModalState) -> Bool {
        flow == other.flow && style == other.style && stack.first?.id == other.stack.first?.id
    }
}

extension Reconciler {
    /// The ops that remove what may no longer be shown. Each container is cut back to its deepest allowed prefix
    /// (S3 of <doc:/SceneRuntime/TheSession>).
    ///
    /// A tab's root stays, because the manifest cannot give it preconditions. If the first screen of a presentation must go,
    /// the presentation is dismissed with all those above it, as in UIKit.
    /// - Parameters:
    ///   - window: What is shown.
    ///   - allowed: Whether a destination may be shown.
    ///   - flowEnds: Whether presentations of this flow (`nil` for those of no flow) have become pointless.
    public static func sweep(
        _ window: WindowState,
        allowed: (Destination) -> Bool,
        flowEnds: (String?) -> Bool = { _ in false }
    ) -> [NavOp] {
        let destinations = window.destinations
        return sweep(window, staying: { allowed(destinations[$0]) }, flowEnds: flowEnds)
    }

    /// Does what ``sweep(_:allowed:flowEnds:)`` does, where the same destination may stay at one place and not at another.
    ///
    /// - Parameter staying: Whether the destination at this place of ``/SceneVocabulary/WindowState/destinations`` may stay there.
    package static func sweep(
        _ window: WindowState,
        staying: (_ place: Int) -> Bool,
        flowEnds: (String?) -> Bool = { _ in false }
    ) -> [NavOp] {
        var place = 0
        /// How many of the next stack's screens stay, if the first `certain` do.
        func kept(_ stack: [Destination], certain: Int = 0) -> Int {
            defer { place += stack.count }
            return certain + (place + certain..<place + stack.count).prefix(while: staying).count
        }
        var ops: [NavOp] = []
        for tab in window.tabs {
            let kept = kept(tab.stack, certain: 1)
            if kept < tab.stack.count { ops.append(.popTo(tab: tab.id, depth: kept)) }
        }
        for (index, modal) in window.modals.enumerated() {
            let kept = kept(modal.stack)
            // Dismiss last, so that this uncovers only what may be shown.
            if kept == 0 || flowEnds(modal.flow) { return ops + [.dismissModals(keeping: index)] }
            if kept < modal.stack.count { ops.append(.setModalStack(index: index, Array(modal.stack.prefix(kept)))) }
        }
        return ops
    }
}
