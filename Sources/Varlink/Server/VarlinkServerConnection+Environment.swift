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
    }
}
