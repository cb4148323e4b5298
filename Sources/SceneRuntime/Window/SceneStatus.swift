internal import Basics
package import SceneNavigation
public import SceneVocabulary

/// The state of a scene at one moment, as it is seen from outside.
public struct SceneStatus: Hashable, Sendable {
    /// The scene's ID.
    public let id: String
    /// Its place in the order in which the host's scenes were opened, from 1.
    public let number: Int
    /// The name of its configuration in the manifest.
    public let configuration: String
    /// Its activation state; `unattached` while it is disconnected.
    public let activation: Activation
    /// Whether the window is locked (<doc:Scenes#Windows-that-lock>), or will be when it comes back.
    public let isLocked: Bool
    /// Whether it has a window. A disconnected scene can be connected again.
    public let isConnected: Bool
    /// How many events have been given a ticket.
    public let admitted: Int
    /// How many of them have ended their first attempt.
    public let settled: Int
    /// What the window shows; while disconnected, what it showed last.
    public let window: WindowState
    /// Whose the window is; `nil` if it was saved without saying so and has not been shown.
    public let owner: WindowOwner?
    /// Whether a transition is in progress.
    public let isTransitioning: Bool
    /// The coordinators of what is on screen with their parents, in the order attached.
    public let coordinatorTree: [Coordinator]
    /// How many coordinators have been attached since the scene was opened.
    public let coordinatorsAttached: Int
    /// How many coordinators have been detached since the scene was opened.
    public let coordinatorsDetached: Int
    /// How many screens have been made since the scene was opened; 0 in a headless scene.
    public let screensMade: Int
    /// How many screens have been released since the scene was opened; 0 in a headless scene.
    public let screensReleased: Int
    /// How many screens and coordinators have leaked: they outlived what they were shown for.
    public let leaks: Int
    /// The intents that wait for a precondition, in the order parked.
    public let parked: [Parked]
    /// The session's revision that the window was last judged by.
    public let revision: Int

    /// The flows that have a coordinator, in the order attached.
    public var coordinators: [String] { coordinatorTree.map(\.flow) }

    /// A flow's coordinator.
    public struct Coordinator: Hashable, Sendable {
        /// The flow, or the tab.
        public let flow: String
        /// The flow it was started from, or `root`.
        public let parent: String

        package init(flow: String, parent: String) {
            self.flow = flow
            self.parent = parent
        }
    }

    /// An intent that waits for a precondition.
    public struct Parked: Hashable, Sendable {
        /// The event's ID.
        public let event: String
        /// Who sent the event.
        package let sender: String?
        /// The name of the precondition that it waits for.
        public let precondition: String
        /// The values of the parameters that the precondition looks at; none if it looks at none.
        public let parameters: [String: String]
        /// Where it wants to go.
        public let destination: Destination
    }
}

/// What a scene's ``RootRouter`` published last, readable from any thread. ``SceneStatus`` is made from it.
package final class PublishedState: Sendable {
    package struct Values {
        package var window: WindowState
        /// The window as the newest record has it.
        var shown: ShownWindow?
        /// Whose the window is.
        var owner: WindowOwner?
        package var isTransitioning = false
        package var coordinators: [SceneStatus.Coordinator] = []
        /// How many coordinators have come and gone.
        package var counts = CoordinatorTree.Counts()
        /// How many screens have come and gone.
        package var screens = Display.Counts()
        /// How many leaks were found.
        package var leaked = 0
        package var parked: [SceneStatus.Parked] = []
        /// The revision that the window was last judged by.
        package var revision = 0
        /// How many first attempts have ended.
        package var settled = 0
    }

    private let values: Guarded<Values>

    package init(window: WindowState) {
        values = Guarded(Values(window: window))
    }

    package var current: Values { values.read { $0 } }

    /// How many intents of a sender's events are parked.
    package func parkedCount(of sender: String?) -> Int {
        values.read { values in values.parked.count { $0.sender == sender } }
    }

    /// Counts a first attempt that has ended.
    package func countSettled() {
        values.withLock { $0.settled += 1 }
    }

    func update(_ change: (inout Values) -> Void) {
        values.withLock { change(&$0) }
    }
}
