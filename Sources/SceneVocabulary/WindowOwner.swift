/// Whose a window is: who was signed in when it was last judged, and in which epoch of which host.
///
/// A saved window carries it, so that it comes back without what was its user's once that one has left
/// (S9 of <doc:/SceneRuntime/TheSession>).
public struct WindowOwner: Hashable, Codable, Sendable {
    /// The host's ID.
    public let host: String
    /// Who was signed in; `nil` for nobody.
    public let user: String?
    /// The session's epoch, from 0.
    public let epoch: Int

    /// The owner of a window.
    public init(host: String, user: String?, epoch: Int) {
        self.host = host
        self.user = user
        self.epoch = epoch
    }
}
