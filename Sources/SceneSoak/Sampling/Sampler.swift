internal import SceneClient

/// Looks at the daemon now and then, over a connection of its own that is made anew when it breaks.
actor Sampler {
    private let socket: String
    private var client: SceneClient?
    private(set) var latest: DaemonStatus?

    init(socket: String) { self.socket = socket }

    /// How long an answer may take: whoever looks has other things to do while a daemon stands still.
    private static let patience = Duration.milliseconds(500)

    /// The daemon now; `nil` where it does not answer.
    func look() async -> DaemonStatus? {
        await withTaskGroup(of: DaemonStatus?.self) { group in
            group.addTask {
                // A connection may be of a daemon that is gone; the next is of the one that is there.
                if let status = await self.ask() { status } else { await self.ask() }
            }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func ask() async -> DaemonStatus? {
        do {
            let client: SceneClient
            if let known = self.client { client = known } else { client = try await SceneClient(path: socket) }
            self.client = client
            var status = try await DaemonStatus(of: client)
            if status.sample.resident == nil, let process = status.processID {
                ProcessStatus.of(process)?.write(to: &status.sample)
            }
            latest = status
            return status
        } catch {
            client = nil
            return nil
        }
    }
}
