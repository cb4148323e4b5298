public import SceneRouting

/// What an event asks for, before routing.
public enum AdaptedRequest: Hashable, Sendable {
    /// A URL of the app's own scheme.
    case url(String)
    /// An http or https URL, which an associated domain has to vouch for before it is routed.
    case universalLink(String)
    /// A destination; its parameters are not yet validated.
    case destination(Destination)

    /// The request to go where `url` leads, told apart by its scheme.
    /// - Returns: `nil` where the text has no scheme and so is no absolute URL.
    public init?(opening url: String) {
        guard let scheme = URLScheme.of(url) else { return nil }
        self = URLScheme.isWeb(scheme: scheme) ? .universalLink(url) : .url(url)
    }
}
