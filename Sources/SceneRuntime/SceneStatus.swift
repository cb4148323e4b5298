public import SceneNavigation
public import SceneRouting

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
    /// The flows that have a coordinator, in the order attached.
    public let coordinators: [String]
    public let parked: [Parked]
    /// The session's revision that the window was last judged by.
    public let revision: Int

    /// An intent that waits for a precondition.
    public struct Parked: Hashable, Sendable {
        public let event: String
        public let precondition: String
        public let destination: Destination
    }
}
