public import SceneRouting

extension Reconciler {
    /// The ops that remove what may no longer be shown, each container cut back to its deepest allowed prefix (S3).
    ///
    /// A tab's root stays: the manifest gives it no preconditions. A presentation whose first screen must go takes those
    /// above it along, as dismissing does in UIKit.
    /// - Parameter flowEnds: Whether presentations of this flow have become pointless.
    public static func sweep(
        _ window: WindowState,
        allowed: (Destination) -> Bool,
        flowEnds: (String?) -> Bool = { _ in false }
    ) -> [NavOp] {
        var ops: [NavOp] = []
        var modals = window.modals
        if let first = modals.firstIndex(where: { !($0.stack.first.map(allowed) ?? false) || flowEnds($0.flow) }) {
            ops.append(.dismissModals(keeping: first))
            modals.removeSubrange(first...)
        }
        for tab in window.tabs {
            let kept = tab.stack.dropFirst().prefix(while: allowed).count + 1
            if kept < tab.stack.count { ops.append(.popTo(tab: tab.id, depth: kept)) }
        }
        for (index, modal) in modals.enumerated() {
            let kept = modal.stack.prefix(while: allowed)
            if kept.count < modal.stack.count { ops.append(.setModalStack(index: index, Array(kept))) }
        }
        return ops
    }
}
