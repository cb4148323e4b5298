/// A kind of window, like UIKit's `UISceneConfiguration` with its `UISceneActivationConditions`.
public struct SceneConfiguration: Hashable, Sendable {
    /// The configuration's name, unique in the manifest.
    public var name: String
    /// The content identifiers that a scene of this kind can take.
    public var canActivate: ContentPredicate
    /// The content identifiers that a scene of this kind prefers.
    public var prefers: ContentPredicate

    /// A configuration; by default it can take all content and prefers none.
    public init(
        name: String,
        canActivate: ContentPredicate = .constant(true),
        prefers: ContentPredicate = .constant(false)
    ) {
        self.name = name
        self.canActivate = canActivate
        self.prefers = prefers
    }

    /// Whether a scene of this kind can take all content, and so also an event that has no identifier.
    package var takesEverything: Bool { canActivate == .constant(true) }
}

/// A predicate on a `targetContentIdentifier`.
public indirect enum ContentPredicate: Hashable, Sendable {
    /// Holds always or never.
    case constant(Bool)
    /// The identifier is this text.
    case equals(String)
    /// The identifier begins with this text.
    case beginsWith(String)
    /// The identifier ends with this text.
    case endsWith(String)
    /// The identifier contains this text.
    case contains(String)
    /// The identifier has this shape; `*` stands for any number of characters, `?` for one.
    case like(String)
    /// All of these hold.
    case all([ContentPredicate])
    /// At least one of these holds.
    case any([ContentPredicate])
    /// This does not hold.
    case not(ContentPredicate)
}
