// Clients of this module need the shared vocabulary as well.
@_exported public import SceneVocabulary
public import SceneRouting

/// A headless window. It alone knows what is shown, and it enforces UIKit's rules.
///
/// It is a state machine that takes no time: ``begin(_:)`` changes what is shown and starts a transition, just as UIKit's
/// containers change at the call and animate afterwards; ``completeTransition()`` ends it. The caller waits in between.
public struct Window: Sendable {
    /// What is shown.
    public private(set) var state: WindowState
    /// The op whose transition is in progress.
    public private(set) var transition: NavOp?
    /// Whether a screen of this name may be pushed onto another.
    private let repeats: @Sendable (String) -> Bool
    /// How many screens a stack may have, and presentations the chain.
    private let maximumDepth: @Sendable () -> Int

    /// About how many bytes of memory what a window shows may take.
    public static let maximumFootprint = 256 << 10

    /// A window that shows `state`.
    /// - Parameters:
    ///   - state: What it shows.
    ///   - maximumDepth: How many screens a stack may have now, and presentations the chain.
    ///   - repeats: Whether a destination of this name may be in a stack twice in a row.
    public init(
        state: WindowState,
        maximumDepth: @escaping @Sendable () -> Int = { Policies.usualStackDepth },
        repeats: @escaping @Sendable (String) -> Bool
    ) {
        self.state = state
        self.maximumDepth = maximumDepth
        self.repeats = repeats
    }

    /// Whether a transition is in progress.
    public var isTransitioning: Bool { transition != nil }

    /// Carries out an op. If it moves screens, the window is in transition until ``completeTransition()``.
    ///
    /// - Throws: The rule that the op would have broken; the window is then unchanged.
    public mutating func begin(_ op: NavOp) throws(NavigationViolation) { try begin(op, hasRoom: false) }

    /// Does what ``begin(_:)`` does.
    ///
    /// - Parameter hasRoom: Whether the op has room however full the window is.
    package mutating func begin(_ op: NavOp, hasRoom: Bool) throws(NavigationViolation) {
        if let transition {
            throw NavigationViolation(rule: .transitionInProgress, detail: "\(op) during \(transition)")
        }
        var next = state
        try Self.apply(op, to: &next)
        try check(next, adding: op.addsScreens)
        if op.footprint > 0, !hasRoom { try checkRoom(for: op, next) }
        state = next
        if op.isTransition { transition = op }
    }

    /// Begins the transition of an op without carrying it out: a swipe that will be let go.
    ///
    /// - Throws: The rule that the op would have broken.
    public mutating func beginCancelled(_ op: NavOp) throws(NavigationViolation) {
        let shown = state
        try begin(op)
        state = shown
    }

    /// Ends the transition in progress, if there is one.
    public mutating func completeTransition() {
        transition = nil
    }

    private static func apply(_ op: NavOp, to state: inout WindowState) throws(NavigationViolation) {
        switch op {
        case .dismissModals(let keeping):
            guard keeping >= 0, keeping < state.modals.count else {
                throw NavigationViolation(
                    rule: .noSuchPresentation,
                    detail: "dismiss to \(keeping) of \(state.modals.count)"
                )
            }
            state.modals.removeSubrange(keeping...)
        case .selectTab(let tab):
            _ = try index(of: tab, in: state)
            state.selectedTab = tab
        case .popTo(let tab, let depth):
            let index = try index(of: tab, in: state)
            guard depth >= 1 else { throw NavigationViolation(rule: .popOfRoot, detail: "pop \(tab) to \(depth)") }
            let count = state.tabs[index].stack.count
            guard depth <= count else {
                throw NavigationViolation(rule: .noSuchDepth, detail: "pop \(tab) to \(depth) of \(count)")
            }
            state.tabs[index].stack.removeSubrange(depth...)
        case .push(let tab, let destination):
            state.tabs[try index(of: tab, in: state)].stack.append(destination)
        case .setStack(let tab, let stack):
            state.tabs[try index(of: tab, in: state)].stack = stack
        case .update(let tab, let depth, let destination):
            let index = try index(of: tab, in: state)
            guard state.tabs[index].stack.indices.contains(depth), state.tabs[index].stack[depth].id == destination.id
            else { throw NavigationViolation(rule: .noSuchDepth, detail: "update \(destination) at \(depth)") }
            state.tabs[index].stack[depth] = destination
        case .present(let modal):
            state.modals.append(modal)
        case .setModalStack(let index, let stack):
            guard state.modals.indices.contains(index) else {
                throw NavigationViolation(rule: .noSuchPresentation, detail: "presentation \(index)")
            }
            state.modals[index].stack = stack
        case .updateModal(let index, let depth, let destination):
            guard state.modals.indices.contains(index) else {
                throw NavigationViolation(rule: .noSuchPresentation, detail: "presentation \(index)")
            }
            let stack = state.modals[index].stack
            guard stack.indices.contains(depth), stack[depth].id == destination.id else {
                throw NavigationViolation(rule: .noSuchDepth, detail: "update \(destination) at \(depth)")
            }
            state.modals[index].stack[depth] = destination
        case .setRoot(let tabs, let selected):
            state = WindowState(tabs: tabs, selectedTab: selected)
            _ = try index(of: selected, in: state)
        }
    }

