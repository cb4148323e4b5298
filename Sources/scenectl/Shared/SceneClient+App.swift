internal import SceneClient
internal import SceneManifest
internal import SceneRouting

extension SceneClient {
    /// The app of the daemon's manifest in force; `nil` if the daemon does not tell it, if this user may not see it, or if it is of a
    /// version that this program cannot read.
    func readableApp() async throws(SceneClientError) -> AppManifest? {
        do throws(SceneClientError) {
            return try await manifest().flatMap { try? AppManifest.inForce($0) }
        } catch {
            guard case .permissionDenied? = error.refusal else { throw error }
            return nil
        }
    }
}
