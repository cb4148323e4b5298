public import SceneRouting

/// The session at one revision. Immutable: whoever holds one can decide as often as it likes and get the same answer.
public struct SessionSnapshot: Hashable, Sendable {
    /// The number of commits so far.
    public let revision: Int
    /// The number of times somebody stopped being the user.
    public let epoch: Int
    /// Who is signed in.
    public let user: String?
    /// Every declared fact that has a value, by name.
    public let facts: [String: FactValue]

    package init(revision: Int, epoch: Int, user: String?, facts: [String: FactValue]) {
        self.revision = revision
        self.epoch = epoch
        self.user = user
        self.facts = facts
    }
}
