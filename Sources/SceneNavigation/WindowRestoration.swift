public import SceneRouting

/// Finds what of a saved window the app, as it is now, can show: state restoration after a reconnection, a restart or a
/// new manifest.
///
/// Each container is cut back to its deepest known prefix. Whether the session allows what is left is another question,
/// and the sweep's.
public enum WindowRestoration {
    /// The window that may be restored, legal by the rules of ``Window``, and what was left out of it and why.
    ///
    /// The tabs are those of the manifest, each from its root, with the saved stack on it as far as it is known. A saved
    /// flow instead of tabs stays one only where the manifest still has it as a root. Where the selected tab is gone the
    /// first one is selected, without the presentations: they stood on what is gone.
    public static func restore(
        _ saved: WindowState,
        engine: RoutingEngine
    ) -> (window: WindowState, dropped: [Dropped]) {
        var restoring = Restoring(engine: engine)
        var window = WindowState(tabs: restoring.tabs(of: saved), selectedTab: saved.selectedTab)
        if window.stack(of: saved.selectedTab) != nil {
            window.modals = restoring.modals(of: saved)
        } else {
            window.selectedTab = window.tabs.first?.id ?? WindowState.rootTab
            for (index, modal) in saved.modals.enumerated() {
                restoring.drop(modal.stack, in: .modal(index), .stoodOnDropped)
            }
        }
        return (window, restoring.dropped)
    }

    /// A screen that cannot be restored.
    public struct Dropped: Hashable, Sendable {
        public let destination: Destination
        public let container: Container
        public let reason: Reason

        package init(destination: Destination, container: Container, reason: Reason) {
            self.destination = destination
            self.container = container
            self.reason = reason
        }
    }

    /// Where a screen stood in the saved window.
    public enum Container: Hashable, Sendable {
        case tab(String)
        /// The presentation at this place of the chain, counted from 0.
        case modal(Int)
    }

    /// Why a screen cannot be restored.
    public enum Reason: Error, Hashable, Sendable {
        /// The app has no destination of this name, nor its flow a screen.
        case unknownDestination
        /// The destination takes no such value; what it takes.
        case invalidParameter(String, reason: String)
        case unknownTab(String)
        case unknownFlow(String)
        /// The tab has another root now.
        case otherRoot(String)
        /// It stands on a screen of its own name, which may not repeat.
        case repeats
        /// What it stood on was dropped.
        case stoodOnDropped
    }
}

extension WindowRestoration.Dropped: CustomStringConvertible {
    /// `settings(section: theme) in tab account: …`.
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
    public var description: String {
        switch self {
        case .unknownDestination: "the app has no such destination"
        case .invalidParameter(let parameter, let reason): "\(parameter): \(reason)"
        case .unknownTab(let tab): "the app has no tab '\(tab)'"
        case .unknownFlow(let flow): "the app has no flow '\(flow)'"
        case .otherRoot(let root): "the tab's root is '\(root)'"
        case .repeats: "it may not stand on itself"
        case .stoodOnDropped: "what it stood on was dropped"
        }
    }
}

/// One restoration in progress.
private struct Restoring {
    let engine: RoutingEngine
    var dropped: [WindowRestoration.Dropped] = []
    /// The names of every flow's screens.
    private let flowScreens: Set<String>

    init(engine: RoutingEngine) {
        self.engine = engine
        flowScreens = Set(engine.manifest.flows.flatMap { $0.screens.map(\.id) })
    }

    mutating func drop(
        _ stack: some Collection<Destination>,
        in container: WindowRestoration.Container,
        _ reason: WindowRestoration.Reason
    ) {
        for destination in stack {
            dropped.append(.init(destination: destination, container: container, reason: reason))
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
            return [TabState(id: WindowState.rootTab, stack: kept.isEmpty ? Self.start(of: flow) : kept)]
        }
        for tab in saved.tabs where !manifest.tabs.contains(where: { $0.id == tab.id }) {
            drop(tab.stack, in: .tab(tab.id), .unknownTab(tab.id))
        }
        let tabs = manifest.tabs.map { tab in
            TabState(id: tab.id, stack: stack(of: tab, saved: saved.stack(of: tab.id)))
        }
        guard tabs.isEmpty, let first = manifest.roots.first.flatMap({ engine.flow($0.flow) }) else { return tabs }
        return [TabState(id: WindowState.rootTab, stack: Self.start(of: first))]
    }

    mutating func modals(of saved: WindowState) -> [ModalState] {
        var modals: [ModalState] = []
        for (index, modal) in saved.modals.enumerated() {
            let container = WindowRestoration.Container.modal(index)
            var kept: [Destination] = []
            if let name = modal.flow {
                if let flow = engine.flow(name) {
                    kept = known(modal.stack, in: container, screens: Set(flow.screens.map(\.id)))
                } else {
                    drop(modal.stack, in: container, .unknownFlow(name))
                }
            } else {
                kept = known(modal.stack, in: container, screens: flowScreens)
            }
            guard !kept.isEmpty else {
                // As a dismissal does, it takes along what was presented over it.
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
        let kept = known(saved, in: .tab(tab.id), screens: flowScreens)
        return kept.isEmpty ? [root] : kept
    }

    /// The flow that the manifest shows instead of tabs and that has the stack's first screen.
    private func rootFlow(startingWith stack: [Destination]) -> FlowDeclaration? {
        engine.manifest.roots.lazy.compactMap { engine.flow($0.flow) }.first { flow in
            flow.screens.contains { $0.id == stack.first?.id }
        }
    }

    private static func start(of flow: FlowDeclaration) -> [Destination] {
        flow.screens.first.map { [Destination(id: $0.id)] } ?? []
    }

    // MARK: - Screens

    /// The deepest prefix of the stack that the app knows, its parameters in canonical form.
    private mutating func known(
        _ stack: [Destination],
        in container: WindowRestoration.Container,
        screens: Set<String>
    ) -> [Destination] {
        var kept: [Destination] = []
        for (index, saved) in stack.enumerated() {
            do throws(WindowRestoration.Reason) {
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
            guard screens.contains(saved.id) else { throw .unknownDestination }
            // What a flow's own screen carries is the flow's affair: the manifest declares nothing of it.
            return saved
        }
        do throws(RouteError) {
            return try engine.request(for: saved, source: .internal).destination
        } catch {
            guard case .validationFailed(let parameter, let reason) = error else { throw .unknownDestination }
            throw .invalidParameter(parameter, reason: reason)
        }
    }
}
