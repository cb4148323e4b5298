internal import SceneRouting

/// One answer of the engine together with the snapshot it was given for, so that it can be asked whether it still
/// stands. A class, because it is handed on through a whole dispatch and has a dozen parts to retain.
final class Resolution: Sendable {
    let app: LoadedApp
    let request: RouteRequest
    let snapshot: SessionSnapshot
    let answer: Result<RouteResolution, RouteError>
    private let context: SceneContext

    init(app: LoadedApp, request: RouteRequest, snapshot: SessionSnapshot, context: SceneContext) {
        self.app = app
        self.request = request
        self.snapshot = snapshot
        self.context = context
        answer = Self.answer(app, request, context.routing(snapshot))
    }

    /// Whether the engine would answer the same by `newest`. An answer of an older epoch never stands
    /// (<doc:TheSession#S6>).
    func stands(_ newest: SessionSnapshot) -> Bool {
        guard newest.epoch == snapshot.epoch else { return false }
        return newest.revision == snapshot.revision
            || Self.answer(app, request, context.routing(newest)) == answer
    }

    private static func answer(
        _ app: LoadedApp,
        _ request: RouteRequest,
        _ context: RoutingContext
    ) -> Result<RouteResolution, RouteError> {
        Result { () throws(RouteError) in try app.engine.resolve(request, context: context) }
    }

    /// The answer as whoever counts hears it.
    func report(of work: EventWork) -> ResolutionReport {
        var route: String?
        if case .navigate(_, let pattern) = work { route = pattern }
        return ResolutionReport(
            door: route == nil ? .request : .url,
            route: route,
            answer: answer.map { resolution in
                switch resolution {
                case .proceed: .proceed
                case .gated: .gated
                }
            }
        )
    }

    /// The answer as a record says it.
    var record: Record.Body {
        switch answer {
        case .success(.proceed): .dispatchResolved(destination: request.destination, verdict: .proceed, reason: nil)
        case .success(.gated(let precondition, _)):
            .dispatchResolved(destination: request.destination, verdict: .gated, reason: precondition)
        case .failure(let error):
            .dispatchResolved(destination: request.destination, verdict: .refused, reason: error.description)
        }
    }
}
