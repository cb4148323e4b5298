internal import SceneRouting
package import SceneVocabulary

// What windows show, by <doc:/SceneRuntime/Windows>.
extension AppModel {
    // MARK: - Who owns what

    /// The flow that a window shows instead of tabs.
    package func rootFlow(of window: WindowState) -> String? {
        guard window.tabs.count == 1, window.tabs[0].id == WindowState.rootTab, let first = window.tabs[0].stack.first
        else { return nil }
        return manifest.roots.map(\.flow).first { flow($0)?.screens.contains { $0.id == first.id } ?? false }
    }

    /// Whether the window presents the flow, or shows it instead of tabs.
    package func shows(_ flow: String, in window: WindowState) -> Bool {
        window.modals.contains { $0.flow == flow } || rootFlow(of: window) == flow
    }

    /// The flow whose coordinator owns a screen, and that of the coordinator's parent.
    package struct Owner: Hashable, Sendable {
        package let flow: String
        package let parent: String
    }

    /// The name of a scene's root among flows.
    package static let root = "root"

    /// The owner of each of the window's destinations. A destination belongs to the flow that declares it, else to what is below
    /// it: the presentation's flow, the flow from which it was presented, the stack's first screen, the tab.
    package func owners(in window: WindowState) -> [Owner] {
        let rootFlow = rootFlow(of: window)
        var owners: [Owner] = []
        var below = Self.root
        for tab in window.tabs {
            let bottom = rootFlow ?? tab.stack.first.flatMap { destination($0.id)?.flow } ?? tab.id
            for (depth, screen) in tab.stack.enumerated() {
                let flow = rootFlow ?? destination(screen.id)?.flow ?? bottom
                owners.append(Owner(flow: flow, parent: depth == 0 || flow == bottom ? Self.root : bottom))
                if tab.id == window.selectedTab { below = flow }
            }
        }
        for modal in window.modals {
            let parent = below
            for screen in modal.stack {
                let flow = modal.flow ?? destination(screen.id)?.flow ?? parent
                owners.append(Owner(flow: flow, parent: flow == parent ? Self.root : parent))
                below = flow
            }
        }
        return owners
    }

    /// Who is asked to take an intent: the screen and its container by name, then coordinators.
    package struct Bubble: Hashable, Sendable {
        /// The screen that reports, or the one that the container shows which does.
        package let screen: Destination
        /// The names of the screen, unless its container reports, and of the container: `screen cart`, `tab home`.
        package let displayed: [String]
        /// The owner of the screen, or of the container's lowest, and those above it up to the root.
        package let responders: [String]
    }

    /// Who is asked to take an intent that is reported by the topmost screen, or by the topmost screen or container of this name;
    /// `nil` if there is none. A screen wins over a container.
    package func bubble(from name: String?, in window: WindowState) -> Bubble? {
        let owners = owners(in: window)
        // The places of a stack's screens in the window, lowest first, and its name; the stack in front comes last.
        var stacks: [(name: String, screens: [(place: Int, id: Destination)])] = []
        var count = 0
        func add(_ name: String, _ screens: [Destination], at index: Int? = nil) {
            let places = screens.enumerated().map { (count + $0.offset, $0.element) }
            stacks.insert((name, places), at: index ?? stacks.count)
            count += screens.count
        }
        for tab in window.tabs { add("tab \(tab.id)", tab.stack, at: 0) }
        if let front = stacks.firstIndex(where: { $0.name == "tab \(window.selectedTab)" }) {
            stacks.append(stacks.remove(at: front))
        }
        for modal in window.modals {
            add(modal.flow.map { "\(modal.style) of \($0)" } ?? "\(modal.style)", modal.stack)
        }
        let all = stacks.flatMap { stack in stack.screens.map { (stack: stack, place: $0.place, screen: $0.id) } }
        if let found = name == nil ? all.last : all.last(where: { $0.screen.id == name }) {
            return Bubble(
                screen: found.screen,
                displayed: ["screen \(found.screen)", found.stack.name],
                responders: responders(of: found.place, owners)
            )
        }
        guard let container = stacks.last(where: { $0.name == name }), let lowest = container.screens.first,
            let shown = container.screens.last
        else { return nil }
        return Bubble(screen: shown.id, displayed: [container.name], responders: responders(of: lowest.place, owners))
    }

