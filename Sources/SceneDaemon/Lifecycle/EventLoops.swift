internal import NIOCore
internal import NIOPosix
internal import SceneRuntime
internal import SceneService
internal import Varlink

/// The daemon's event loops. Each user has some for what their clients send.
///
/// What one user sends can keep only that user's loops busy; the system shares its cores among loops. So nothing that all users
/// need runs on a loop of clients.
struct EventLoops {
    /// For clients.
    let clients: MultiThreadedEventLoopGroup
    /// For what all clients pass through: who is accepted, and the session.
    let own: any EventLoop
    let pauses: LoopPauses
    private let ownGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    /// Those that Swift's tasks run on.
    private let tasks: [any EventLoop]
    private let all: [any EventLoop]

    init(forClients clients: MultiThreadedEventLoopGroup) {
        self.clients = clients
        own = ownGroup.next()
        tasks = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
        all = Array(clients.makeIterator()) + tasks
        pauses = LoopPauses(all + [own])
    }

    /// A scene runs on the event loop of the connection whose event it handles, so that the answer wakes no other thread. Work
    /// that comes from no event loop is spread over those for tasks.
    ///
    /// - Parameter code: The app's own code, if it has any: each scene then runs apart from all event loops.
    func executors(for code: OwnCode?) -> HostExecutors {
        if let code { return HostExecutors(session: own.executor, scene: { _ in code.queue() }) }
        return HostExecutors(
            session: own.executor,
            scene: { [all, tasks] number in FollowingExecutor(loops: all, home: tasks[number % tasks.count]) },
            // A busy scene lets its loop look at the clients' sockets in between.
            pause: { [all, tasks, pauses] number, resume in
                let loop = FollowingExecutor.nearest(of: all, home: tasks[number % tasks.count])
                pauses.pause(of: loop).next(resume)
            }
        )
    }

    /// What a watchdog's probe asks of the event loops. One answers when it has looked at its sockets.
    var parts: [LivenessProbe.Part] {
        let clients = all.count - tasks.count
        let names = all.indices.map { $0 < clients ? "event loop \($0 + 1)" : "task loop \($0 - clients + 1)" }
        return zip(names + ["own loop"], all + [own]).map { name, loop in
            .init(name) { [pauses] answer in pauses.pause(of: loop).next(answer) }
        }
    }

    func close() async throws {
        pauses.close()
        try await clients.shutdownGracefully()
        try await ownGroup.shutdownGracefully()
    }
}
