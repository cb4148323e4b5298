// Whoever imports this module speaks these words too.
@_exported public import SceneVocabulary
public import SceneRouting

/// A headless window: the only truth about what is shown, with UIKit's rules.
///
/// A state machine without time of its own: ``begin(_:)`` starts a transition and changes what is shown, as UIKit's
/// containers change at the call and animate afterwards; ``completeTransition()`` ends it. Whoever drives the window
/// waits in between.
public struct Window: Sendable {
    /// What is shown.
    public private(set) var state: WindowState
    /// The op whose transition is in progress.
    public private(set) var transition: NavOp?
    /// Destinations that may stand on themselves.
    private let repeats: @Sendable (String) -> Bool

    /// A window showing `state`; `repeats` says which destination IDs may stand twice in a row.
    public init(state: WindowState, repeats: @escaping @Sendable (String) -> Bool) {
        self.state = state
        self.repeats = repeats
    }

    /// Whether a transition is in progress.
    public var isTransitioning: Bool { transition != nil }

    /// Carries out an op. One that moves screens leaves the window in transition until ``completeTransition()``.
    ///
    /// - Throws: The rule it would have broken; the window is then unchanged.
    public mutating func begin(_ op: NavOp) throws(NavigationViolation) {
        if let transition {
            throw NavigationViolation(rule: .transitionInProgress, detail: "\(op) during \(transition)")
        }
        var next = state
        try Self.apply(op, to: &next)
        try check(next, adding: op.addsScreens)
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

    /// The rules that hold for every state, whichever op led there; that no screen stands on itself only where the op adds
    /// some: a reload may have forbidden what stood there before, and that must not be in the way of taking it away.
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
    /// Whether screens can be there afterwards that were not there before.
    var addsScreens: Bool {
        switch self {
        case .push, .setStack, .present, .setModalStack, .setRoot: true
        case .dismissModals, .selectTab, .popTo, .update, .updateModal: false
        }
    }

    /// Whether the op moves screens, so that a transition is seen; an update in place is not.
    public var isTransition: Bool {
        switch self {
        case .update, .updateModal: false
        case .dismissModals, .selectTab, .popTo, .push, .setStack, .present, .setModalStack, .setRoot: true
        }
    }
}

/// A rule of UIKit that an op would have broken. The window refuses the op and stays as it was.
public struct NavigationViolation: Error, Hashable, Sendable {
    public let rule: Rule
    /// What was attempted, for a person.
    public let detail: String

    /// The rules, each the reason for an exception or a silent failure in UIKit.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// A transition was begun while another was in progress.
        case transitionInProgress
        /// The tab does not exist.
        case noSuchTab
        /// A root cannot be popped, and a stack cannot be made empty.
        case popOfRoot
        /// A pop to a depth that the stack does not have.
        case noSuchDepth
        /// The same screen twice in a row, without being declared as repeating.
        case pushedTwice
        /// A presentation without screens, or a dismissal of what is not presented.
        case noSuchPresentation
    }
}

extension NavigationViolation: CustomStringConvertible {
    public var description: String { "\(rule.rawValue): \(detail)" }
}

extension WindowState {
    /// The flow that is shown instead of tabs; `nil` where tabs are shown, or a flow that is no root of this app.
    public func rootFlow(_ engine: RoutingEngine) -> String? {
        guard tabs.count == 1, let root = tabs.first, root.id == Self.rootTab, let first = root.stack.first else {
            return nil
        }
        return engine.rootFlow(ofScreen: first.id)
    }

    /// Whether the flow is on screen as a unit: presented, or instead of tabs.
    public func shows(flow: String, _ engine: RoutingEngine) -> Bool {
        modals.contains { $0.flow == flow } || rootFlow(engine) == flow
    }
}
