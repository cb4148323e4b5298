internal import SceneRouting
package import SceneVocabulary

// What follows from what screens report, by <doc:/SceneRuntime/Windows>.
extension AppModel {
    /// What may follow from what a flow's screen reports, or from the flow's end.
    package struct Consequences: Hashable, Sendable {
        /// The flow that takes it; `root` for the app.
        package let flow: String
        fileprivate let effects: [IntentEffect]

        /// Whether they change the session.
        package var commits: Bool {
            effects.contains { effect in
                switch effect {
                case .set, .append, .reset, .signOut, .markStale, .complete: true
                case .route, .push, .replace, .back, .cancel: false
                }
            }
        }

        /// Whether they lead to the destination. What the manifest says of its parameters is judged, not what comes from the intent
        /// or from facts.
        package func lead(to wanted: Destination) -> Bool {
            effects.contains { effect in
                guard case .route(wanted.id, let sources) = effect else { return false }
                return sources.allSatisfy { name, source in
                    guard case .literal(.string(let text)) = source, let given = wanted.parameters[name] else {
                        return true
                    }
                    // Some types have another canonical form than the manifest may use.
                    return given.utf8.elementsEqual(text.utf8) || given.lowercased() == text.lowercased()
                }
            }
        }

        /// Why they do not change the session like this, as a clause; `nil` if they may.
        package func objection(toUser user: String?, after before: String?, becomesStale: Bool) -> String? {
            if !commits { return "does not change the session" }
            let completes = effects.contains { if case .complete = $0 { true } else { false } }
            if becomesStale, !effects.contains(.markStale) { return "makes no sign-in stale" }
            if user != before {
                return user == nil ? signsOut ? nil : "signs nobody out" : completes ? nil : "signs nobody in"
            }
            return user != nil && signsOut && !completes ? "signs the user out" : nil
        }

        private var signsOut: Bool { effects.contains(.signOut) }
    }

    /// What follows from an intent if this flow, or `root` for the app, takes it from the screen; `nil` if it does not.
    package func consequences(ofIntent name: String, takenBy flow: String, from screen: String) -> Consequences? {
        let intents = flow == Self.root ? manifest.intents : self.flow(flow)?.intents ?? []
        guard let intent = intents.first(where: { $0.name == name }),
            intent.screens.isEmpty || intent.screens.contains(screen)
        else { return nil }
        let completes = intent.effects.contains { if case .complete = $0 { true } else { false } }
        let completion = completes ? self.flow(flow)?.completion ?? [] : []
        return Consequences(flow: flow, effects: intent.effects + completion)
    }

    /// What follows from a flow's result, whichever it is.
    package func consequences(ofEnding flow: String) -> Consequences {
        Consequences(flow: flow, effects: [.complete(user: nil)] + (self.flow(flow)?.completion ?? []))
    }

    /// Whether whoever declares an intent of this name declares it with the same parameters, so that an intent which was admitted
    /// fits all of them.
    package func hasOneShape(intent name: String) -> Bool {
        let declarations = ([manifest.intents] + manifest.flows.map(\.intents)).joined().filter { $0.name == name }
        return Set(declarations.map(\.parameters)).count == 1
    }

    // MARK: - Moves

    /// The ops by which a flow carries out its moves in a window, each by itself.
    ///
    /// - Parameter root: The flow that is to be shown instead of tabs; it, or the tabs, take the place of a root flow that ends.
    package func moves(_ consequences: Consequences, in window: WindowState, root: String?) -> Set<NavOp> {
        var moves: Set<NavOp> = []
        let flow = consequences.flow
        guard let stretch = stretch(of: flow, in: window) else { return moves }
        for effect in consequences.effects {
            switch effect {
            case .push(let screen): moves.insert(stretch.op(stretch.stack + [Destination(id: screen)], isPush: true))
            case .replace(let screen):
                moves.insert(stretch.op(stretch.stack.dropLast() + [Destination(id: screen)], isPush: false))
            case .back: moves.insert(stretch.pop(to: stretch.stack.count - 1))
            case .complete, .cancel:
                let next = rootFlow(of: window) == flow ? rootChange(window, root: root) : nil
                moves.insert(next ?? stretch.leaving(flow, window))
            case .route, .set, .append, .reset, .signOut, .markStale: continue
            }
        }
        return moves
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

        func leaving(_ flow: String, _ window: WindowState) -> NavOp {
            guard tab == nil, base == 0 else { return pop(to: max(base, 1)) }
            // All presentations of the flow leave together.
            var first = modal
            while first > 0, window.modals[first - 1].flow == flow { first -= 1 }
            return .dismissModals(keeping: first)
        }
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
    package func does(_ op: NavOp, gesture: Gesture.Name, in window: WindowState) -> Bool {
        let modal = window.modals.count - 1
        switch (gesture, op) {
        case (.back, _), (.swipeBack, _):
            let owner = responders(in: window).first.flatMap { flow($0) }
            if owner?.screens.first(where: { $0.id == window.topmost?.id })?.hidesBack ?? false { return false }
            if let stack = window.modals.last?.stack {
                return stack.count > 1 && op == .setModalStack(index: modal, Array(stack.dropLast()))
            }
            let depth = window.selectedStack.count - 1
            return depth > 0 && op == .popTo(tab: window.selectedTab, depth: depth)
        case (.swipeDown, _) where window.modals.last?.style == .fullScreen || window.modals.last?.style == .alert:
            return false
        case (.dismiss, _), (.swipeDown, _): return modal >= 0 && op == .dismissModals(keeping: modal)
        case (.selectTab, .selectTab(let tab)): return modal < 0 && tab != window.selectedTab
        case (.selectTab, _): return modal < 0 && op == .popTo(tab: window.selectedTab, depth: 1)
        }
    }
}
