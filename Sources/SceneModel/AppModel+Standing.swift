internal import SceneRouting
package import SceneVocabulary

// What an app could be showing, by <doc:/SceneRuntime/Scenes>.
extension AppModel {
    /// Whether each of a window's destinations could be where it is, if nothing is there that could not: in the order of
    /// ``WindowState/destinations``. Whether its parameters are allowed is not looked at, unless they say where it is.
    ///
    /// - Parameter isForGate: Whether a flow is there because a gate has shown it, or because something waits there.
    package func couldBe(in window: WindowState, isForGate: (String) -> Bool) -> [Truth] {
        let root = rootFlow(of: window)
        var truths: [Truth] = []
        var owners: Set<String> = []
        var topmost = Self.root
        for tab in window.tabs {
            let lowest = root ?? tab.stack.first.flatMap { destination($0.id)?.flow } ?? tab.id
            var stack = Standing(owner: lowest, ownsAll: root != nil, tab: root == nil ? tab.id : nil)
            for screen in tab.stack {
                truths.append(stack.add(screen, isLowest: stack.isEmpty ? true : nil, of: self))
            }
            owners.formUnion(stack.flows)
            if tab.id == window.selectedTab { topmost = stack.flows.last ?? topmost }
        }
        var below: [ModalState] = []
        var isCut = false
        for modal in window.modals {
            let tab = root == nil ? window.selectedTab : nil
            let lowest =
                isCut ? false : couldPresent(modal, over: below, in: tab, by: topmost, owners, isForGate)
            var stack = Standing(
                owner: modal.flow ?? topmost,
                ownsAll: modal.flow != nil,
                tab: tab,
                modals: below + [modal]
            )
            for (depth, screen) in modal.stack.enumerated() {
                truths.append(stack.add(screen, isLowest: depth == 0 ? lowest : nil, of: self))
            }
            isCut = stack.isEmpty
            below.append(ModalState(flow: modal.flow, style: modal.style, stack: stack.kept))
            owners.formUnion(stack.flows)
            topmost = stack.flows.last ?? topmost
        }
        return truths
    }

    /// A stack as it grows.
    private struct Standing {
        /// The flow, or the tab, to which belongs what no flow declares.
        let owner: String
        /// Whether everything belongs to it.
        let ownsAll: Bool
        /// The tab; `nil` for a root flow and what is presented over it.
        let tab: String?
        /// The presentations up to this one.
        var modals: [ModalState] = []
        var kept: [Destination] = []
        /// The owner of each screen.
        var flows: [String] = []
        private var isCut = false

        init(owner: String, ownsAll: Bool, tab: String?, modals: [ModalState] = []) {
            self.owner = owner
            self.ownsAll = ownsAll
            self.tab = tab
            self.modals = modals
        }

        var isEmpty: Bool { kept.isEmpty }

        /// - Parameter isLowest: Whether it could be the lowest; `nil` for one that is not.
        mutating func add(_ screen: Destination, isLowest: Truth, of app: AppModel) -> Truth {
            let truth: Truth
            if isCut {
                truth = false
            } else if kept.isEmpty {
                truth = isLowest ?? false
            } else {
                truth = app.couldPush(screen, on: self)
            }
            if truth == false {
                isCut = true
            } else {
                kept.append(screen)
                flows.append(ownsAll ? owner : app.destination(screen.id)?.flow ?? owner)
            }
            return truth
        }
    }

    private func couldPush(_ screen: Destination, on below: Standing) -> Truth {
        let declaration = destination(screen.id)
        if below.kept.last?.id == screen.id, declaration?.repeats != true { return false }
        // A flow pushes its own screens.
        let flows = ([below.owner] + (below.ownsAll ? [] : below.flows)).compactMap { flow($0) }
        let own = flows.last { $0.screens.contains { $0.id == screen.id } }
        guard let declaration else {
            let parameters = own?.screens.first { $0.id == screen.id }?.parameters
            return parameters.flatMap { parameters in
                parameters.isEmpty
                    ? screen.parameters.isEmpty : Self.takes(screen.parameters, parameters) { _ in false }
            } ?? (own == nil ? false : nil)
        }
        if own != nil { return true }
        // A request goes back to a destination that is lower.
        if !declaration.repeats, below.kept.contains(where: { $0.id == screen.id }) { return false }
        guard declaration.presentation == .push else { return false }
        return Self.any(
            links(showing: declaration).map { link in
                guard isPlace(on: link, in: below.tab, under: below.modals) else { return false }
                let isLedTo = below.modals.isEmpty && isLedTo(link.target.id)
                if isLedTo, link.above.first.flatMap(destination).map(isPresented) ?? true { return true }
                let start = link.below.lastIndex { destination($0).map(isPresented) ?? false } ?? 0
                guard link.below[start...].elementsEqual(below.kept.map(\.id)) else { return false }
                if isLedTo { return true }
                return link.target.id == screen.id
                    ? takes(below.kept, from: screen) : agree(below.kept + [screen])
            }
        )
    }

