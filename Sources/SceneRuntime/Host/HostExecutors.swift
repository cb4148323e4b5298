/// Where a host's actors run.
public struct HostExecutors: Sendable {
    /// The session's executor.
    public let session: any SerialExecutor
    /// The executor of the scene with this number, counted from 0 in the order connected.
    public let scene: @Sendable (Int) -> any SerialExecutor

    /// Calls back once what shares the executor of the scene with this number has had its turn: other scenes and, on an
    /// event loop, clients. `nil` goes to the end of the executor's queue.
    let pause: Pause?

    /// See ``init(session:scene:pause:)``. Not an asynchronous function: one that belongs to no actor would take the scene
    /// to another thread and back each time.
    public typealias Pause = @Sendable (_ scene: Int, _ resume: @escaping @Sendable () -> Void) -> Void

    /// Executors as given; scenes may share one.
    /// - Parameter pause: Called by a scene with much to do, now and then, with what goes on when others have had their turn;
    ///   without it the scene goes to the end of the queue.
    public init(
        session: any SerialExecutor,
        scene: @escaping @Sendable (Int) -> any SerialExecutor,
        pause: Pause? = nil
    ) {
        self.session = session
        self.scene = scene
        self.pause = pause
    }

    /// ``pause`` for one scene.
    func pause(of number: Int) -> SceneContext.Pause? {
        guard let pause else { return nil }
        return { resume in pause(number, resume) }
    }

    /// A queue for each actor on the shared thread pool.
    public static func pooled() -> HostExecutors {
        HostExecutors(session: SerialJobQueue(), scene: { _ in SerialJobQueue() })
    }
}
