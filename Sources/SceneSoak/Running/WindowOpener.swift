internal import SceneClient
internal import StrictJSON

/// Opens the soak's windows on each new host before a client sends anything to it.
actor WindowOpener {
    private let scenes: [String]
    /// For each host the task that opens its windows, which may still run.
    private var openings: [String: Task<Void, any Error>] = [:]

    init(scenes: [String]) { self.scenes = scenes }

    /// Opens the windows, once per host.
    /// - Returns: The daemon's status.
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
                try check(error)
            }
        }
    }

    /// Throws unless the error says that the window is already open.
    private static func check(_ error: SceneClientError) throws {
        if case .sceneExists = error.refusal { return }
        guard case .tooManyScenes(let limit) = error.refusal else { throw error }
        throw SoakFailure.noScenes("the app allows \(limit); use --scenes \(limit), and an empty daemon")
    }
}
