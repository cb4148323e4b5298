internal import NIOCore

extension VarlinkServerConnection {
    /// What a connection needs from its server.
    struct Environment: Sendable {
        let dispatcher: VarlinkDispatcher
        let limits: VarlinkServerLimits
        let checksReplies: Bool
        let report: @Sendable (VarlinkIncident) -> Void
        /// Counts what was read and is not answered yet.
        let input: VarlinkMemoryPool
        /// Counts what was written and the client has not read yet.
        let output: VarlinkMemoryPool
        let loops: FairLoops
        /// How much the system has taken for a client that has not read it; see ``VarlinkSocket/unread(_:)``.
        var unread: @Sendable (any Channel) -> Int = VarlinkSocket.unread
        /// Holds replies back; `nil` if none is.
        var release: VarlinkServer.Release?
        /// What a call is answered that is cut off; see ``VarlinkServer/Options``.
        var cutOffError: @Sendable (_ method: String) -> VarlinkError? = { _ in nil }
    }

    /// How long a server that shuts down waits for one client.
    struct Patience: Sendable {
        /// A client that reads none of its waiting replies for this time is cut off.
        let stall: TimeAmount
        /// The time from then until the connection closes.
        let lastWord: TimeAmount
    }

    /// Why the connection starts no call, although none is being answered.
    enum Pause {
        case none
        /// Its user has had their share of the event loop; others come first.
        case turn
        /// The client has to read replies first.
        case output
    }
}
