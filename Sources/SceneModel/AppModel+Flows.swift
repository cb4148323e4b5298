internal import SceneRouting
package import SceneVocabulary

// How flows and fingers move in a window, by <doc:/SceneRuntime/Windows>.
extension AppModel {
    /// The ops by which a flow carries out its moves in a window, each by itself.
    ///
    /// - Parameters:
    ///   - seen: The op that was made, from which a screen's parameters are taken that are not known.
    ///   - root: The flow that is to be shown instead of tabs; it, or the tabs, take the place of a root flow that ends.
    package func moves(
        _ consequences: Consequences,
        like seen: NavOp,
        in window: WindowState,
        root: String?,
        by session: SessionState
    ) -> Set<NavOp> {
        var moves: Set<NavOp> = []
        let flow = consequences.flow
        guard let stretch = stretch(of: flow, in: window) else { return moves }
        var environment = Environment(consequences.parameters, consequences.session)
        for possible in consequences.effects {
            defer { environment.pass(possible) }
            switch possible.effect {
            case .push(let screen, let sources, _):
                let shown = shown(screen, of: flow, sources, environment, like: seen)
                moves.insert(stretch.op(stretch.stack + [shown], isPush: true))
            case .replace(let screen, let sources, _):
                let shown = shown(screen, of: flow, sources, environment, like: seen)
                moves.insert(stretch.op(stretch.stack.dropLast() + [shown], isPush: false))
            case .pop(let count, _):
                if count > 0, stretch.stack.count > stretch.base + 1 {
                    moves.insert(stretch.pop(to: max(stretch.base + 1, stretch.stack.count - count)))
                }
            case .popTo(let screen, _):
                // The flow's screens below the one on top, from above.
                let below = stretch.stack.indices.dropFirst(stretch.base).dropLast().reversed()
                if let place = below.first(where: { stretch.stack[$0].id == screen }) {
                    moves.insert(stretch.pop(to: place + 1))
                }
            case .popToRoot:
                if stretch.stack.count > stretch.base + 1 { moves.insert(stretch.pop(to: stretch.base + 1)) }
            case .start(let child, let sources, _):
                moves.formUnion(start(child, sources, environment, of: flow, in: window, like: seen, by: session))
            case .complete, .cancel:
                let next = rootFlow(of: window) == flow ? rootChange(window, root: root, by: session) : nil
                moves.insert(next ?? leaving(flow, window, from: stretch))
            case .route, .set, .append, .remove, .add, .reset, .signOut, .markStale, .openWindow, .closeWindow,
                .closeWindows,
                .refreshWindow, .refreshWindows, .answer, .when:
                continue
            }
        }
        return moves
    }

    /// The op by which a flow starts another: it is in front, and the other is not shown. How the other starts may not be known.
    private func start(
        _ child: String,
        _ sources: [String: ValueSource],
        _ environment: Environment,
        of flow: String,
        in window: WindowState,
        like seen: NavOp,
        by session: SessionState
    ) -> [NavOp] {
        guard let declaration = self.flow(child), bubble(from: nil, in: window)?.responders.first == flow,
            stretch(of: child, in: window) == nil
        else { return [] }
        var given: [String: String] = [:]
        var isKnown = true
        for (name, source) in sources {
            switch Self.text(environment.value(source)) {
            case .known(let text): given[name] = text
            case .unknown: isKnown = false
            }
        }
        if isKnown, let modal = presentation(of: child, with: given, by: session) { return [.present(modal)] }
        guard case .present(let modal) = seen, modal.flow == child, modal.style == declaration.style,
            let first = modal.stack.first, declaration.startingScreens.contains(first.id)
        else { return [] }
        return [seen]
    }

    /// A screen of a flow with what an effect gives it.
    private func shown(
        _ id: String,
        of flow: String,
        _ sources: [String: ValueSource],
        _ environment: Environment,
        like seen: NavOp
    ) -> Destination {
        let top: Destination? =
            switch seen {
            case .push(_, let screen): screen
            case .setStack(_, let stack), .setModalStack(_, let stack): stack.last
            default: nil
            }
        var parameters: [String: String] = [:]
        func note(_ name: String, _ value: Known<String?>) {
            switch value {
            case .known(let text): parameters[name] = text
            case .unknown: parameters[name] = top?.parameters[name]
            }
        }
        let declared =
            destination(id)?.parameters ?? self.flow(flow)?.screens.first { $0.id == id }?.parameters ?? []
        for (name, source) in sources where !declared.contains(where: { $0.name == name }) {
            note(name, Self.text(environment.value(source)))
        }
        for declaration in declared {
            switch sources[declaration.name].map({ Self.text(environment.value($0)) }) ?? .known(nil) {
            case .known(let text): note(declaration.name, Self.text(canonical(text, declaration)))
            case .unknown: note(declaration.name, .unknown)
            }
        }
        return Destination(id: id, parameters: parameters)
    }

    /// The part of a stack that belongs to a flow.
    private struct Stretch {
        /// The tab; `nil` for a presentation.
        let tab: String?
        /// The presentation's place.
        let modal: Int
        let stack: [Destination]
        /// How many screens are below the flow's.
        let base: Int

        func op(_ stack: [Destination], isPush: Bool) -> NavOp {
            guard let tab else { return .setModalStack(index: modal, stack) }
            if isPush, let top = stack.last { return .push(tab: tab, top) }
            return .setStack(tab: tab, stack)
        }

