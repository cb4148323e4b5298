package import SceneNavigation
internal import SceneRouting
internal import Synchronization

/// A scene's root: it owns the window and the coordinators, and carries out one op at a time.
///
/// Everything here is synchronous. Whether an op may still begin is asked, the op begun and its record written while no
/// commit can come between (S2); waiting is left to the dispatcher.
package final class RootRouter {
    private let context: SceneContext
    private var window: Window
    private var coordinators: CoordinatorTree
    /// The scene configuration the window is opened with.
    package var configuration = ""
    /// The newest state for readers outside the scene's actor.
    package let published: Published

    package init(context: SceneContext, window: WindowState, published: Published) {
        self.context = context
        self.published = published
        let app = context.app
        self.window = Window(state: window, repeats: { app.current.engine.destination($0)?.repeats ?? false })
        coordinators = CoordinatorTree(declaredFlow: { app.current.engine.destination($0.id)?.flow })
    }

    /// Records that the window is there, with the coordinators of what it shows. Called with the session's lock held, so
    /// that no commit falls between the first window and the first sweep.
    package func start(configuration: String, at newest: SessionSnapshot) {
        self.configuration = configuration
        connect(restored: false, for: nil, at: newest)
    }

    /// Brings the window back with what it showed, made into what may be shown now, before anybody sees it.
    ///
    /// - Parameters:
    ///   - event: The event that needs the window, if one does.
    ///   - plan: Answers, for the newest snapshot, the next op that the window needs before it may be shown.
    package func restore(for event: String?, plan: (WindowState, SessionSnapshot) -> NavOp?) {
        context.store.withNewest { newest in
            guard !context.life.isDiscarded else { return }
            while let op = plan(window.state, newest) {
                do throws(NavigationViolation) {
                    try window.begin(op)
                } catch {
                    context.log.append(
                        .violation(
                            rule: error.rule.rawValue,
                            cause: Record.NavigationCause.restore.rawValue,
                            detail: error.detail
                        ),
                        Record.Subject(scene: context.scene).at(newest)
                    )
                    break
                }
                window.completeTransition()
            }
            connect(restored: true, for: event, at: newest)
        }
    }

    private func connect(restored: Bool, for event: String?, at newest: SessionSnapshot) {
        context.life.connect()
        let changes = coordinators.update(for: window.state)
        context.log.append(
            .sceneConnected(configuration: configuration, restored: restored, window: windowRecord),
            Record.Subject(scene: context.scene, event: event).at(newest)
        )
        record(changes)
        publish(revision: newest.revision)
    }

    /// Lets the window and its coordinators go; `body` says why. What was shown is kept for ``restore(for:plan:)``.
    package func release(_ body: Record.Body) {
        context.store.withNewest { newest in
            let changes = coordinators.removeAll()
            context.log.append(body, Record.Subject(scene: context.scene).at(newest))
            record(changes)
            publish(revision: newest.revision)
        }
    }

    package var state: WindowState { window.state }

    /// What a step came to.
    package enum Step {
        /// It has begun; a transition is to be waited for and then completed.
        case begun
        /// Nothing was to be done, or the session has changed so that it may no longer be done.
        case none
        /// The window refused it; the violation is recorded.
        case violated
    }

    /// Begins the op that `decide` answers for the newest snapshot, if it answers one.
    ///
    /// - Parameter alongside: Runs in the same synchronous section, after the op has been recorded.
    package func begin(
        cause: Record.NavigationCause,
        subject: Record.Subject,
        decide: (SessionSnapshot) -> NavOp?,
        alongside: (SessionSnapshot) -> Void = { _ in }
    ) -> Step {
        context.store.withNewest { newest in
            guard !context.life.isDiscarded, let op = decide(newest) else { return .none }
            do throws(NavigationViolation) {
                try window.begin(op)
            } catch {
                context.log.append(
                    .violation(rule: error.rule.rawValue, cause: cause.rawValue, detail: error.detail),
                    subject.at(newest)
                )
                return .violated
            }
            let changes = coordinators.update(for: window.state)
            record(changes.filter(\.isAttachment))
            context.log.append(.navigationStep(op: op, cause: cause, window: windowRecord), subject.at(newest))
            record(changes.filter { !$0.isAttachment })
            publish(revision: newest.revision)
            alongside(newest)
            return .begun
        }
    }

    /// Ends the transition in progress.
    package func completeTransition() {
        window.completeTransition()
        publish()
    }

    /// Whether a transition is in progress.
    package var isTransitioning: Bool { window.isTransitioning }

    /// The window as records carry it.
    package var windowRecord: Record.WindowRecord {
        let engine = context.app.current.engine
        return Record.WindowRecord(
            state: window.state,
            needs: window.state.destinations.map { engine.needs(of: $0.id) },
            coordinators: coordinators.owner(ofEachIn: window.state),
            repeats: window.state.destinations.map { engine.destination($0.id)?.repeats ?? false }
        )
    }

    /// Publishes what is parked and which revision the window was judged by.
    package func publish(parked: [ParkedIntent]? = nil, revision: Int? = nil) {
        let window = self.window
        let flows = coordinators.flows
        published.update { state in
            state.window = window.state
            state.isTransitioning = window.isTransitioning
            state.coordinators = flows
            if let revision { state.revision = max(state.revision, revision) }
            if let parked {
                state.parked = parked.map {
                    SceneStatus.Parked(
                        event: $0.event.id,
                        precondition: $0.precondition,
                        destination: $0.request.destination
                    )
                }
            }
        }
    }

    /// Counts a first attempt that has ended.
    package func countSettled() {
        published.update { $0.settled += 1 }
    }

    private func record(_ changes: [CoordinatorTree.Change]) {
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

    /// What the router last published; readable from anywhere.
    package final class Published: Sendable {
        package struct State {
            package var window: WindowState
            package var isTransitioning = false
            package var coordinators: [String]
            package var parked: [SceneStatus.Parked] = []
            package var revision = 0
            package var settled = 0
        }

        private let state: Mutex<State>

        package init(window: WindowState) {
            state = Mutex(State(window: window, coordinators: []))
        }

        package var current: State { state.withLock { $0 } }

        fileprivate func update(_ change: (inout State) -> Void) {
            state.withLock { change(&$0) }
        }
    }
}

extension CoordinatorTree.Change {
    fileprivate var isAttachment: Bool {
        if case .attached = self { true } else { false }
    }
}
