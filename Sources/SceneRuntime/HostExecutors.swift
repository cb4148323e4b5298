/// Where a host's actors run.
public struct HostExecutors: Sendable {
    /// The session's executor.
    public let session: any SerialExecutor
    /// The executor of the scene with this number, counted from 0 in the order connected.
    public let scene: @Sendable (Int) -> any SerialExecutor

    /// Executors as given; scenes may share one.
    public init(session: any SerialExecutor, scene: @escaping @Sendable (Int) -> any SerialExecutor) {
        self.session = session
        self.scene = scene
    }

    /// A queue for each actor on the shared thread pool.
    public static func pooled() -> HostExecutors {
        HostExecutors(session: SerialJobQueue(), scene: { _ in SerialJobQueue() })
    }
}
