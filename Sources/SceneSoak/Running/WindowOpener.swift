internal import SceneClient
internal import StrictJSON

/// Opens the soak's windows on each new host before a client sends anything to it.
actor WindowOpener {
    private let scenes: [String]
    /// For each host the task that opens its windows, which may still run, and says which there are then.
    private var openings: [String: Task<Set<String>, any Error>] = [:]

    init(scenes: [String]) { self.scenes = scenes }

    /// Opens the windows, once per host.
    /// - Returns: The daemon's status, and the windows that there were once these were open: what comes later, the app opens.
    func prepare(_ client: SceneClient) async throws -> (status: DaemonStatus, windows: Set<String>) {
        let status = try await DaemonStatus(of: client)
        let opening = openings[status.host] ?? Task { [scenes] in try await Self.open(scenes, client) }
        openings[status.host] = opening
        do {
            return (status, try await opening.value)
        } catch {
            openings[status.host] = nil
            throw error
        }
    }

    private static func open(_ scenes: [String], _ client: SceneClient) async throws -> Set<String> {
        for scene in scenes {
            do {
                _ = try await client.connect(scene: scene)
            } catch {
                try check(error)
            }
        }
        return Set(scenes).union(try await client.scenes().map(\.id))
    }

    /// Throws unless the error says that the window is already open.
    private static func check(_ error: SceneClientError) throws {
        if case .sceneExists = error.refusal { return }
        guard case .tooManyScenes(let limit) = error.refusal else { throw error }
        throw SoakFailure.noScenes("the app allows \(limit); use --scenes \(limit), and an empty daemon")
    }
}
