internal import SceneRouting

/// One answer of the routing engine with what it was given for: the app's version, the request and the snapshot. It can be
/// asked whether the answer still stands.
///
/// A class rather than a struct: it is passed on through a whole dispatch, and copying it would retain a dozen parts.
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

    /// Whether the engine would give the same answer by `newest`. An answer from an older epoch never stands
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

    /// The answer as it is reported for metrics.
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

    /// The answer as it is recorded.
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
