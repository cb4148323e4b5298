internal import Basics
package import SceneNavigation
internal import SceneRouting

/// The root of one scene: it owns the scene's window, its tree of coordinators and, in an app with screens, its
/// ``/SceneNavigation/Display``, and keeps the three in step.
///
/// It is responsible for
/// - opening the window, bringing it back and releasing it;
/// - beginning one op at a time: the window changes, coordinators come and go, the screens follow, and the records are
///   written, all while no commit can come between (<doc:TheSession#S2>);
/// - publishing what readers outside the scene's actor may see (``PublishedState``), and reporting leaks.
///
/// It never decides where to go or what the session allows, never changes the session, and never waits: every method is
/// synchronous.
///
/// It lives on its scene's actor, and only the parts of that scene call it. ``Scene`` opens and releases the window,
/// ``StepRunner`` carries out an event's ops, and ``Sweeper`` those that a commit calls for. The other parts (such as
/// ``Navigator``, ``FlowRunner`` and ``Gatekeeper``) ask it what is shown and by whom.
package final class RootRouter {
    let context: SceneContext
    var window: Window
    let coordinators: CoordinatorTree
    /// The app's screens; `nil` for a headless scene.
    let display: Display?
    /// Whose the window is.
    var ownership = WindowOwnership()
    /// Whether a client gave the window that will be restored.
    private var isGiven = false
    /// The app by which the window is as it is: every screen could be where it is. Until the sweep after a reload it is the one before;
    /// `nil` for a window that is given.
    private let placed: Guarded<LoadedApp?>
    /// The newest session as it would be if nobody were signed in, with the app and the revision for which it was made.
    var lastNobody: (snapshot: SessionSnapshot, app: LoadedApp, revision: Int)?
    /// The flows on screen that another flow has started, with that one.
    var startedFlows: [String: String] = [:]
    var leaks = LeakWatch()
    var leaked = 0
    /// The name of the scene configuration that the window is opened with.
    package var configuration = ""
    /// The window as the newest op has left it, to share with the next one.
    private var lastShown: (state: WindowState, owners: [String], shown: ShownWindow)?
    /// The bytes that windows have added since the last record.
    private var unrecorded = 0
    /// The bytes that recorded windows have added since the last receipt.
    private var unreceipted = 0
    /// The newest state, for readers outside the scene's actor.
    package let published: PublishedState

    /// - Parameters:
    ///   - window: What it shows, or will when it is restored.
    ///   - owner: Whose a window to be restored is; `nil` if that is not known.
    package init(context: SceneContext, window: WindowState, of owner: WindowOwner?, published: PublishedState) {
        self.context = context
        ownership = WindowOwnership(of: window, by: owner)
        isGiven = true
        self.published = published
        let app = context.app
        placed = Guarded(nil)
        self.window = Self.window(window, app, placed)
        coordinators = CoordinatorTree(
            declaredFlow: { app.current.engine.traits.flow(of: $0.id) },
            rootFlow: { $0.rootFlow(app.current.engine) },
            factory: context.code.coordinators ?? { _, _ in nil }
        )
        display = context.handle.map { context.code.display(of: $0) }
    }

    // MARK: - The window's life

    /// Opens a new window and records it, with the coordinators of what it shows. Called with the session's lock held, so
    /// that no commit falls between the first window and the first sweep.
    package func start(configuration: String, at newest: SessionSnapshot) {
        self.configuration = configuration
        if let flow = window.state.rootFlow(context.app.current.engine) {
            // The given window follows the manifest; the flow's coordinator may choose another start.
            let root = TabState(id: WindowState.rootTab, stack: screens(startOf: flow, asRoot: true, at: newest))
            window = Self.window(WindowState(tabs: [root], selectedTab: root.id), context.app, placed)
        }
        placed.withLock { $0 = context.app.current }
        ownership.claim(window.state, by: newest, on: context.log.host)
        isGiven = false
        connect(restored: false, for: nil, at: newest)
    }

    /// Shows a window as it was before a restart, with the coordinators and screens of what it shows. Called with the session's lock held;
    /// the first sweep removes what may no longer be shown.
    ///
    /// - Parameter isSameApp: Whether the app is the one by which the window is as it is.
    func goOn(_ kept: KeptScene, isSameApp: Bool, at newest: SessionSnapshot) {
        configuration = kept.configuration
        ownership = kept.ownership
        startedFlows = kept.startedFlows
        isGiven = false
        if isSameApp { placed.withLock { $0 = context.app.current } }
        context.life.restore(kept)
        let owners = coordinators.owner(ofEachIn: window.state)
        let shown = ShownWindow(
            window.state,
            coordinators: owners,
            in: newest.epoch,
            after: nil,
            since: kept.shownSince
        )
        lastShown = (window.state, owners, shown)
        published.update { $0.settled = kept.settled }
        guard kept.isConnected else { return publish() }
        _ = coordinators.update(for: window.state)
        let failures = display?.open(window.state, owners: owners) ?? []
        for failure in failures { record(failure, cause: .restore, at: newest) }
        publish()
    }

    /// For each destination of the window, the epoch since which it is shown; empty if nothing has been recorded of it.
    var shownSince: [Int] { lastShown.map { $0.state == window.state ? $0.shown.epochs : [] } ?? [] }

    /// Shows a window that was released or saved. Called with the session's lock held, once ``prepare(_:at:)`` has removed what may
    /// no longer be shown.
    ///
    /// - Parameter event: The event that needs the window, if one does.
    func restore(for event: String?, at newest: SessionSnapshot) {
        connect(restored: true, for: event, at: newest)
    }

    /// Changes the window before anybody sees it. An op that the window refuses is recorded as a violation.
    /// - Parameter afresh: Whether nothing stays of what was shown, also where the op leads to the same.
    /// - Returns: Whether the window has changed.
    func prepare(_ op: NavOp, afresh: Bool = false, at newest: SessionSnapshot) -> Bool {
        do throws(NavigationViolation) {
            try window.begin(op)
        } catch {
            record(error, cause: .restore, Record.Subject(scene: context.scene).at(newest))
            return false
        }
        window.completeTransition()
        if afresh { lastShown = nil }
        forgetStarted()
        note(owners: coordinators.owner(ofEachIn: window.state), at: newest)
        return true
    }

    /// Sets what ``restore(for:at:)`` will bring back. The window must be released.
    /// - Parameter owner: Whose it was; `nil` if that is not known.
    func replaceReleased(by state: WindowState, of owner: WindowOwner?) {
        placed.withLock { $0 = nil }
        window = Self.window(state, context.app, placed)
        lastShown = nil
        startedFlows = [:]
        isGiven = true
        ownership = WindowOwnership(of: state, by: owner)
        publish()
    }

    private func connect(restored: Bool, for event: String?, at newest: SessionSnapshot) {
        context.life.connect()
        let changes = coordinators.update(for: window.state)
        let failures = display?.open(window.state, owners: coordinators.owner(ofEachIn: window.state)) ?? []
        context.log.append(
            .sceneConnected(
                configuration: configuration,
                restored: restored,
                given: isGiven,
                window: windowRecord(at: newest)
            ),
            Record.Subject(scene: context.scene, event: event).at(newest)
        )
        isGiven = false
        record(changes)
        context.lockIfDue(.connected, at: newest)
        for failure in failures { record(failure, cause: .restore, at: newest) }
        publish(revision: newest.revision)
    }

    /// Releases the window with its coordinators and screens. What it showed is kept for ``restore(for:at:)``.
    ///
    /// - Parameters:
    ///   - body: The record that says why.
    ///   - alongside: Is done in the same synchronous section, so that whoever chooses a scene sees what is recorded.
    package func release(_ body: Record.Body, _ alongside: () -> Void = {}) {
        context.store.withNewest { newest in
            let changes = coordinators.removeAll()
            expectGone(display?.close() ?? [])
            let isGone = body.kind == .sceneDiscarded
            context.log.append(
                body,
                Record.Subject(scene: context.scene).at(newest),
                keeping: isGone ? [.sceneGone(id: context.scene)] : []
            )
            record(changes)
            publish(revision: newest.revision)
            alongside()
        }
    }

    // MARK: - Steps

    /// What the window shows now.
    package var state: WindowState { window.state }

    /// Whether a transition is in progress.
    package var isTransitioning: Bool { window.isTransitioning }

    /// How a step went.
    enum StepResult {
        /// The op has begun. The caller waits for its transition and then calls ``completeTransition()``.
        case begun
        /// There was nothing to do, or the session has changed and no longer allows it.
        case none
        /// The op did not happen, and the window is as it was. If the window or the app's code refused it, the outcome is
        /// `rejected`, with the reason `violation` (which is recorded) or with what failed.
        case refused(Outcome)

        var hasBegun: Bool {
            if case .begun = self { true } else { false }
        }

        /// The event's outcome, if the op was refused.
        var refusal: Outcome? {
            if case .refused(let outcome) = self { outcome } else { nil }
        }
    }

    /// Runs `body` with the newest snapshot, unless the scene is discarded. No commit can come between the check that
    /// `body` makes, the op that it begins and the record of it (<doc:TheSession#S2>).
    func step(_ body: (SessionSnapshot) -> StepResult) -> StepResult {
        context.store.withNewest { newest in context.life.isDiscarded ? .none : body(newest) }
    }

    /// Begins an op and records it. Call it within ``step(_:)``.
    ///
    /// - Parameters:
    ///   - animated: Whether the transition is visible and takes time.
    ///   - afresh: Whether nothing stays of what was shown, also where the op leads to the same: screens and coordinators are new.
    func begin(
        _ op: NavOp,
        cause: NavigationCause,
        animated: Bool,
        afresh: Bool = false,
        subject: Record.Subject,
        at newest: SessionSnapshot
    ) -> StepResult {
        // Only an app's screens can fail after the window has taken the op.
        let before = display == nil ? nil : window
        do throws(NavigationViolation) {
            try window.begin(op, hasRoom: cause == .lock)
        } catch {
            // What is full is no mistake of the runtime's.
            if error.rule == .stackFull { return .refused(.rejected(reason: error.rule.rawValue)) }
            record(error, cause: cause, subject.at(newest))
            return .refused(.rejected(reason: "violation"))
        }
        do throws(Display.Failure) {
            try show(op, animated: animated, afresh: afresh)
        } catch {
            if let before { window = before }
            // An event reports the failure in its outcome. A sweep has no outcome, so record it.
            if subject.event == nil { record(error, cause: cause, at: newest) }
            return .refused(.rejected(reason: error.description))
        }
        ownership.note(op, window.state, started: startedFlows, by: newest)
        forgetStarted()
        if afresh {
            lastShown = nil
            record(coordinators.renew(for: window.state))
        }
        let changes = coordinators.update(for: window.state)
        let released = changes.lastIndex(where: \.isAttachment).map { $0 + 1 } ?? 0
        record(changes[..<released])
        context.log.append(.navigationStep(op: op, cause: cause, window: windowRecord(at: newest)), subject.at(newest))
        record(changes[released...])
        publish(revision: newest.revision)
        return .begun
    }

    /// Begins the transition of a swipe that will be let go. It takes time and changes nothing.
    /// - Returns: Whether the window allowed it.
    func beginCancelled(_ op: NavOp) -> Bool {
        guard (try? window.beginCancelled(op)) != nil else { return false }
        publish()
        display?.beginCancelled()
        return true
    }

    /// Whether the window has no room for what these ops add, one after the other.
    func isFull(for ops: [NavOp]) -> Bool { window.isFull(for: ops) }

    /// Whether those of these ops that come after the first `count` end a flow that is then in progress.
    func endsFlow(_ ops: [NavOp], after count: Int) -> Bool {
        let engine = context.app.current.engine
        var window = window
        var before: Set<String> = []
        for (index, op) in ops.enumerated() {
            if index == count { before = Set(coordinators.owner(ofEachIn: window.state)) }
            window.completeTransition()
            guard (try? window.begin(op)) != nil else { return false }
        }
        let left = Set(coordinators.owner(ofEachIn: window.state))
        return before.subtracting(left).contains { engine.flow($0) != nil }
    }

    /// What the window would show after an op.
    /// - Throws: The rule that the op would break.
    package func preview(_ op: NavOp) throws(NavigationViolation) -> WindowState {
        var window = window
        window.completeTransition()
        try window.begin(op)
        return window.state
    }

    /// Ends the transition in progress, if there is one.
    package func completeTransition() {
        window.completeTransition()
        publish()
        display?.end()
    }

    /// What a snapshot of the scene says of the window; `nil` for one that has never been shown.
    func snapshot(at newest: SessionSnapshot) -> Snapshot? {
        guard !isGiven else { return nil }
        // A released window has no coordinators.
        let window = windowRecord(at: newest, owners: coordinators.owner(ofEachIn: window.state))
        let edges = coordinators.edges.map(Record.AttachedCoordinator.init)
        return (window, ownership.owner?.epoch ?? newest.epoch, edges)
    }

    /// What a snapshot of the scene says of the window.
    typealias Snapshot = (
        window: Record.WindowRecord, judgedIn: Int, coordinators: [Record.AttachedCoordinator]
    )

    /// The window as records carry it.
    /// - Parameter owners: For each of the state's destinations, the flow that owns it; `nil` if ``coordinators`` has been updated
    ///   for it.
    private func windowRecord(at newest: SessionSnapshot, owners: [String]? = nil) -> Record.WindowRecord {
        let shown = note(owners: owners ?? coordinators.owners, at: newest)
        defer { unrecorded = 0 }
        let traits = context.app.current.engine.traits
        return Record.WindowRecord(shown, personal: personalPlaces(at: newest), traits: traits, added: unrecorded)
    }

    /// Notes what is shown since which epoch; each op has to be noted.
    /// - Parameter owners: For each of the state's destinations, the flow that owns it.
    @discardableResult
    private func note(owners: [String], at newest: SessionSnapshot) -> ShownWindow {
        if let last = lastShown, last.state == window.state, last.owners == owners { return last.shown }
        let shown = ShownWindow(window.state, coordinators: owners, in: newest.epoch, after: lastShown?.shown)
        lastShown = (window.state, owners, shown)
        unrecorded += shown.added
        unreceipted += shown.added
        return shown
    }

    /// The window for a receipt, and how many bytes of what it keeps no receipt of this scene has been charged for.
    func takeShown() -> (shown: ShownWindow, bytes: Int) {
        defer { unreceipted = 0 }
        if let last = lastShown, last.state == window.state { return (last.shown, unreceipted) }
        let epoch = ownership.owner?.epoch ?? 0
        let shown = ShownWindow(window.state, coordinators: [], in: epoch, after: lastShown?.shown)
        return (shown, unreceipted + shown.added)
    }

    /// The op that gives `window` the root that is in force: a flow, or the manifest's tabs. A tab that a reload keeps
    /// keeps its stack.
    /// - Returns: `nil` if the window shows that root already.
    func rootOp(_ window: WindowState, _ app: LoadedApp, _ snapshot: SessionSnapshot) -> NavOp? {
        if !app.manifest.roots.isEmpty, let flow = app.engine.rootFlow(context: context.routing(snapshot)) {
            guard window.rootFlow(app.engine) != flow.name else { return nil }
            let start = screens(startOf: flow.name, asRoot: true, at: snapshot)
            return .setRoot([TabState(id: WindowState.rootTab, stack: start)], selected: WindowState.rootTab)
        }
        let tabs = app.manifest.tabs
        // Nearly always the tabs are the same; find that out without building any.
        if tabs.count == window.tabs.count,
            zip(tabs, window.tabs).allSatisfy({ $0.id == $1.id && $0.root == $1.stack.first?.id })
        {
            return nil
        }
        let wanted = tabs.map { tab in
            let kept = window.stack(of: tab.id) ?? []
            return TabState(id: tab.id, stack: kept.first?.id == tab.root ? kept : [app.engine.root(of: tab)])
        }
        guard let first = wanted.first, wanted != window.tabs else { return nil }
        let isThere = wanted.contains { $0.id == window.selectedTab }
        return .setRoot(wanted, selected: isThere ? window.selectedTab : first.id)
    }

    // MARK: - Another manifest

    /// - Parameter placed: The app by which the window is as it is. Until the sweep after a reload what that allows may be there, and
    ///   what is in progress may still do so.
    private static func window(_ state: WindowState, _ app: CurrentApp, _ placed: Guarded<LoadedApp?>) -> Window {
        Window(
            state: state,
            maximumDepth: { app.current.manifest.policies.maximumStackDepth },
            repeats: { id in
                app.current.engine.traits.repeats(id)
                    || placed.read { $0?.engine.traits.repeats(id) ?? false }
            }
        )
    }

    /// Whether the window is as it is by the app that is in force.
    var isPlaced: Bool { placed.read { $0 } === context.app.current }

    /// Has the coordinators of what is shown follow another app, once the sweep has removed what that could not be showing. Called with
    /// the session's lock held.
    func follow(_ app: LoadedApp, at newest: SessionSnapshot) {
        let before = placed.withLock { placed in
            defer { placed = app }
            return placed
        }
        // A released window has no coordinators.
        guard before !== app, context.life.current.phase == .connected else { return }
        let changes = coordinators.update(for: window.state)
        guard !changes.isEmpty || lastShown?.owners != coordinators.owners else { return }
        display?.follow(window.state, owners: coordinators.owners)
        record(changes)
        note(owners: coordinators.owners, at: newest)
        publish()
    }

    // MARK: - What others see

    /// Publishes the window, its coordinators and its screens.
    /// - Parameters:
    ///   - parked: What is parked now; `nil` if that has not changed.
    ///   - revision: The revision that the window was judged by; `nil` if it was not judged again.
    package func publish(parked: [SceneStatus.Parked]? = nil, revision: Int? = nil) {
        let coordinators = self.coordinators
        let window = window.state
        let isTransitioning = isTransitioning
        let screens = display?.counts ?? Display.Counts()
        let leaked = self.leaked
        let shown = lastShown?.shown
        let owner = ownership.owner
        published.update { state in
            state.window = window
            state.shown = shown
            state.owner = owner
            state.isTransitioning = isTransitioning
            // The counts change whenever a coordinator comes or goes.
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

    private func record(_ changes: some Collection<CoordinatorTree.Change>) {
        guard !changes.isEmpty else { return }
        let subject = Record.Subject(scene: context.scene)
        for change in changes {
            switch change {
            case .attached(let flow, let parent, let inSwift):
                context.log.append(.coordinatorAttached(flow: flow, parent: parent, inSwift: inSwift), subject)
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