    /// Checks the rules for every state. That no screen stands on itself is checked only if the op adds screens: after a
    /// reload a stack may have such a screen, and it must be possible to remove it.
    private func check(_ state: WindowState, adding: Bool) throws(NavigationViolation) {
        for tab in state.tabs where tab.stack.isEmpty {
            throw NavigationViolation(rule: .popOfRoot, detail: "a tab without screens")
        }
        for modal in state.modals where modal.stack.isEmpty {
            throw NavigationViolation(rule: .noSuchPresentation, detail: "a presentation without screens")
        }
        guard adding else { return }
        for tab in state.tabs { try check(tab.stack) }
        for modal in state.modals { try check(modal.stack) }
    }

    /// Whether one of `ops`, carried out one after the other, would break ``NavigationViolation/Rule/stackFull``.
    package func isFull(for ops: [NavOp]) -> Bool {
        let added = ops.reduce(0) { $0 + $1.footprint }
        guard added > 0 else { return false }
        // Nearly always there is room to spare.
        let deepest =
            (state.tabs.map(\.stack.count) + state.modals.map(\.stack.count) + [state.modals.count]).max() ?? 0
        if deepest + ops.reduce(0, { $0 + $1.addedScreens }) <= maximumDepth(),
            state.footprint + added <= Self.maximumFootprint
        {
            return false
        }
        var window = self
        for op in ops {
            window.completeTransition()
            do throws(NavigationViolation) {
                try window.begin(op)
            } catch {
                return error.rule == .stackFull
            }
        }
        return false
    }

    /// Checks that what an op adds has room. What was there before may stay, however much it is: a reload may allow less than
    /// the manifest before. Another root comes from the manifest and always has room.
    private func checkRoom(for op: NavOp, _ next: WindowState) throws(NavigationViolation) {
        if case .setRoot = op { return }
        let most = maximumDepth()
        func check(_ count: Int, after old: Int?, _ what: @autoclosure () -> String) throws(NavigationViolation) {
            guard count > most, count > old ?? 0 else { return }
            throw NavigationViolation(
                rule: .stackFull,
                detail: "\(what()) would be \(count) deep; the app allows \(most)"
            )
        }
        try check(next.modals.count, after: state.modals.count, "the chain of presentations")
        for (index, tab) in next.tabs.enumerated() {
            try check(tab.stack.count, after: state.tabs[index].stack.count, "tab \(tab.id)")
        }
        for (index, modal) in next.modals.enumerated() {
            let old = state.modals.indices.contains(index) ? state.modals[index].stack.count : nil
            try check(modal.stack.count, after: old, "presentation \(index)")
        }
        let size = next.footprint
        guard size > Self.maximumFootprint, size > state.footprint else { return }
        throw NavigationViolation(
            rule: .stackFull,
            detail: "the window would take \(size) bytes; it may take \(Self.maximumFootprint)"
        )
    }

