extension RoutingEngine {
    /// Whether the app's associated domains let this URL open it.
    public func association(for url: String) -> AssociationDecision {
        associations.decide(url)
    }
}
