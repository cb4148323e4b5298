public import SceneRouting

/// Cuts a saved window back to what the app, as it is now, can show: state restoration after a reconnection, a restart or a
/// new manifest.
///
/// Each container is cut back to its deepest known prefix. Whether the session allows the rest is for the sweep to decide.
public enum WindowRestoration {
    /// The window that can be restored, which keeps the rules of ``Window``, and what was left out of it.
    ///
    /// The tabs are those of the manifest, each with its root and as much of the saved stack as the app knows. A flow shown
    /// instead of tabs is kept only if the manifest still has it as a root. If the selected tab is gone, the first one is
    /// selected and the presentations, which were above the tab that is gone, are left out.
    public static func restore(
        _ saved: WindowState,
        engine: RoutingEngine
    ) -> (window: WindowState, dropped: [Dropped]) {
        var restoration = Restoration(engine: engine)
        var window = WindowState(tabs: restoration.tabs(of: saved), selectedTab: saved.selectedTab)
        if window.stack(of: saved.selectedTab) != nil {
            window.modals = restoration.modals(of: saved)
        } else {
            window.selectedTab = window.tabs.first?.id ?? WindowState.rootTab
            for (index, modal) in saved.modals.enumerated() {
                restoration.drop(modal.stack, in: .modal(index), .stoodOnDropped)
            }
        }
        return (window, restoration.dropped)
    }

    /// A screen that cannot be restored.
    public struct Dropped: Hashable, Sendable {
        /// The screen.
        public let destination: Destination
        /// Where it was in the saved window.
        public let container: Container
        /// Why it cannot be restored.
        public let reason: Reason

        package init(destination: Destination, container: Container, reason: Reason) {
            self.destination = destination
            self.container = container
            self.reason = reason
        }
    }

    /// Where a screen was in the saved window.
    public enum Container: Hashable, Sendable {
        /// The tab of this name.
        case tab(String)
        /// The presentation at this place of the chain, 0 for the lowest.
        case modal(Int)
    }

    /// Why a screen cannot be restored.
    public enum Reason: Error, Hashable, Sendable {
        /// The app has no destination, and the flow no screen, of this name.
        case unknownDestination
        /// The destination does not take this value of the parameter; the reason says what it takes.
        case invalidParameter(String, reason: String)
        /// The app has no tab of this name.
        case unknownTab(String)
        /// The app has no flow of this name.
        case unknownFlow(String)
        /// It is a screen of this flow alone, which is not what is shown there.
        case outsideFlow(String)
        /// The flow of this name is presented below it already.
        case presentedTwice(String)
        /// The tab now has another root: this one.
        case otherRoot(String)
        /// It is on top of a screen of the same name, and the destination does not repeat.
        case repeats
        /// What is below it is as deep as the app allows.
        case tooDeep
        /// What was below it was dropped.
        case stoodOnDropped
    }
}

extension WindowRestoration.Dropped: CustomStringConvertible {
    /// The screen, its place and the reason: `settings(section: theme) in tab account: …`.
    public var description: String {
        let container =
            switch container {
            case .tab(let tab): "tab \(tab)"
            case .modal(let index): "presentation \(index)"
            }
        return "\(destination) in \(container): \(reason)"
    }
}

extension WindowRestoration.Reason: CustomStringConvertible {
    /// The reason in words: `the app has no tab 'search'`.
    public var description: String {
        switch self {
        case .unknownDestination: "the app has no such destination"
        case .invalidParameter(let parameter, let reason): "\(parameter): \(reason)"
        case .unknownTab(let tab): "the app has no tab '\(tab)'"
        case .unknownFlow(let flow): "the app has no flow '\(flow)'"
        case .outsideFlow(let flow): "only the flow '\(flow)' shows it, which is not shown there"
        case .presentedTwice(let flow): "the flow '\(flow)' is presented below it already"
        case .otherRoot(let root): "the tab's root is '\(root)'"
        case .repeats: "it may not stand on itself"
        case .tooDeep: "the app allows no deeper stack"
        case .stoodOnDropped: "what it stood on was dropped"
        }
    }
}

/// One restoration in progress.
private struct Restoration {
    let engine: RoutingEngine
    var dropped: [WindowRestoration.Dropped] = []
    /// The names of the screens that stand on tabs and destinations: those of the flows to which a destination belongs, and which
    /// therefore begin there. Any other flow is presented, or is the root.
    private let screensOutside: Set<String>

    init(engine: RoutingEngine) {
        self.engine = engine
        let flows = Set(engine.manifest.destinations.compactMap(\.flow))
        screensOutside = Set(engine.manifest.flows.filter { flows.contains($0.name) }.flatMap { $0.screens.map(\.id) })
    }

    mutating func drop(
        _ stack: some Collection<Destination>,
        in container: WindowRestoration.Container,
        _ reason: WindowRestoration.Reason
    ) {
        for destination in stack {
            dropped.append(.init(destination: engine.concealed(destination), container: container, reason: reason))
        }
    }

    // MARK: - Containers

