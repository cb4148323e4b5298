extension Gesture {
    /// The op that the gesture causes in a window, as in UIKit.
    ///
    /// - Parameters:
    ///   - hidesBack: Whether the topmost screen hides the way back.
    ///   - hasTabs: Whether the window shows tabs rather than a flow instead of them.
    /// - Throws: Why the gesture has no effect.
    public func op(in window: WindowState, hidesBack: Bool, hasTabs: Bool) throws(NoEffect) -> NavOp {
        switch self {
        case .back, .swipeBack: try Self.back(in: window, hidesBack)
        case .dismiss: try Self.dismiss(in: window) { _ in true }
        case .swipeDown: try Self.dismiss(in: window) { $0 == .sheet || $0 == .popover }
        case .selectTab(let tab): try Self.select(tab, in: window, hasTabs)
        }
    }

    /// Why a gesture has no effect. The raw value is the reason of the outcome `ignored`.
    public enum NoEffect: String, Error, Hashable, Sendable, CaseIterable {
        /// A transition was in progress when the finger touched.
        case inTransition
        /// The stack shows its root.
        case nothingToPop
        /// The screen hides the way back.
        case backHidden
        /// There is no presentation to dismiss.
        case nothingPresented
        /// A full screen or an alert cannot be swiped away.
        case notSwipeable
        /// A presentation covers the tabs.
        case tabsCovered
        /// The window shows a flow instead of tabs.
        case noTabs
        /// The window has no such tab.
        case noSuchTab
        /// The tab is selected and shows its root.
        case atRoot
        /// The swipe was begun and then cancelled.
        case swipeCancelled
    }

    private static func back(in window: WindowState, _ hidesBack: Bool) throws(NoEffect) -> NavOp {
        let stack = window.modals.last?.stack ?? window.selectedStack
        guard stack.count > 1 else { throw .nothingToPop }
        guard !hidesBack else { throw .backHidden }
        guard window.modals.isEmpty else {
            return .setModalStack(index: window.modals.count - 1, Array(stack.dropLast()))
        }
        return .popTo(tab: window.selectedTab, depth: stack.count - 1)
    }

    private static func dismiss(
        in window: WindowState,
        allowed: (ModalStyle) -> Bool
    ) throws(NoEffect) -> NavOp {
        guard let top = window.modals.last else { throw .nothingPresented }
        guard allowed(top.style) else { throw .notSwipeable }
        return .dismissModals(keeping: window.modals.count - 1)
    }

    private static func select(
        _ tab: String,
        in window: WindowState,
        _ hasTabs: Bool
    ) throws(NoEffect) -> NavOp {
        guard hasTabs else { throw .noTabs }
        guard window.modals.isEmpty else { throw .tabsCovered }
        guard let stack = window.stack(of: tab) else { throw .noSuchTab }
        guard tab == window.selectedTab else { return .selectTab(tab) }
        guard stack.count > 1 else { throw .atRoot }
        return .popTo(tab: tab, depth: 1)
    }
}
