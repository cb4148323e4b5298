extension RoutingEngine {
    /// Where a request leads once nothing stands in its way, whatever the session says.
    /// - Throws: ``RouteError/validationFailed(parameter:reason:)`` for an unknown name or a parameter.
    public func target(of request: RouteRequest) throws(RouteError) -> Target {
        let checked = try self.request(for: request.destination, source: request.source)
        return try compiled(checked.destination.id).target(checked.destination)
    }
}
