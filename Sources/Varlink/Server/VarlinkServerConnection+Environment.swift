internal import NIOCore

extension VarlinkServerConnection {
    /// What the connection needs of its server.
    struct Environment: Sendable {
        let dispatcher: VarlinkDispatcher
        let limits: VarlinkServerLimits
        let checksReplies: Bool
        let report: @Sendable (VarlinkIncident) -> Void
        /// For what is read and not yet answered.
        let input: VarlinkMemoryPool
        /// For what is written and not yet read.
        let output: VarlinkMemoryPool
        /// For connections that have had their turn.
        let pauses: LoopPauses
    }

    /// How long a server that shuts down waits for a client.
    struct Patience: Sendable {
        /// How long replies may wait without the client reading any of them, until it is cut off.
        let stall: TimeAmount
        /// From then until the connection closes.
        let lastWord: TimeAmount
    }

    /// Why no call starts although none is being answered.
    enum Pause {
        case none
        /// It had its share of this turn of the event loop; others come first.
        case turn
        /// The client has to read before it is answered more.
        case output
    }
}
