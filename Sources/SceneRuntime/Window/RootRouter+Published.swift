package import SceneNavigation
internal import Locking

extension RootRouter {
    /// What the router last published; readable from anywhere.
    package final class Published: Sendable {
        package struct State {
            package var window: WindowState
            package var isTransitioning = false
            package var coordinators: [SceneStatus.Coordinator] = []
            package var counts: CoordinatorTree.Counts
            package var screens = Display.Counts()
            package var leaked = 0
            package var parked: [SceneStatus.Parked] = []
            package var revision = 0
            package var settled = 0
        }

        private let state: Guarded<State>

        package init(window: WindowState) {
            state = Guarded(State(window: window, counts: CoordinatorTree.Counts()))
        }

        package var current: State { state.withLock { $0 } }

        /// How many intents are parked.
        package var parkedCount: Int { state.withLock { $0.parked.count } }

        /// Counts a first attempt that has ended.
        package func countSettled() {
            state.withLock { $0.settled += 1 }
        }

        func update(_ change: (inout State) -> Void) {
            state.withLock { change(&$0) }
        }
    }
}
