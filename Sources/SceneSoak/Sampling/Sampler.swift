internal import SceneClient

/// Samples the daemon over a separate connection, which is opened again if it breaks.
actor Sampler {
    private let socket: String
    private var client: SceneClient?
    private(set) var latest: DaemonStatus?

    init(socket: String) { self.socket = socket }

    /// How long an answer may take. The caller must not wait long for a daemon that hangs.
    private static let patience = Duration.milliseconds(500)

    /// The daemon's current status; `nil` if it does not answer.
    func look() async -> DaemonStatus? {
        await withTaskGroup(of: DaemonStatus?.self) { group in
            group.addTask {
                // The first connection may be to a daemon that has gone; the second one is new.
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
