public import SceneVocabulary

/// A scene as seen from outside, at one moment.
public struct SceneStatus: Hashable, Sendable {
    public let id: String
    public let configuration: String
    public let activation: Activation
    /// Whether it is connected; a disconnected scene can be reconnected.
    public let isConnected: Bool
    /// How many events have been given a ticket.
    public let admitted: Int
    /// How many of them have ended their first attempt.
    public let settled: Int
    public let window: WindowState
    public let isTransitioning: Bool
    /// The coordinators of what is on screen with their parents, in the order attached.
    public let coordinatorTree: [Coordinator]
    /// How many coordinators were attached since the scene was opened, and how many detached.
    public let coordinatorsAttached: Int
    public let coordinatorsDetached: Int
    /// How many screens were made since the scene was opened, and how many let go; none in a headless scene.
    public let screensMade: Int
    public let screensReleased: Int
    /// How many screens and coordinators outlived what they were shown for.
    public let leaks: Int
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
        public let event: String
        public let precondition: String
        public let destination: Destination
    }
}