    /// A link that shows a destination: one to itself, or to another that has it in its ancestry. The target's ancestry says what is
    /// below the destination then, whatever its own says.
    private struct Link {
        let target: DestinationDeclaration
        /// What the link shows below the destination, lowest first.
        let below: ArraySlice<String>
        /// What it shows above it, the target last.
        let above: [String]
    }

    private func links(showing declaration: DestinationDeclaration) -> [Link] {
        ([declaration] + descendants(of: declaration.id)).map { target in
            let parts = target.ancestry.split(separator: declaration.id, maxSplits: 1, omittingEmptySubsequences: false)
            return Link(
                target: target,
                below: parts.first ?? [],
                above: target.id == declaration.id ? [] : parts.dropFirst().flatMap(Array.init) + [target.id]
            )
        }
    }

    /// Whether screens have their parameters from this one, which a link has led to.
    private func takes(_ kept: [Destination], from screen: Destination) -> Truth {
        let declared = destination(screen.id)?.parameters ?? []
        return Self.all(
            kept.flatMap { lower in
                lower.parameters.map { name, value -> Truth in
                    if let own = screen.parameters[name] { return own.utf8.elementsEqual(value.utf8) }
                    guard let parameter = declared.first(where: { $0.name == name }) else { return true }
                    if !parameter.variantDefaults.isEmpty { return nil }
                    return parameter.canonicalDefault.map { $0.utf8.elementsEqual(value.utf8) } ?? true
                }
            }
        )
    }

    /// Whether screens can have their parameters from one that is gone: of each name it had one value, and what is not given has its
    /// default.
    private func agree(_ screens: [Destination]) -> Bool {
        var given: [String: Set<[UInt8]>] = [:]
        for screen in screens {
            for (name, value) in screen.parameters {
                let parameter = destination(screen.id)?.parameters.first { $0.name == name }
                if parameter?.canonicalDefault.map({ Array($0.utf8) }) == Array(value.utf8) { continue }
                given[name, default: []].insert(Array(value.utf8))
            }
        }
        return given.values.allSatisfy { $0.count == 1 }
    }

    private func couldPresent(
        _ modal: ModalState,
        over below: [ModalState],
        in tab: String?,
        by topmost: String,
        _ owners: Set<String>,
        _ isForGate: (String) -> Bool
    ) -> Truth {
        guard let first = modal.stack.first?.id else { return false }
        func isPlace(_ declaration: DestinationDeclaration) -> Bool {
            declaration.flow == modal.flow && declaration.presentation == .modal(modal.style)
                && (declaration.isOverCurrent
                    || links(showing: declaration).contains { self.isPlace(on: $0, in: tab, under: below) })
        }
        if let declaration = destination(first), isPlace(declaration) {
            guard declaration.isOverCurrent, !declaration.repeats else { return true }
            let before = below.lastIndex {
                $0.flow == modal.flow && $0.style == modal.style && $0.stack.first?.id == first
            }
            // The window goes back to it, unless that takes a flow away.
            return before.map { below[($0 + 1)...].contains { $0.flow != nil } } ?? true
        }
        guard let flow = flow(modal.flow ?? topmost), flow.screens.contains(where: { $0.id == first }) else {
            return false
        }
        // The flow has replaced its first screen.
        if manifest.destinations.contains(where: isPlace) { return true }
        guard modal.flow != nil, modal.style == flow.style else { return false }
        // A gate shows its flow although the flow has screens in a tab, and nothing else does.
        if isForGate(flow.name) {
            return tab != nil && !below.contains { $0.flow == flow.name } || !owners.contains(flow.name)
        }
        if owners.contains(flow.name) { return false }
        return self.flow(topmost)?.effects.contains { effect in
            if case .start(flow.name, _, _) = effect.unconditional { true } else { false }
        } ?? false
    }

    /// Whether a link shows the destination in the tab, under these presentations.
    private func isPlace(on link: Link, in tab: String?, under modals: [ModalState]) -> Bool {
        let bottom = link.target.ancestry.first.flatMap(destination) ?? link.target
        guard let tab, bottom.presentation == .tab(tab) else { return false }
        return link.below.compactMap(destination).filter(isPresented).elementsEqual(modals) { step, modal in
            step.flow == modal.flow && step.presentation == .modal(modal.style)
        }
    }

    private func isPresented(_ declaration: DestinationDeclaration) -> Bool {
        if case .modal = declaration.presentation { true } else { false }
    }
}
