/// A kind of window, as UIKit's `UISceneConfiguration` and `UISceneActivationConditions` describe it.
public struct SceneConfiguration: Hashable, Sendable {
    public var name: String
    /// Content identifiers this kind of scene can activate for; default all.
    public var canActivate: ContentPredicate
    /// Content identifiers this kind of scene prefers; default none.
    public var prefers: ContentPredicate

    /// A configuration.
    public init(
        name: String,
        canActivate: ContentPredicate = .constant(true),
        prefers: ContentPredicate = .constant(false)
    ) {
        self.name = name
        self.canActivate = canActivate
        self.prefers = prefers
    }
}

/// A predicate over a `targetContentIdentifier`.
public indirect enum ContentPredicate: Hashable, Sendable {
    case constant(Bool)
    case equals(String)
    case beginsWith(String)
    case endsWith(String)
    case contains(String)
    /// `*` stands for any run of characters, `?` for one.
    case like(String)
    case all([ContentPredicate])
    case any([ContentPredicate])
    case not(ContentPredicate)
}
