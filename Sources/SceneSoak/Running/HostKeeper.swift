internal import SceneClient
internal import StrictJSON

/// Sees to it that each host has the soak's windows before a client sends anything to it.
actor HostKeeper {
    private let scenes: [String]
    /// The hosts met, and the opening of their windows, which may still be going on.
    private var openings: [String: Task<Void, any Error>] = [:]

    init(scenes: [String]) { self.scenes = scenes }

    /// Opens the windows, once per host.
    /// - Returns: What the daemon says of itself.
    @discardableResult
    func prepare(_ client: SceneClient) async throws -> DaemonStatus {
        let status = try await DaemonStatus(of: client)
        let opening = openings[status.host] ?? Task { [scenes] in try await Self.open(scenes, client) }
        openings[status.host] = opening
        do {
            try await opening.value
        } catch {
            openings[status.host] = nil
            throw error
        }
        return status
    }

    private static func open(_ scenes: [String], _ client: SceneClient) async throws {
        for scene in scenes {
            do {
                _ = try await client.connect(scene: scene)
            } catch {
                try judge(error)
            }
        }
    }

    /// A window that is open already will do.
    private static func judge(_ error: SceneClientError) throws {
        if case .sceneExists = error.refusal { return }
        guard case .tooManyScenes(let limit) = error.refusal else { throw error }
        throw SoakFailure.noScenes("the app allows \(limit); --scenes \(limit) would do on an empty daemon.")
    }
}