    /// The owner of the screen at this place and those above it up to the root.
    private func responders(of place: Int, _ owners: [Owner]) -> [String] {
        // The first screen of a flow decides who its parent is.
        var parents: [String: String] = [:]
        for owner in owners where parents[owner.flow] == nil { parents[owner.flow] = owner.parent }
        var chain = [owners[place].flow]
        while let parent = parents[chain[chain.count - 1]], !chain.contains(parent), chain.last != lockFlow {
            chain.append(parent)
        }
        // What the lock covers hears nothing from it.
        if chain.last == lockFlow { return chain }
        return chain.last == Self.root ? chain : chain + [Self.root]
    }

    // MARK: - Where a window begins, and where a request leads

    /// A new scene's window: the root flow's first screen, else the tabs with their roots, the first in front.
    package func start(root: String?, by session: SessionState) -> WindowState {
        if let root {
            let tab = TabState(id: WindowState.rootTab, stack: start(of: root, by: session))
            return WindowState(tabs: [tab], selectedTab: tab.id)
        }
        let tabs = manifest.tabs.map { TabState(id: $0.id, stack: [bottom(of: $0)]) }
        return WindowState(tabs: tabs, selectedTab: tabs.first?.id ?? WindowState.rootTab)
    }

    /// A tab's root with its defaults, but for those that depend on the market or the locale.
    private func bottom(of tab: TabDeclaration) -> Destination {
        var parameters: [String: String] = [:]
        for parameter in destination(tab.root)?.parameters ?? [] where parameter.variantDefaults.isEmpty {
            parameters[parameter.name] = parameter.canonicalDefault
        }
        return Destination(id: tab.root, parameters: parameters)
    }

    private func start(of flow: String, by session: SessionState, for waiting: Destination? = nil) -> [Destination] {
        guard let first = self.flow(flow)?.screens.first?.id else { return [] }
        let id = knownStart(of: flow, by: session) ?? first
        return [handingOn(waiting, to: id, of: flow) ?? Destination(id: id)]
    }

    /// What presents a flow that is started with these parameters; `nil` if that is not known.
    func presentation(of flow: String, with given: [String: String], by session: SessionState) -> ModalState? {
        guard let declaration = self.flow(flow), let id = knownStart(of: flow, by: session),
            let screen = handingOn(Destination(id: id, parameters: given), to: id, of: flow)
        else { return nil }
        return ModalState(flow: flow, style: declaration.style, stack: [screen])
    }

    /// Whether what is known decides how a flow starts.
    ///
    /// - Parameter waiting: What waits for it, if anything does.
    package func knowsStart(of flow: String, by session: SessionState, for waiting: Destination?) -> Bool {
        guard self.flow(flow)?.screens.isEmpty == false else { return true }
        return knownStart(of: flow, by: session).flatMap { handingOn(waiting, to: $0, of: flow) } != nil
    }

    /// A flow's first screen with the parameters that it declares, of those of what waits for the flow; one that it does not allow
    /// has its default. A destination takes nothing, and has its defaults if it needs nothing else. `nil` if that is not known.
    private func handingOn(_ waiting: Destination?, to id: String, of flow: String) -> Destination? {
        var parameters: [String: String] = [:]
        let destination = destination(id)
        if let destination, destination.parameters.contains(where: { $0.isRequired && $0.defaultValue == nil }) {
            return Destination(id: id)
        }
        let own = self.flow(flow)?.screens.first { $0.id == id }?.parameters ?? []
        for declaration in destination?.parameters ?? own {
            var given = destination == nil ? waiting?.parameters[declaration.name] : nil
            switch declaration.type {
            case .string: break
            case .integer(let minimum, let maximum):
                let integer = given.flatMap { Int($0) }
                // What is no plain integer is left to the runtime.
                if given != nil, integer.map(String.init) != given { return nil }
                if let integer, integer < minimum ?? .min || integer > maximum ?? .max { given = nil }
            case .date: given = given.flatMap(Instant.canonical)
            case .oneOf, .pattern, .uuid, .list: if given != nil { return nil }
            }
            switch canonical(given, declaration) {
            case .known(.string(let text)): parameters[declaration.name] = text
            case .known: continue
            case .unknown: return nil
            }
        }
        return Destination(id: id, parameters: parameters)
    }