    mutating func tabs(of saved: WindowState) -> [TabState] {
        let manifest = engine.manifest
        let mayBeFlow = !manifest.tabs.contains { $0.id == WindowState.rootTab }
        if mayBeFlow, let stack = saved.stack(of: WindowState.rootTab), let flow = rootFlow(startingWith: stack) {
            for tab in saved.tabs where tab.id != WindowState.rootTab {
                drop(tab.stack, in: .tab(tab.id), .unknownTab(tab.id))
            }
            let screens = Set(flow.screens.map(\.id))
            let kept = known(stack, in: .tab(WindowState.rootTab), screens: screens)
            return [TabState(id: WindowState.rootTab, stack: kept.isEmpty ? start(of: flow) : kept)]
        }
        for tab in saved.tabs where !manifest.tabs.contains(where: { $0.id == tab.id }) {
            drop(tab.stack, in: .tab(tab.id), .unknownTab(tab.id))
        }
        let tabs = manifest.tabs.map { tab in
            TabState(id: tab.id, stack: stack(of: tab, saved: saved.stack(of: tab.id)))
        }
        guard tabs.isEmpty, let first = manifest.roots.first.flatMap({ engine.flow($0.flow) }) else { return tabs }
        return [TabState(id: WindowState.rootTab, stack: start(of: first))]
    }

    mutating func modals(of saved: WindowState) -> [ModalState] {
        var modals: [ModalState] = []
        for (index, modal) in saved.modals.enumerated() {
            let container = WindowRestoration.Container.modal(index)
            var kept: [Destination] = []
            if index >= engine.manifest.policies.maximumStackDepth {
                drop(modal.stack, in: container, .tooDeep)
            } else if let name = modal.flow {
                if modals.contains(where: { $0.flow == name }) {
                    drop(modal.stack, in: container, .presentedTwice(name))
                } else if let flow = engine.flow(name) {
                    kept = known(modal.stack, in: container, screens: Set(flow.screens.map(\.id)))
                } else {
                    drop(modal.stack, in: container, .unknownFlow(name))
                }
            } else {
                kept = known(modal.stack, in: container, screens: screensOutside)
            }
            guard !kept.isEmpty else {
                // As with a dismissal, what was presented over it goes too.
                for (above, modal) in saved.modals.enumerated().dropFirst(index + 1) {
                    drop(modal.stack, in: .modal(above), .stoodOnDropped)
                }
                break
            }
            modals.append(ModalState(flow: modal.flow, style: modal.style, stack: kept))
        }
        return modals
    }

    private mutating func stack(of tab: TabDeclaration, saved: [Destination]?) -> [Destination] {
        let root = Destination(id: tab.root)
        guard let saved, let first = saved.first else { return [root] }
        guard first.id == tab.root else {
            drop(saved, in: .tab(tab.id), .otherRoot(tab.root))
            return [root]
        }
        let kept = known(saved, in: .tab(tab.id), screens: screensOutside)
        return kept.isEmpty ? [root] : kept
    }

    /// The root flow of the manifest that has the stack's first screen.
    private func rootFlow(startingWith stack: [Destination]) -> FlowDeclaration? {
        engine.manifest.roots.lazy.compactMap { engine.flow($0.flow) }.first { flow in
            flow.screens.contains { $0.id == stack.first?.id }
        }
    }

    private func start(of flow: FlowDeclaration) -> [Destination] {
        flow.screens.first.map { [engine.start($0.id, of: flow.name, with: [:], context: RoutingContext())] } ?? []
    }

    // MARK: - Screens

    /// The deepest prefix of the stack that the app knows, with parameters in canonical form.
    private mutating func known(
        _ stack: [Destination],
        in container: WindowRestoration.Container,
        screens: Set<String>
    ) -> [Destination] {
        var kept: [Destination] = []
        for (index, saved) in stack.enumerated() {
            do throws(WindowRestoration.Reason) {
                if index >= engine.manifest.policies.maximumStackDepth { throw .tooDeep }
                kept.append(try checked(saved, on: kept.last, screens: screens))
            } catch {
                drop([saved], in: container, error)
                drop(stack.dropFirst(index + 1), in: container, .stoodOnDropped)
                return kept
            }
        }
        return kept
    }

    private func checked(
        _ saved: Destination,
        on below: Destination?,
        screens: Set<String>
    ) throws(WindowRestoration.Reason) -> Destination {
        let declaration = engine.destination(saved.id)
        if below?.id == saved.id, declaration?.repeats != true { throw .repeats }
        guard declaration != nil else {
            guard screens.contains(saved.id) else {
                let owner = engine.manifest.flows.first { flow in flow.screens.contains { $0.id == saved.id } }
                throw owner.map { .outsideFlow($0.name) } ?? .unknownDestination
            }
            // Coordinators may give a flow's own screens any parameters, so any will do.
            return engine.concealed(saved)
        }
        do throws(RouteError) {
            return try engine.request(for: saved, source: .internal).destination
        } catch {
            guard case .validationFailed(let parameter, let reason) = error else { throw .unknownDestination }
            throw .invalidParameter(parameter, reason: reason)
        }
    }
}
