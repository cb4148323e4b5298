/// Where a host's actors run.
public struct HostExecutors: Sendable {
    /// The session's executor.
    public let session: any SerialExecutor
    /// The executor of the scene with this number, counted from 0 in the order connected.
    public let scene: @Sendable (Int) -> any SerialExecutor

    /// Lets in what shares the executor of the scene with this number: other scenes and, on an event loop, clients.
    let pause: @Sendable (Int) async -> Void

    /// Executors as given; scenes may share one.
    /// - Parameter pause: Called by a scene with much to do, now and then; the default goes to the end of the queue.
    public init(
        session: any SerialExecutor,
        scene: @escaping @Sendable (Int) -> any SerialExecutor,
        pause: @escaping @Sendable (Int) async -> Void = { _ in await Task.yield() }
    ) {
        self.session = session
        self.scene = scene
        self.pause = pause
    }

    /// A queue for each actor on the shared thread pool.
    public static func pooled() -> HostExecutors {
        HostExecutors(session: SerialJobQueue(), scene: { _ in SerialJobQueue() })
    }
}