    /// The screen with which a flow starts in a session: the first of those by condition whose condition holds, unless it may not
    /// be shown, else the first of all.
    private func knownStart(of flow: String, by session: SessionState) -> String? {
        guard let declaration = self.flow(flow) else { return nil }
        let facts = known(session)
        for start in declaration.start {
            switch Self.holds(start.when, facts) {
            case false: continue
            case nil: return nil
            default:
                let isAllowed = Self.all(needs(of: start.screen).map { holds($0, facts) })
                return isAllowed.flatMap { $0 ? start.screen : declaration.screens.first?.id }
            }
        }
        return declaration.screens.first?.id
    }

    /// What a window shows at a destination: the tab of its ancestry, the tab's stack, and what is presented over it.
    private struct Place {
        var tab: String
        var stack: [Destination] = []
        var modals: [ModalState] = []
    }

    /// Where a destination is; `nil` if the app does not have it.
    private func place(of target: Destination) -> Place? {
        guard let declaration = destination(target.id), let target = filled(target) else { return nil }
        let bottom = declaration.ancestry.first.flatMap(destination) ?? declaration
        guard case .tab(let tab) = bottom.presentation else { return nil }
        var place = Place(tab: tab)
        for step in declaration.ancestry.compactMap(destination) + [declaration] {
            var screen = target
            if step.id != target.id {
                // An ancestor takes its parameters from those of the same names.
                let values = step.parameters.compactMap { parameter in
                    (target.parameters[parameter.name] ?? parameter.canonicalDefault).map { (parameter.name, $0) }
                }
                screen = Destination(id: step.id, parameters: Dictionary(values) { first, _ in first })
            }
            switch step.presentation {
            case .modal(let style): place.modals.append(ModalState(flow: step.flow, style: style, stack: [screen]))
            case .push where !place.modals.isEmpty: place.modals[place.modals.count - 1].stack.append(screen)
            case .push, .tab: place.stack.append(screen)
            }
        }
        return place
    }

    // MARK: - Plans

    /// The op that puts the root in force in the place of another one; `nil` if the window has it.
    package func rootChange(_ window: WindowState, root: String?, by session: SessionState) -> NavOp? {
        if let root {
            guard rootFlow(of: window) != root else { return nil }
            let start = start(root: root, by: session)
            return .setRoot(start.tabs, selected: start.selectedTab)
        }
        var start = start(root: nil, by: session)
        // A tab that was there keeps its stack if it keeps its root.
        for index in start.tabs.indices {
            guard let old = window.stack(of: start.tabs[index].id), old.first?.id == start.tabs[index].stack.first?.id
            else { continue }
            start.tabs[index].stack = old
        }
        guard start.tabs != window.tabs else { return nil }
        let isThere = start.tabs.contains { $0.id == window.selectedTab }
        return .setRoot(start.tabs, selected: isThere ? window.selectedTab : start.selectedTab)
    }

