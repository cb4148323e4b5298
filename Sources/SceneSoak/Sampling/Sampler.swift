internal import SceneClient

/// Looks at the daemon now and then, over a connection of its own that is made anew when it breaks.
actor Sampler {
    private let socket: String
    private var client: SceneClient?
    private(set) var latest: DaemonStatus?

    init(socket: String) { self.socket = socket }

    /// The daemon now; `nil` where it does not answer.
    func look() async -> DaemonStatus? {
        if let status = await ask() { return status }
        // The connection may have been of a daemon that is gone.
        return await ask()
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
