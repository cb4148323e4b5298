@_exported public import SimulatedExecutors

/// Where a host's actors run.
public struct HostExecutors: Sendable {
    /// The session's executor.
    public let session: any SerialExecutor
    /// Returns the executor of the scene with this number. Scenes are numbered from 0 in the order connected.
    public let scene: @Sendable (Int) -> any SerialExecutor

    /// Lets others that share a scene's executor run (other scenes and, on an event loop, clients), then calls `resume`.
    /// `nil` sends the scene to the end of the executor's queue instead.
    let pause: Pause?

    /// A function that lets others run and then calls `resume`; `scene` is the scene's number. It is not asynchronous: an
    /// async function that belongs to no actor would move the scene to another thread and back each time.
    public typealias Pause = @Sendable (_ scene: Int, _ resume: @escaping @Sendable () -> Void) -> Void

    /// Executors as given. Scenes may share one.
    /// - Parameters:
    ///   - session: Where the session runs.
    ///   - scene: Where the scene with this number runs; they are numbered from 0 in the order connected.
    ///   - pause: Called now and then by a scene that has much to do. Without it the scene goes to the end of its
    ///     executor's queue.
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

    /// Executors on the shared thread pool: a ``/SimulatedExecutors/SerialJobQueue`` for each actor.
    public static func pooled() -> HostExecutors {
        HostExecutors(session: SerialJobQueue(), scene: { _ in SerialJobQueue() })
    }
}
