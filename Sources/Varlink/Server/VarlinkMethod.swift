/// A method that a server knows, with everything looked up that a call needs. A class, so that handing it on costs one
/// reference.
final class VarlinkMethod: Sendable {
    let interface: VarlinkInterface
    /// The name without the interface.
    let name: String
    let parameters: [VarlinkField]
    let results: [VarlinkField]
    /// Whether a call without `more` answers `ExpectedMore`.
    let requiresMore: Bool
    /// `nil` for a method that the service does not offer, and for those that the server answers itself.
    let handler: VarlinkHandler?

    init(
        of interface: VarlinkInterface,
        _ name: String,
        parameters: [VarlinkField],
        results: [VarlinkField],
        answeredBy method: VarlinkService.Method?
    ) {
        self.interface = interface
        self.name = name
        self.parameters = parameters
        self.results = results
        requiresMore = method?.requiresMore ?? false
        handler = method?.handler
    }
}