        func pop(to depth: Int) -> NavOp {
            guard let tab else { return .setModalStack(index: modal, Array(stack.prefix(depth))) }
            return .popTo(tab: tab, depth: depth)
        }
    }

    /// The op with which a flow leaves, or goes on leaving. Its presentations that stand on each other leave together.
    private func leaving(_ flow: String, _ window: WindowState, from stretch: Stretch) -> NavOp {
        guard stretch.tab == nil, stretch.base == 0 else { return stretch.pop(to: max(stretch.base, 1)) }
        var owners = owners(in: window).map(\.flow).dropFirst(window.tabs.reduce(0) { $0 + $1.stack.count })
        var first = 0
        var isOfFlow = false
        for (index, modal) in window.modals.prefix(stretch.modal + 1).enumerated() {
            let own = owners.prefix(modal.stack.count)
            owners = owners.dropFirst(modal.stack.count)
            if !isOfFlow { first = index }
            isOfFlow = own.first == flow && own.last == flow
        }
        return .dismissModals(keeping: first)
    }

    /// Where a flow is: in the topmost presentation that has a screen of it, else in the tab in front, else in the last tab.
    private func stretch(of flow: String, in window: WindowState) -> Stretch? {
        var owners = owners(in: window)[...]
        var found: Stretch?
        for tab in window.tabs {
            let own = owners.prefix(tab.stack.count)
            owners = owners.dropFirst(tab.stack.count)
            guard let first = own.firstIndex(where: { $0.flow == flow }), found?.tab != window.selectedTab else {
                continue
            }
            found = Stretch(tab: tab.id, modal: 0, stack: tab.stack, base: first - own.startIndex)
        }
        for (index, modal) in window.modals.enumerated() {
            let own = owners.prefix(modal.stack.count)
            owners = owners.dropFirst(modal.stack.count)
            guard let first = own.firstIndex(where: { $0.flow == flow }) else { continue }
            found = Stretch(tab: nil, modal: index, stack: modal.stack, base: first - own.startIndex)
        }
        return found
    }

    /// Whether a gesture does this to a window. A tab that is in front already goes back to its root.
    ///
    /// - Parameter act: What else is known of it; one that is let go halfway does nothing.
    package func does(_ op: NavOp, gesture: Gesture.Name, _ act: Act?, in window: WindowState) -> Bool {
        if act?.isCancelled ?? false { return false }
        if let tab = act?.tab, (tab == window.selectedTab) == (op.name == .selectTab) { return false }
        let modal = window.modals.count - 1
        switch (gesture, op) {
        case (.back, _), (.swipeBack, _):
            if hidesBack(window) { return false }
            if let stack = window.modals.last?.stack {
                return stack.count > 1 && op == .setModalStack(index: modal, Array(stack.dropLast()))
            }
            let depth = window.selectedStack.count - 1
            return depth > 0 && op == .popTo(tab: window.selectedTab, depth: depth)
        case (.swipeDown, _) where window.modals.last?.style == .fullScreen || window.modals.last?.style == .alert:
            return false
        case (.dismiss, _), (.swipeDown, _): return modal >= 0 && op == .dismissModals(keeping: modal)
        case (.selectTab, .selectTab(let tab)):
            return modal < 0 && tab != window.selectedTab && tab == act?.tab ?? tab
        case (.selectTab, _): return modal < 0 && op == .popTo(tab: window.selectedTab, depth: 1)
        }
    }

    /// Whether the topmost screen hides the way back.
    private func hidesBack(_ window: WindowState) -> Bool {
        let owner = bubble(from: nil, in: window)?.responders.first.flatMap { flow($0) }
        return owner?.screens.first { $0.id == window.topmost?.id }?.hidesBack ?? false
    }

    /// Why a gesture may do nothing at its turn (<doc:/SceneRuntime/Outcomes>); none if it does something.
    package func reasonsToIgnore(_ gesture: Gesture.Name, _ act: Act?, in window: WindowState) -> Set<String> {
        switch gesture {
        case .back, .swipeBack:
            if (window.modals.last?.stack ?? window.selectedStack).count < 2 { return ["nothingToPop"] }
            if hidesBack(window) { return ["backHidden"] }
        case .dismiss, .swipeDown:
            guard let style = window.modals.last?.style else { return ["nothingPresented"] }
            if gesture == .swipeDown, style == .fullScreen || style == .alert { return ["notSwipeable"] }
        case .selectTab:
            if rootFlow(of: window) != nil { return ["noTabs"] }
            if !window.modals.isEmpty { return ["tabsCovered"] }
            // Older daemons do not say which tab.
            guard let tab = act?.tab else { return ["noSuchTab", "atRoot"] }
            guard let stack = window.stack(of: tab) else { return ["noSuchTab"] }
            if tab == window.selectedTab, stack.count == 1 { return ["atRoot"] }
        }
        return act?.isCancelled ?? false ? ["swipeCancelled"] : []
    }

    /// Whether the window shows the flow instead of tabs.
    package func isRoot(_ flow: String, of window: WindowState) -> Bool { rootFlow(of: window) == flow }

    /// Whether a flow has a screen in the window.
    package func isShown(_ flow: String, in window: WindowState) -> Bool { stretch(of: flow, in: window) != nil }

    /// The flows that a window shows and another does not, sorted.
    package func flowsEnded(from window: WindowState, to other: WindowState) -> [String] {
        let left = Set(owners(in: other).map(\.flow))
        return Set(owners(in: window).map(\.flow)).filter { flow($0) != nil && !left.contains($0) }.sorted()
    }
}
