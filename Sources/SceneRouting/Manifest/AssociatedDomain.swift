/// A domain that vouches for the app, with the association file it would serve.
public struct AssociatedDomain: Hashable, Sendable {
    /// The domain in lower case; `*.example.com` stands for every subdomain.
    public var domain: String
    /// The apple-app-site-association file as JSON text.
    public var association: String

    /// A domain.
    public init(domain: String, association: String) {
        self.domain = domain
        self.association = association
    }
}