    /// The ops that lead from a window to a destination. What is covered, or in another tab, changes before it is uncovered.
    package func plan(_ window: WindowState, to target: Destination, isExternal: Bool) -> [NavOp]? {
        if isOverCurrent(target.id) { return plan(window, presenting: target, isExternal: isExternal) }
        guard let place = place(of: target) else { return nil }
        let stack = window.stack(of: place.tab) ?? []
        let wanted = isExternal ? place.stack : keeping(stack, place, isInFront: window.selectedTab == place.tab)
        var ops = plan(place.tab, stack, wanted)
        if window.selectedTab != place.tab { ops.append(.selectTab(place.tab)) }
        // A presentation stays if the same flow is wanted there, in the same style, with the same first screen.
        var kept = 0
        while kept < min(window.modals.count, place.modals.count) {
            let (old, new) = (window.modals[kept], place.modals[kept])
            guard old.flow == new.flow, old.style == new.style, old.stack.first?.id == new.stack.first?.id else {
                break
            }
            if old.stack.map(\.id) != new.stack.map(\.id) {
                ops.append(.setModalStack(index: kept, new.stack))
            } else {
                for depth in new.stack.indices where old.stack[depth] != new.stack[depth] {
                    ops.append(.updateModal(index: kept, depth: depth, new.stack[depth]))
                }
            }
            kept += 1
        }
        if kept < window.modals.count { ops.append(.dismissModals(keeping: kept)) }
        return ops + place.modals[kept...].map { .present($0) }
    }

    /// Whether a destination cannot be presented over whatever is shown, because its flow is there already: below another, instead of
    /// tabs, in another style, or with another first screen.
    ///
    /// - Parameters:
    ///   - root: The flow of the root in force, if the window does not show that yet.
    ///   - onlyCovered: Whether only what is below another flow counts.
    package func isFlowShownOtherwise(
        of id: String,
        in window: WindowState,
        under root: String? = nil,
        onlyCovered: Bool = false
    ) -> Bool {
        guard let declaration = destination(id), declaration.isOverCurrent, let flow = declaration.flow,
            case .modal(let style) = declaration.presentation
        else { return false }
        var isThere = rootFlow(of: window) == flow || root == flow
        var isRight = onlyCovered
        for modal in window.modals where modal.flow != nil {
            if modal.flow == flow {
                isThere = true
                isRight = onlyCovered || modal.style == style && modal.stack.first?.id == id
            } else if isThere {
                isRight = false
            }
        }
        return isThere && !isRight
    }

    /// The ops that present a destination over whatever is shown, or go back to its presentation; `nil` if it cannot be presented.
    private func plan(_ window: WindowState, presenting target: Destination, isExternal: Bool) -> [NavOp]? {
        guard let declaration = destination(target.id), case .modal(let style) = declaration.presentation,
            let screen = filled(target)
        else { return nil }
        let wanted = ModalState(flow: declaration.flow, style: style, stack: [screen])
        if isFlowShownOtherwise(of: target.id, in: window) { return nil }
        if !isExternal, declaration.repeats { return window.modals.last == wanted ? [] : [.present(wanted)] }
        let place = window.modals.lastIndex {
            $0.flow == declaration.flow && $0.style == style && $0.stack.first?.id == screen.id
        }
        // Going back takes no flow away.
        guard let place, !window.modals.dropFirst(place + 1).contains(where: { $0.flow != nil }) else {
            return [.present(wanted)]
        }
        var ops: [NavOp] = []
        if window.modals[place].stack.count > 1 {
            ops.append(.setModalStack(index: place, [screen]))
        } else if window.modals[place].stack != [screen] {
            ops.append(.updateModal(index: place, depth: 0, screen))
        }
        return place == window.modals.count - 1 ? ops : ops + [.dismissModals(keeping: place + 1)]
    }

    /// The stack to which a request from inside the app leads, which keeps what the user built up.
    private func keeping(_ stack: [Destination], _ place: Place, isInFront: Bool) -> [Destination] {
        guard let leaf = place.stack.last, !stack.isEmpty else { return place.stack }
        // What is presented over a screen is presented over what the user has built on top of that.
        if !place.modals.isEmpty, stack.contains(leaf) { return stack }
        if isInFront, repeats(leaf.id) { return stack.last == leaf ? stack : stack + [leaf] }
        if let depth = stack.lastIndex(where: { $0.id == leaf.id }) { return Array(stack.prefix(depth)) + [leaf] }
        if isInFront { return stack + [leaf] }
        let shared = zip(stack, place.stack).prefix { $0.id == $1.id }.count
        return Array(stack.prefix(shared)) + place.stack.dropFirst(shared)
    }

