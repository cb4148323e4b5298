#if canImport(UIKit) && !os(watchOS)
    internal import SceneNavigation
    internal import SceneRouting
    internal import SceneRuntime
    internal import UIKit

    /// Makes UIKit's containers show what the runtime says, and reports what a finger did to them.
    ///
    /// It knows what is wanted, looks at what UIKit shows, and takes one step after the other from there to here, never while a
    /// transition goes on. So it does not matter how UIKit came to show something else: by a swipe that the runtime has ignored, or
    /// because two ops came during one transition.
    @MainActor
    final class WindowDriver: NSObject {
        /// What the runtime wants the window to show.
        struct Wanted {
            var window: WindowState
            var screens: WindowScreens
            /// Tells the root from those before it.
            var root: Int
            /// Tells the presentations from others with the same contents.
            var modals: [Int]
        }

        /// What is presented: a stack of screens, or an alert by itself.
        struct Presented {
            let id: Int
            let controller: UIViewController
            /// Whether a finger has taken it away and the runtime was told.
            var isTold = false
        }

        let id: String
        weak var app: SceneApp?
        let factory: any SceneScreenFactory
        weak var window: UIWindow?
        /// The session of UIKit that shows it; `nil` while none does.
        private(set) weak var session: UISceneSession?
        private(set) var wanted: Wanted?
        var root: (id: Int, stacks: [(tab: String, stack: UINavigationController)])?
        var presented: [Presented] = []
        /// How many screens each stack was given, or a finger has left there.
        var given: [ObjectIdentifier: Int] = [:]
        private var lastID = 0
        /// Whether the last thing wanted is to be seen moving.
        var isAnimated = false
        /// How many transitions of UIKit go on.
        private(set) var busy = 0
        /// How often a scene of UIKit was lost. What was begun in an earlier one ends without being heard.
        private var losses = 0
        private var hasTurn = false
        /// Counts what was wanted, and what of it UIKit shows.
        private(set) var generation = 0
        private var shownGeneration = 0
        /// What was wanted when UIKit has refused a step.
        var refusedGeneration: Int?
        /// Whether the runtime's transition goes on.
        private(set) var isTransitioning = false
        /// What fingers did and the runtime has not been told yet.
        private var gestures: [Gesture] = []
        private var isJudging = false
        /// How many buttons of alerts were tapped whose intents are not handled yet.
        private var handling = 0
        /// Whether the runtime has opened the window, and UIKit was not asked for a scene since.
        private var needsScene = false

        init(id: String, app: SceneApp?, factory: any SceneScreenFactory) {
            self.id = id
            self.app = app
            self.factory = factory
        }

        /// Whether UIKit shows what is wanted and nothing goes on.
        var isSettled: Bool {
            busy == 0 && !hasTurn && !isJudging && handling == 0 && gestures.isEmpty && shownGeneration == generation
        }

        /// What goes on, for messages.
        var progress: String {
            "\(id): busy \(busy), turn \(hasTurn), judging \(isJudging), handling \(handling), gestures \(gestures), shown \(shownGeneration) of \(generation), "
                + "runtime moving \(isTransitioning), ahead \(isAhead)"
        }

        private func makeID() -> Int {
            lastID += 1
            return lastID
        }

        // MARK: - What the runtime says

        func open(_ window: WindowState, _ screens: WindowScreens) {
            needsScene = true
            wanted = Wanted(
                window: window,
                screens: screens,
                root: makeID(),
                modals: window.modals.map { _ in makeID() }
            )
            want(animated: false)
        }

        func begin(_ step: NavigationStep) {
            guard var wanted else { return }
            switch step.op {
            case .dismissModals(let keeping): wanted.modals.removeSubrange(min(keeping, wanted.modals.count)...)
            case .present: wanted.modals.append(makeID())
            case .setRoot:
                wanted.root = makeID()
                wanted.modals = []
            case .selectTab, .popTo, .push, .setStack, .update, .setModalStack, .updateModal: break
            }
            (wanted.window, wanted.screens) = (step.window, step.screens)
            self.wanted = wanted
            isTransitioning = step.op.isTransition
            want(animated: step.isAnimated)
        }

        func beginCancelled() {
            isTransitioning = true
            schedule()
        }

        func end() {
            isTransitioning = false
            schedule()
        }

        func close() {
            wanted = nil
            isTransitioning = false
            want(animated: false)
        }

        private func want(animated: Bool) {
            isAnimated = animated
            generation += 1
            schedule()
        }

        func responder(of container: FlowPlace.Container) -> (any IntentResponder)? {
            switch container {
            case .tab(let tab): root?.stacks.first { $0.tab == tab }?.stack as? any IntentResponder
            case .modal(let index):
                presented.indices.contains(index) ? presented[index].controller as? any IntentResponder : nil
            }
        }

        // MARK: - Turns

        /// Has ``turn()`` run soon, when no lock is held.
        func schedule() {
            guard !hasTurn else { return }
            hasTurn = true
            // It ends by itself, and keeps the driver until then: a window that the runtime has discarded is still to be closed.
            Task { @MainActor in self.turn() }
        }

        private func turn() {
            hasTurn = false
            attachIfNeeded()
            guard let window else {
                // Nobody looks: what is wanted is shown when UIKit comes back.
                root = nil
                presented = []
                given = [:]
                return isShown()
            }
            if shownGeneration != generation { cancelSwipe() }
            while busy == 0 {
                guard !isAhead, step(in: window) else { return isShown() }
            }
        }

        private func isShown() {
            shownGeneration = generation
            // The runtime's transition ends with UIKit's. It begins to wait a moment after its op, so it is told until it has heard.
            if isTransitioning {
                app?.host.completeTransition(scene: id)
                schedule()
            }
            sendGesture()
        }

        /// Whether a finger has taken something away and the runtime has not said yet what that means. If it wants something else
        /// meanwhile, that is shown first: the gesture is judged only once it is.
        private var isAhead: Bool {
            (isJudging || handling > 0 || !gestures.isEmpty) && shownGeneration == generation
        }

        /// Counts a transition until its coordinator says that it is over.
        func follow(_ controller: UIViewController) {
            guard let coordinator = controller.transitionCoordinator else { return }
            let end = beginTransition()
            coordinator.animate(alongsideTransition: nil) { _ in end() }
        }

        /// Counts a transition.
        /// - Returns: What to call when it is over.
        func beginTransition() -> @MainActor () -> Void {
            busy += 1
            var isOver = false
            // UIKit keeps the driver until it has called this.
            return { [self, losses] in
                guard !isOver, self.losses == losses else { return }
                isOver = true
                busy -= 1
                schedule()
            }
        }

        // MARK: - UIKit's scene

        /// Shows the window in a scene of UIKit.
        func attach(_ window: UIWindow, _ session: UISceneSession) {
            self.window = window
            self.session = session
            needsScene = false
            generation += 1
            schedule()
        }

        /// UIKit's scene is gone.
        func detach() {
            window?.rootViewController = nil
            window = nil
            session = nil
            losses += 1
            busy = 0
            gestures = []
            isJudging = false
            handling = 0
            root = nil
            presented = []
            given = [:]
            // The runtime has not heard of it yet, and opens the window again if it needs it.
            needsScene = false
            schedule()
        }

        /// Asks for a scene of UIKit for a window that the runtime has opened by itself.
        private func attachIfNeeded() {
            guard wanted != nil, window == nil, needsScene, let app else { return }
            needsScene = false
            app.askForScene(of: id)
        }

        // MARK: - What a finger did

        /// Tells the runtime of a gesture, once the transition is over that UIKit has ended already.
        func report(_ gesture: Gesture) {
            gestures.append(gesture)
            sendGesture()
        }

        private func sendGesture() {
            guard !isJudging, let gesture = gestures.first, !(isTransitioning && shownGeneration == generation) else {
                return
            }
            gestures.removeFirst()
            isJudging = true
            let judged: @MainActor () -> Void = { [weak self, losses] in
                guard let self, self.losses == losses else { return }
                isJudging = false
                schedule()
            }
            do throws(AdmissionError) {
                guard let app else { return judged() }
                try app.submit(.gesture(gesture), in: id) { _ in judged() }
            } catch {
                app?.refuse("the gesture \(gesture.name.rawValue) in \(id): \(error)")
                judged()
            }
        }

        /// A button of an alert was tapped, for which UIKit takes the alert off the screen.
        /// - Returns: What to call once the intent of the button is handled.
        func tapped(_ action: UIAlertAction) -> @MainActor () -> Void {
            // UIKit may have copied the action.
            let alert =
                presented.last { modal in
                    (modal.controller as? UIAlertController)?.actions.contains { $0 === action } ?? false
                } ?? presented.last { $0.controller is UIAlertController }
            handling += 1
            return { [weak self, losses, id = alert?.id] in
                guard let self, self.losses == losses else { return }
                handling -= 1
                guard let id, wanted?.modals.last == id else { return schedule() }
                report(.dismiss)
            }
        }
    }
#endif
