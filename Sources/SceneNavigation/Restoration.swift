internal import Basics
internal import SceneRouting

/// One restoration in progress: what the app could be showing of a saved window, judged from the lowest screen up
/// (<doc:/SceneRuntime/Scenes>).
struct Restoration {
    private let engine: RoutingEngine
    private let hasCode: Bool
    /// How deep a stack and the chain of presentations may be.
    private let maximumDepth: Int
    private(set) var dropped: [WindowRestoration.Dropped] = []
    /// The destinations to which the app itself leads, on top of whatever is in their tab.
    private let ledTo: Set<String>
    /// The flows that gates show.
    private let gateFlows: Set<String>

    init(engine: RoutingEngine, hasCode: Bool, maximumDepth: Int) {
        self.engine = engine
        self.hasCode = hasCode
        self.maximumDepth = maximumDepth
        let manifest = engine.manifest
        var ledTo: Set<String> = []
        for effect in manifest.intents.flatMap(\.effects) + manifest.flows.flatMap(\.effects) {
            switch effect.unconditional {
            case .route(let destination, _), .openWindow(let destination, _, _): ledTo.insert(destination)
            default: continue
            }
        }
        for destination in ledTo.compactMap(engine.destination) {
            ledTo.formUnion(destination.variants.map(\.destination))
        }
        self.ledTo = ledTo
        gateFlows = Set(
            manifest.preconditions.map(\.flow) + manifest.roots.map(\.flow) + [manifest.lock?.flow].compactMap(\.self)
        )
    }

    private var manifest: AppManifest { engine.manifest }

    private mutating func drop(
        _ stack: some Collection<Destination>,
        in container: WindowRestoration.Container,
        _ reason: WindowRestoration.Reason
    ) {
        for destination in stack {
            dropped.append(.init(destination: engine.concealed(destination), container: container, reason: reason))
        }
    }

    /// What the app could be showing of a window.
    mutating func window(of saved: WindowState, _ isWaitedFor: (ModalState) -> Bool) -> WindowState {
        var window = WindowState(tabs: tabs(of: saved), selectedTab: saved.selectedTab)
        if window.stack(of: saved.selectedTab) != nil {
            addModals(of: saved, to: &window, isWaitedFor)
        } else {
            window.selectedTab = window.tabs.first?.id ?? WindowState.rootTab
            for (index, modal) in saved.modals.enumerated() {
                drop(modal.stack, in: .modal(index), .stoodOnDropped)
            }
        }
        return window
    }

    // MARK: - Containers

