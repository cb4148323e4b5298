/// A route with its pattern read and its captures' types looked up.
struct CompiledRoute: Sendable {
    let declaration: RouteDeclaration
    let pattern: RoutePattern
    let origin: RoutePattern.Origin
    /// The destination's position; `nil` where a capture names it.
    let destination: Int?
    /// The capture that names the destination, for a route that takes it from the URL.
    let destinationCapture: String?
    /// What each capture must be. A capture that is no parameter, as one that names the destination, is any text.
    let checks: [String: ParameterCheck]
    let specificity: Specificity

    func check(_ capture: String) -> ParameterCheck { checks[capture] ?? .string }
}