    private func check(_ stack: [Destination]) throws(NavigationViolation) {
        for index in stack.indices.dropFirst()
        where stack[index].id == stack[index - 1].id && !repeats(stack[index].id) {
            throw NavigationViolation(rule: .pushedTwice, detail: "\(stack[index]) on \(stack[index - 1])")
        }
    }

    private static func index(of tab: String, in state: WindowState) throws(NavigationViolation) -> Int {
        guard let index = state.tabs.firstIndex(where: { $0.id == tab }) else {
            throw NavigationViolation(rule: .noSuchTab, detail: tab)
        }
        return index
    }
}

extension NavOp {
    /// Whether the op can add screens.
    var addsScreens: Bool {
        switch self {
        case .push, .setStack, .present, .setModalStack, .setRoot: true
        case .dismissModals, .selectTab, .popTo, .update, .updateModal: false
        }
    }

    /// How many screens the op adds at most.
    fileprivate var addedScreens: Int {
        switch self {
        case .push: 1
        case .setStack(_, let stack), .setModalStack(_, let stack): stack.count
        case .present(let modal): modal.stack.count
        case .setRoot(let tabs, _): tabs.reduce(0) { $0 + $1.stack.count }
        case .dismissModals, .selectTab, .popTo, .update, .updateModal: 0
        }
    }

    /// Whether the op moves screens, so that there is a transition. An update in place has none.
    public var isTransition: Bool {
        switch self {
        case .update, .updateModal: false
        case .dismissModals, .selectTab, .popTo, .push, .setStack, .present, .setModalStack, .setRoot: true
        }
    }
}

/// A rule of UIKit that an op would have broken. The window refuses the op and stays as it was.
public struct NavigationViolation: Error, Hashable, Sendable {
    /// The rule.
    public let rule: Rule
    /// What was attempted, in words.
    public let detail: String

    /// The rules. In UIKit, breaking one raises an exception or fails silently.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// A transition was begun while another was in progress.
        case transitionInProgress
        /// The tab does not exist.
        case noSuchTab
        /// A root was to be popped, or a stack to be made empty.
        case popOfRoot
        /// The stack does not have this depth, or has another screen there.
        case noSuchDepth
        /// The same screen twice in a row, though the destination is not declared to repeat.
        case pushedTwice
        /// A presentation without screens, or an op on a presentation that is not there.
        case noSuchPresentation
        /// A stack or the chain of presentations would be deeper than the app allows, or the window larger than
        /// ``Window/maximumFootprint``. In UIKit nothing stops an app from using up its memory so.
        case stackFull
    }
}

extension NavigationViolation: CustomStringConvertible {
    /// The rule and what was attempted: `popOfRoot: pop home to 0`.
    public var description: String { "\(rule.rawValue): \(detail)" }
}

extension WindowState {
    /// The flow that is shown instead of tabs; `nil` if tabs are shown, or a flow that is not a root of this app.
    public func rootFlow(_ engine: RoutingEngine) -> String? {
        guard tabs.count == 1, let root = tabs.first, root.id == Self.rootTab, let first = root.stack.first else {
            return nil
        }
        return engine.rootFlow(ofScreen: first.id)
    }

    /// Whether the flow is presented, or shown instead of tabs.
    public func shows(flow: String, _ engine: RoutingEngine) -> Bool {
        modals.contains { $0.flow == flow } || rootFlow(engine) == flow
    }

    /// Whether the window shows the flow of a presentation, and not as this one in front of every other flow: below another, in
    /// another style, with another first screen, or instead of tabs. Then the flow is not presented once more, because it has one
    /// coordinator (<doc:/SceneRuntime/Windows>).
    public func showsOtherwise(flowOf modal: ModalState, _ engine: RoutingEngine) -> Bool {
        guard let flow = modal.flow else { return false }
        guard let top = modals.lastIndex(where: { $0.flow == flow }) else { return rootFlow(engine) == flow }
        return !modals[top].isSamePresentation(as: modal) || modals[(top + 1)...].contains { $0.flow != nil }
    }
}