    /// The tabs, or the root flow in their place.
    private mutating func tabs(of saved: WindowState) -> [TabState] {
        let mayBeFlow = !manifest.tabs.contains { $0.id == WindowState.rootTab }
        if mayBeFlow, let stack = saved.stack(of: WindowState.rootTab), let flow = rootFlow(startingWith: stack) {
            for tab in saved.tabs where tab.id != WindowState.rootTab {
                drop(tab.stack, in: .tab(tab.id), .unknownTab(tab.id))
            }
            let kept = prefix(of: stack, in: Place(container: .tab(WindowState.rootTab), owner: flow.name))
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

    private mutating func stack(of tab: TabDeclaration, saved: [Destination]?) -> [Destination] {
        let root = engine.root(of: tab)
        guard let saved, let first = saved.first else { return [root] }
        guard first.id == tab.root else {
            drop(saved, in: .tab(tab.id), .otherRoot(tab.root))
            return [root]
        }
        let owner = engine.destination(tab.root)?.flow ?? tab.id
        let kept = prefix(of: saved, in: Place(container: .tab(tab.id), owner: owner, ownsAll: false, tab: tab.id))
        return kept.isEmpty ? [root] : kept
    }

    /// Puts those of the presentations over the tabs that could be there.
    private mutating func addModals(
        of saved: WindowState,
        to window: inout WindowState,
        _ isWaitedFor: (ModalState) -> Bool
    ) {
        let tree = CoordinatorTree(
            declaredFlow: { [traits = engine.traits] in traits.flow(of: $0.id) },
            rootFlow: { [engine] in $0.rootFlow(engine) }
        )
        var shown = Set(tree.owner(ofEachIn: window))
        var topmost = tree.owner(ofEachIn: WindowState(front: window)).last ?? CoordinatorTree.rootName
        for (index, modal) in saved.modals.enumerated() {
            var kept: [Destination] = []
            if index >= maximumDepth {
                drop(modal.stack, in: .modal(index), .tooDeep)
            } else {
                do throws(WindowRestoration.Reason) {
                    let owner = try owner(of: modal, over: window, by: topmost, shown, isWaitedFor)
                    let tab = window.selectedTab
                    let modals = window.modals + [modal]
                    let isOfFlow = modal.flow != nil
                    kept = prefix(
                        of: modal.stack,
                        in: Place(container: .modal(index), owner: owner, ownsAll: isOfFlow, tab: tab, modals: modals)
                    )
                } catch {
                    drop(modal.stack.prefix(1), in: .modal(index), error)
                    drop(modal.stack.dropFirst(), in: .modal(index), error.isOfFlow ? error : .stoodOnDropped)
                }
            }
            guard !kept.isEmpty else {
                // As with a dismissal, what was presented over it goes too.
                for (above, modal) in saved.modals.enumerated().dropFirst(index + 1) {
                    drop(modal.stack, in: .modal(above), .stoodOnDropped)
                }
                return
            }
            window.modals.append(ModalState(flow: modal.flow, style: modal.style, stack: kept))
            let owners = kept.map { modal.flow ?? engine.destination($0.id)?.flow ?? topmost }
            shown.formUnion(owners)
            topmost = owners.last ?? topmost
        }
    }

    /// The root flow of the manifest that has the stack's first screen.
    private func rootFlow(startingWith stack: [Destination]) -> FlowDeclaration? {
        manifest.roots.lazy.compactMap { engine.flow($0.flow) }.first { $0.has(stack.first?.id) }
    }

    private func start(of flow: FlowDeclaration) -> [Destination] {
        flow.screens.first.map { [engine.start($0.id, of: flow.name, with: [:], context: RoutingContext())] } ?? []
    }

    // MARK: - Presentations

    /// The flow that owns what belongs to no other in a presentation. Its first screen is in order then, but for its parameters.
    ///
    /// A destination is presented in its own place and style, a flow where something starts it or, as long as something waits there,
    /// at its gate. A flow may have replaced the first screen by another of its own.
    /// - Parameters:
    ///   - topmost: The owner of what is below.
    ///   - shown: The owners of everything below.
    private func owner(
        of modal: ModalState,
        over window: WindowState,
        by topmost: String,
        _ shown: Set<String>,
        _ isWaitedFor: (ModalState) -> Bool
    ) throws(WindowRestoration.Reason) -> String {
        let first = modal.stack.first?.id ?? ""
        let declaration = engine.destination(first)
        if let declaration, isPlace(modal, of: declaration, over: window) {
            if declaration.isOverCurrent, !declaration.repeats, isPresented(modal, in: window) { throw .presentedAgain }
            return modal.flow ?? topmost
        }
        let owner = modal.flow ?? topmost
        let flow = engine.flow(owner)
        if let name = modal.flow, flow == nil { throw .unknownFlow(name) }
        guard let flow, flow.has(first) else {
            if let declaration { throw .misplaced(place(of: declaration)) }
            throw manifest.flows.first { $0.has(first) }.map { .outsideFlow($0.name) } ?? .unknownDestination
        }
        if manifest.destinations.contains(where: { isPlace(modal, of: $0, over: window) }) { return owner }
        guard modal.flow != nil else {
            throw declaration.map { .misplaced(place(of: $0)) } ?? .outsideFlow(flow.name)
        }
        // A gate shows its flow although the flow has screens in a tab.
        if shown.contains(flow.name), !isWaitedFor(modal) || window.shows(flow: flow.name, engine) {
            throw .presentedTwice(flow.name)
        }
        // Its own place, if that is what was meant.
        let right = declaration.flatMap { $0.isPresented && $0.flow == flow.name ? place(of: $0) : nil }
        guard modal.style == flow.style else {
            throw .misplaced(right ?? "presented as \(flow.style), like all of \(flow.name)")
        }
        if isWaitedFor(modal) { return owner }
        let starts = engine.flow(topmost)?.effects.contains {
            if case .start(flow.name, _, _) = $0.unconditional { true } else { false }
        }
        if starts ?? false { return owner }
        if gateFlows.contains(flow.name) { throw .nothingWaits(flow.name) }
        guard hasCode else { throw right.map { .misplaced($0) } ?? .notStarted(flow.name) }
        return owner
    }

    /// Whether a destination is presented like this, over what a window shows.
    private func isPlace(_ modal: ModalState, of declaration: DestinationDeclaration, over window: WindowState) -> Bool
    {
        guard declaration.flow == modal.flow, declaration.presentation == .modal(modal.style) else { return false }
        return declaration.isOverCurrent
            || ways(to: declaration).contains {
                engine.tab(of: $0.target) == window.selectedTab
                    && engine.arePresented(presentations(on: $0), as: window.modals)
            }
    }

    /// Whether the window has the presentation already, and would go back to it: no flow above it would be lost.
    private func isPresented(_ modal: ModalState, in window: WindowState) -> Bool {
        let place = window.modals.lastIndex {
            $0.flow == modal.flow && $0.style == modal.style && $0.stack.first?.id == modal.stack.first?.id
        }
        return place.map { window.modals[($0 + 1)...].allSatisfy { $0.flow == nil } } ?? false
    }

    // MARK: - Stacks

    /// A stack, and what may be in it.
    private struct Place {
        let container: WindowRestoration.Container
        /// The flow that owns what belongs to no other there; the name of a tab that no flow owns.
        let owner: String
        /// Whether it owns everything there.
        var ownsAll = true
        /// The tab in front, or the tab itself; `nil` for a root flow.
        var tab: String?
        /// The presentations up to this one; none for a tab.
        var modals: [ModalState] = []
    }

    /// The deepest prefix of a stack that could be there, with parameters in canonical form. The first screen is in order, but for its
    /// parameters.
    private mutating func prefix(of stack: [Destination], in place: Place) -> [Destination] {
        var kept: [Destination] = []
        // The flows that own a screen of the stack so far. Each may have pushed the next one.
        var owners = [place.owner]
        for (index, saved) in stack.enumerated() {
            do throws(WindowRestoration.Reason) {
                if index >= maximumDepth { throw .tooDeep }
                kept.append(try checked(saved, on: kept, of: owners, in: place))
                if !place.ownsAll, let flow = engine.destination(saved.id)?.flow { owners.append(flow) }
            } catch {
                drop([saved], in: place.container, error)
                drop(stack.dropFirst(index + 1), in: place.container, .stoodOnDropped)
                return kept
            }
        }
        return kept
    }

    /// A screen of a stack, with its parameters in canonical form.
    private func checked(
        _ saved: Destination,
        on kept: [Destination],
        of owners: [String],
        in place: Place
    ) throws(WindowRestoration.Reason) -> Destination {
        let declaration = engine.destination(saved.id)
        if kept.last?.id == saved.id, declaration?.repeats != true { throw .repeats }
        let flows = owners.compactMap(engine.flow)
        let owner = flows.last { $0.has(saved.id) }
        // A request goes back to it, a flow may push it once more.
        if owner == nil, !hasCode, let declaration, !declaration.repeats, kept.contains(where: { $0.id == saved.id }) {
            throw .pushedAgain
        }
        guard let declaration else {
            guard let owner else {
                throw manifest.flows.first { $0.has(saved.id) }.map { .outsideFlow($0.name) } ?? .unknownDestination
            }
            return try parameters(of: saved, in: owner)
        }
        let screen: Destination
        do throws(RouteError) {
            screen = try engine.request(for: saved, source: .internal).destination
        } catch {
            throw WindowRestoration.Reason(error)
        }
        let mayBePushed = hasCode && !flows.isEmpty
        if kept.isEmpty || owner != nil || mayBePushed || isPlace(place, of: screen, declaration, on: kept) {
            return screen
        }
        throw .misplaced(self.place(of: declaration, screen))
    }

    /// A flow's own screen with its parameters in canonical form.
    private func parameters(
        of saved: Destination,
        in flow: FlowDeclaration
    ) throws(WindowRestoration.Reason) -> Destination {
        let declaresNone = flow.screens.first { $0.id == saved.id }?.parameters.isEmpty ?? true
        if declaresNone, !hasCode, let extra = saved.parameters.keys.min() {
            throw .invalidParameter(extra, reason: "\(saved.id) has no parameters")
        }
        do throws(RouteError) {
            let context = RoutingContext()
            return engine.concealed(try engine.screen(saved.id, of: flow.name, saved.parameters, context: context))
        } catch {
            throw WindowRestoration.Reason(error)
        }
    }

    /// Whether a destination is pushed on these screens: on an ancestry or, if the app itself leads there, on whatever is in its tab.
    private func isPlace(
        _ place: Place,
        of screen: Destination,
        _ declaration: DestinationDeclaration,
        on kept: [Destination]
    ) -> Bool {
        guard declaration.presentation == .push, let tab = place.tab else { return false }
        return ways(to: declaration).contains { way in
            guard engine.tab(of: way.target) == tab, engine.arePresented(presentations(on: way), as: place.modals)
            else { return false }
            let isLedTo = place.modals.isEmpty && ledTo.contains(way.target.id)
            if hasCode || isLedTo && isTop(way) { return true }
            guard stack(on: way).elementsEqual(kept.map(\.id)) else { return false }
            // What the app finds in a tab keeps its parameters.
            return isLedTo || takes(kept, screen, from: way)
        }
    }

    /// How a link leads to a destination: to itself, or to another that has it in its ancestry. That one's ancestry says what is below
    /// it then, whatever its own says.
    private struct Way {
        /// Where the link leads.
        let target: DestinationDeclaration
        /// How many of the target's ancestry are below the destination.
        let depth: Int

        /// What is below the destination, lowest first.
        var below: ArraySlice<String> { target.ancestry[..<depth] }
    }

    /// The ways to a destination that has an ancestry, its own first.
    private func ways(to declaration: DestinationDeclaration) -> some Sequence<Way> {
        engine.destinations(showing: declaration.id).lazy.map { target in
            Way(target: target, depth: target.ancestry.firstIndex(of: declaration.id) ?? target.ancestry.count)
        }
    }

    /// Those presentations that are below a destination.
    private func presentations(on way: Way) -> [DestinationDeclaration] {
        way.below.compactMap(engine.destination).filter(\.isPresented)
    }

    /// The stack below a pushed destination, in its container.
    private func stack(on way: Way) -> ArraySlice<String> {
        let start = way.below.lastIndex { engine.destination($0)?.isPresented ?? false }
        return way.below[(start ?? 0)...]
    }

    /// Whether what comes next on the way, if anything does, is presented: a request from inside the app pushes only what is on top.
    private func isTop(_ way: Way) -> Bool {
        let above = way.target.ancestry.dropFirst(way.depth + 1).first.flatMap(engine.destination) ?? way.target
        return way.depth == way.target.ancestry.count || above.isPresented
    }

    /// Whether the screens of a stack can have their parameters from the target of the way.
    private func takes(_ kept: [Destination], _ screen: Destination, from way: Way) -> Bool {
        if way.target.id == screen.id {
            return kept.allSatisfy { shown in
                shown.parameters.allSatisfy { name, value in
                    screen.parameters[name].map { $0.utf8.elementsEqual(value.utf8) } ?? true
                }
            }
        }
        // The target is gone: of each name it had one value, for all those that do not have their defaults.
        var given: [String: String] = [:]
        return (kept + [screen]).allSatisfy { shown in
            shown.parameters.allSatisfy { name, value in
                if engine.defaultValue(of: name, in: shown.id)?.utf8.elementsEqual(value.utf8) ?? false { return true }
                return given.updateValue(value, forKey: name).map { $0.utf8.elementsEqual(value.utf8) } ?? true
            }
        }
    }

    /// Where the app shows a destination, in words.
    private func place(of declaration: DestinationDeclaration, _ screen: Destination? = nil) -> String {
        let flow = declaration.flow.map { ", for the flow '\($0)'" } ?? ""
        var below = declaration.ancestry
        if let screen, case .placed(_, let path, let modals) = try? engine.target(of: RouteRequest(screen)) {
            below = (path + modals.flatMap(\.stack)).dropLast().map(\.description)
        }
        let ancestry = below.joined(separator: " › ")
        return switch declaration.presentation {
        case .tab(let tab): "as the root of tab '\(tab)'"
        case .push: "pushed on \(ancestry)"
        case .modal(let style) where declaration.isOverCurrent: "presented as \(style) over whatever is shown\(flow)"
        case .modal(let style): "presented as \(style) over \(ancestry)\(flow)"
        }
    }
}

extension RoutingEngine {
    /// The tab in which a destination is; `nil` for one that is presented over whatever is shown.
    fileprivate func tab(of declaration: DestinationDeclaration) -> String? {
        let bottom = declaration.ancestry.first.map(destination) ?? declaration
        if case .tab(let tab) = bottom?.presentation { return tab }
        return nil
    }

    /// Whether these are the presentations of these destinations, which their flows may have moved on.
    fileprivate func arePresented(_ declarations: [DestinationDeclaration], as modals: [ModalState]) -> Bool {
        declarations.count == modals.count
            && zip(declarations, modals).allSatisfy { $0.flow == $1.flow && $0.presentation == .modal($1.style) }
    }
}

extension DestinationDeclaration {
    fileprivate var isPresented: Bool { if case .modal = presentation { true } else { false } }
}

extension FlowDeclaration {
    fileprivate func has(_ screen: String?) -> Bool { screens.contains { $0.id == screen } }
}

extension RouteRequest {
    fileprivate init(_ destination: Destination) { self.init(destination: destination, source: .internal) }
}

extension WindowState {
    /// What a window's tab in front shows, without what is presented over it.
    fileprivate init(front window: WindowState) {
        self.init(tabs: window.tabs.filter { $0.id == window.selectedTab }, selectedTab: window.selectedTab)
    }
}

extension WindowRestoration.Reason {
    /// Why a screen does not have these parameters.
    fileprivate init(_ error: RouteError) {
        guard case .validationFailed(let parameter, let reason) = error else {
            self = .unknownDestination
            return
        }
        self = .invalidParameter(parameter, reason: reason)
    }

    /// Whether it is about a presentation as a whole.
    fileprivate var isOfFlow: Bool {
        switch self {
        case .unknownFlow, .presentedTwice, .nothingWaits, .notStarted: true
        default: false
        }
    }
}
