package import SceneNavigation
package import SceneRouting

/// A scene's root: it owns the window and the coordinators, and carries out one op at a time.
///
/// Everything here is synchronous. Whether an op may still begin is asked, the op begun and its record written while no
/// commit can come between (<doc:TheSession#S2>); waiting is left to the dispatcher.
package final class RootRouter {
    let context: SceneContext
    var window: Window
    let coordinators: CoordinatorTree
    /// The app's screens; `nil` for a headless scene.
    let display: Display?
    var leaks = LeakWatch()
    var leaked = 0
    /// The scene configuration the window is opened with.
    package var configuration = ""
    /// The newest state for readers outside the scene's actor.
    package let published: Published

    package init(context: SceneContext, window: WindowState, published: Published) {
        self.context = context
        self.published = published
        let app = context.app
        self.window = Self.window(window, app)
        coordinators = CoordinatorTree(
            declaredFlow: { app.current.engine.traits.flow(of: $0.id) },
            rootFlow: { $0.rootFlow(app.current.engine) },
            factory: context.code.coordinators
        )
        display = context.handle.map { context.code.display(of: $0) }
    }

    /// Records that the window is there, with the coordinators of what it shows. Called with the session's lock held, so
    /// that no commit falls between the first window and the first sweep.
    package func start(configuration: String, at newest: SessionSnapshot) {
        self.configuration = configuration
        if let flow = window.state.rootFlow(context.app.current.engine) {
            // What was opened is what the manifest says; where the flow starts is its coordinator's to choose.
            let root = TabState(id: WindowState.rootTab, stack: screens(startOf: flow, asRoot: true, at: newest))
            window = Self.window(WindowState(tabs: [root], selectedTab: root.id), context.app)
        }
        connect(restored: false, for: nil, at: newest)
    }

    /// Brings the window back with what it showed, made into what may be shown now, before anybody sees it.
    ///
    /// - Parameters:
    ///   - event: The event that needs the window, if one does.
    ///   - prepare: Makes the window into what may be shown, by ``prepare(_:at:)``, while no commit can come between.
    package func restore(for event: String?, prepare: (SessionSnapshot) -> Void) {
        context.store.withNewest { newest in
            guard !context.life.isDiscarded else { return }
            prepare(newest)
            connect(restored: true, for: event, at: newest)
        }
    }

    /// Changes the window before anybody sees it.
    /// - Returns: Whether it has changed; a violation is recorded.
    func prepare(_ op: NavOp, at newest: SessionSnapshot) -> Bool {
        do throws(NavigationViolation) {
            try window.begin(op)
        } catch {
            record(error, cause: .restore, Record.Subject(scene: context.scene).at(newest))
            return false
        }
        window.completeTransition()
        return true
    }

    /// Exchanges what ``restore(for:prepare:)`` will bring back, while the window is released.
    package func replaceReleased(by state: WindowState) {
        window = Self.window(state, context.app)
        publish()
    }

    private func connect(restored: Bool, for event: String?, at newest: SessionSnapshot) {
        context.life.connect()
        let changes = coordinators.update(for: window.state)
        let failures = display?.open(window.state, owners: coordinators.owner(ofEachIn: window.state)) ?? []
        context.log.append(
            .sceneConnected(configuration: configuration, restored: restored, window: windowRecord),
            Record.Subject(scene: context.scene, event: event).at(newest)
        )
        record(changes)
        for failure in failures { record(failure, cause: .restore, at: newest) }
        publish(revision: newest.revision)
    }

    /// Lets the window and its coordinators go; `body` says why. What was shown is kept for ``restore(for:prepare:)``.
    package func release(_ body: Record.Body) {
        context.store.withNewest { newest in
            let changes = coordinators.removeAll()
            expectGone(display?.close() ?? [])
            context.log.append(body, Record.Subject(scene: context.scene).at(newest))
            record(changes)
            publish(revision: newest.revision)
        }
    }

    package var state: WindowState { window.state }

    /// What a step came to.
    enum Step {
        /// It has begun; a transition is to be waited for and then completed.
        case begun
        /// Nothing was to be done, or the session has changed so that it may no longer be done.
        case none
        /// It did not happen, and the window is as it was. Where the window or a part of the app refused it, it is
        /// `rejected`: for a `violation`, which is recorded, else for what failed and how.
        case refused(Outcome)

        var hasBegun: Bool {
            if case .begun = self { true } else { false }
        }

        /// The outcome of an event that was refused.
        var refusal: Outcome? {
            if case .refused(let outcome) = self { outcome } else { nil }
        }
    }

    /// Runs `body` with the newest snapshot, unless the window is gone for good. No commit can come between what it looks
    /// at, what it begins and what it records (<doc:TheSession#S2>).
    func step(_ body: (SessionSnapshot) -> Step) -> Step {
        context.store.withNewest { newest in context.life.isDiscarded ? .none : body(newest) }
    }

    /// Begins an op and records it; to be called within ``step(_:)``.
    ///
    /// - Parameter animated: Whether the transition is to be seen.
    func begin(
        _ op: NavOp,
        cause: NavigationCause,
        animated: Bool,
        subject: Record.Subject,
        at newest: SessionSnapshot
    ) -> Step {
        // What a headless scene shows cannot fail.
        let before = display == nil ? nil : window
        do throws(NavigationViolation) {
            try window.begin(op)
        } catch {
            record(error, cause: cause, subject.at(newest))
            return .refused(.rejected(reason: "violation"))
        }
        do throws(Display.Failure) {
            try show(op, animated: animated)
        } catch {
            if let before { window = before }
            // An event says so in its outcome; a sweep has none.
            if subject.event == nil { record(error, cause: cause, at: newest) }
            return .refused(.rejected(reason: error.description))
        }
        let changes = coordinators.update(for: window.state)
        record(changes.filter(\.isAttachment))
        context.log.append(.navigationStep(op: op, cause: cause, window: windowRecord), subject.at(newest))
        record(changes.filter { !$0.isAttachment })
        publish(revision: newest.revision)
        return .begun
    }

    /// Begins the transition of an op that will be let go: it takes its time and changes nothing.
    /// - Returns: Whether it has begun.
    func beginCancelled(_ op: NavOp) -> Bool {
        guard (try? window.beginCancelled(op)) != nil else { return false }
        publish()
        return true
    }

    /// What the window would show after an op, or the rule that it would break.
    package func preview(_ op: NavOp) throws(NavigationViolation) -> WindowState {
        var window = window
        window.completeTransition()
        try window.begin(op)
        return window.state
    }

    /// Ends the transition in progress.
    package func completeTransition() {
        window.completeTransition()
        publish()
    }

    /// Whether a transition is in progress.
    package var isTransitioning: Bool { window.isTransitioning }

    /// The window as records carry it, once the coordinators have been told of it.
    package var windowRecord: Record.WindowRecord {
        Record.WindowRecord(
            state: window.state,
            coordinators: coordinators.owners,
            traits: context.app.current.engine.traits
        )
    }

    // MARK: - Coordinators

    /// The coordinator of the topmost screen and those above it, in the order in which an intent asks them.
    package var responders: [CoordinatorNode] { coordinators.topmostNode(in: window.state).responders }

    /// The coordinator of a flow on screen.
    package func node(_ flow: String) -> CoordinatorNode? { coordinators.node(flow) }

    /// The coordinators of what is on screen, in the order attached.
    package var nodes: [CoordinatorNode] { coordinators.flows.compactMap(coordinators.node) }

    /// Where a flow stands in the window, or `nil` when it is not shown.
    package func place(of flow: String) -> FlowPlace? {
        FlowPlace(of: flow, in: window.state, owners: coordinators.owner(ofEachIn: window.state))
    }

    /// What a coordinator may look at.
    package func flowContext(of flow: String, session: RoutingContext) -> FlowContext {
        FlowContext(session: session, screens: place(of: flow)?.screens ?? [], engine: context.app.current.engine)
    }

    /// What a flow's coordinator wants done besides, now that it ends.
    func epilogue(of node: CoordinatorNode, _ result: FlowResult, _ session: RoutingContext) -> [FlowCommand] {
        node.coordinator.finished(result, context: flowContext(of: node.flow, session: session))
    }

    /// The screens that a flow starts with: its coordinator's choice as far as it can be shown, else the first declared.
    package func screens(startOf flow: String, asRoot: Bool, at snapshot: SessionSnapshot) -> [Destination] {
        let engine = context.app.current.engine
        let session = context.routing(snapshot)
        let coordinator = coordinators.coordinator(of: flow, startedFrom: asRoot ? nil : window.state)
        let chosen = coordinator.start(context: flowContext(of: flow, session: session))
        let declared = engine.flow(flow)?.screens.map(\.id) ?? []
        var screens: [Destination] = []
        for screen in chosen {
            guard engine.verdict(for: screen, context: session) == .allowed,
                !screens.isEmpty || declared.contains(screen.id),
                screens.last?.id != screen.id || engine.traits.repeats(screen.id)
            else { break }
            screens.append(screen)
        }
        return screens.isEmpty ? declared.prefix(1).map { Destination(id: $0) } : screens
    }

    /// Lets go of coordinators of flows that were to be shown and are not.
    package func forgetStarting() {
        coordinators.forgetStarting()
    }

    private static func window(_ state: WindowState, _ app: AppCell) -> Window {
        Window(state: state, repeats: { app.current.engine.traits.repeats($0) })
    }

    /// Publishes what is parked and which revision the window was judged by.
    package func publish(parked: [SceneStatus.Parked]? = nil, revision: Int? = nil) {
        let coordinators = self.coordinators
        let window = window.state
        let isTransitioning = isTransitioning
        let screens = display?.counts ?? Display.Counts()
        let leaked = self.leaked
        published.update { state in
            state.window = window
            state.isTransitioning = isTransitioning
            // None comes or goes uncounted.
            if state.counts != coordinators.counts {
                state.counts = coordinators.counts
                state.coordinators = coordinators.edges.map {
                    SceneStatus.Coordinator(flow: $0.flow, parent: $0.parent)
                }
            }
            state.screens = screens
            state.leaked = leaked
            if let revision { state.revision = max(state.revision, revision) }
            if let parked { state.parked = parked }
        }
    }

    private func record(
        _ violation: NavigationViolation,
        cause: NavigationCause,
        _ subject: Record.Subject
    ) {
        context.log.append(
            .violation(rule: violation.rule.rawValue, cause: cause.rawValue, detail: violation.detail),
            subject
        )
    }

    private func record(_ changes: [CoordinatorTree.Change]) {
        guard !changes.isEmpty else { return }
        let subject = Record.Subject(scene: context.scene)
        for change in changes {
            switch change {
            case .attached(let flow, let parent):
                context.log.append(.coordinatorAttached(flow: flow, parent: parent), subject)
            case .detached(let flow, let parent):
                context.log.append(.coordinatorDetached(flow: flow, parent: parent), subject)
            }
        }
    }
}

extension CoordinatorTree.Change {
    fileprivate var isAttachment: Bool {
        if case .attached = self { true } else { false }
    }
}