    /// One op changes a stack, besides updates in place.
    private func plan(_ tab: String, _ stack: [Destination], _ wanted: [Destination]) -> [NavOp] {
        let shared = zip(stack, wanted).prefix { $0.id == $1.id }.count
        let updates = (0..<shared).filter { stack[$0] != wanted[$0] }
            .map { NavOp.update(tab: tab, depth: $0, wanted[$0]) }
        if stack.count == shared, wanted.count == shared { return updates }
        if wanted.count == shared { return updates + [.popTo(tab: tab, depth: shared)] }
        if stack.count == shared, wanted.count == shared + 1 { return updates + [.push(tab: tab, wanted[shared])] }
        return [.setStack(tab: tab, wanted)]
    }

    /// The ops that show the flow of a gate (<doc:/SceneRuntime/TheSession>).
    ///
    /// - Parameters:
    ///   - replaced: The flows on screen for other gates whose intents are superseded; the gate's flow, too, if it is shown for
    ///     other parameters.
    ///   - kept: The flows on screen that others have started; over the gate's flow they stay.
    ///   - waiting: What waits at the gate; `nil` for a lock at which nothing has to.
    package func plan(
        _ window: WindowState,
        toShow flow: String,
        replacing replaced: Set<String>,
        keeping kept: Set<String>,
        by session: SessionState,
        for waiting: Destination?
    ) -> [NavOp] {
        var ops: [NavOp] = []
        var modals = window.modals
        if let first = modals.firstIndex(where: { $0.flow.map(replaced.contains) ?? false }) {
            ops.append(.dismissModals(keeping: first))
            modals.removeSubrange(first...)
        }
        if rootFlow(of: window) == flow { return ops }
        if let place = modals.lastIndex(where: { $0.flow == flow }) {
            // What is to come over whatever is shown takes nothing away before, either.
            if let waiting, isOverCurrent(waiting.id) { return ops }
            let above = modals[(place + 1)...].firstIndex { !($0.flow.map(kept.contains) ?? false) }
            return above.map { ops + [.dismissModals(keeping: $0)] } ?? ops
        }
        let style = self.flow(flow)?.style ?? .sheet
        return ops + [.present(ModalState(flow: flow, style: style, stack: start(of: flow, by: session, for: waiting)))]
    }

    // MARK: - Sweeps

    /// Whether what may stay by itself, and could be where it is, stays there.
    package func stays(_ mayStay: Truth, at place: Truth) -> Truth { Self.all([mayStay, place]) }

    /// The ops of a sweep, in order (S3 of <doc:/SceneRuntime/TheSession>): stacks are cut back to their deepest allowed prefix,
    /// then presentations go from the first whose first screen may not stay, or whose flow is pointless.
    ///
    /// - Parameter mayStay: Whether the destination at this place of ``WindowState/destinations`` may stay there.
    package func sweep(
        _ window: WindowState,
        mayStay: (_ place: Int) -> Bool,
        isPointless: (String) -> Bool
    ) -> [NavOp] {
        var ops: [NavOp] = []
        var place = 0
        for tab in window.tabs {
            let rest = (place..<place + tab.stack.count).dropFirst()
            place += tab.stack.count
            let kept = 1 + rest.prefix(while: mayStay).count
            if kept < tab.stack.count { ops.append(.popTo(tab: tab.id, depth: kept)) }
        }
        for (index, modal) in window.modals.enumerated() {
            let kept = (place..<place + modal.stack.count).prefix(while: mayStay).count
            place += modal.stack.count
            if kept == 0 || modal.flow.map(isPointless) ?? false { return ops + [.dismissModals(keeping: index)] }
            if kept < modal.stack.count {
                ops.append(.setModalStack(index: index, Array(modal.stack.prefix(kept))))
            }
        }
        return ops
    }
}
