/// Whose a window is: who was signed in when it was last judged, and in which epoch of which host.
///
/// A saved window carries it, so that what one user had on screen is not restored for another
/// (S9 of <doc:/SceneRuntime/TheSession>).
public struct WindowOwner: Hashable, Sendable {
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
