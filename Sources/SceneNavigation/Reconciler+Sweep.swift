public import SceneRouting

extension Reconciler {
    /// The ops that remove what may no longer be shown, each container cut back to its deepest allowed prefix
    /// (S3 of <doc:/SceneRuntime/TheSession>).
    ///
    /// A tab's root stays: the manifest gives it no preconditions. A presentation whose first screen must go takes those
    /// above it along, as dismissing does in UIKit.
    /// - Parameter flowEnds: Whether presentations of this flow have become pointless.
    public static func sweep(
        _ window: WindowState,
        allowed: (Destination) -> Bool,
        flowEnds: (String?) -> Bool = { _ in false }
    ) -> [NavOp] {
        let gone = window.modals.firstIndex { modal in
            !(modal.stack.first.map(allowed) ?? false) || flowEnds(modal.flow)
        }
        var ops: [NavOp] = []
        for tab in window.tabs {
            let kept = tab.stack.dropFirst().prefix(while: allowed).count + 1
            if kept < tab.stack.count { ops.append(.popTo(tab: tab.id, depth: kept)) }
        }
        for (index, modal) in window.modals[..<(gone ?? window.modals.count)].enumerated() {
            let kept = modal.stack.prefix(while: allowed)
            if kept.count < modal.stack.count { ops.append(.setModalStack(index: index, Array(kept))) }
        }
        // Last, so that dismissing uncovers only what may be shown.
        if let gone { ops.append(.dismissModals(keeping: gone)) }
        return ops
    }
}
