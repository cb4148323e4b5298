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
    /// The time by which it was decided, in seconds since 1970.
    private let time: Double
    private let context: SceneContext

    init(app: LoadedApp, request: RouteRequest, snapshot: SessionSnapshot, context: SceneContext) {
        self.app = app
        self.request = request
        self.snapshot = snapshot
        self.context = context
        let session = context.routing(snapshot)
        time = session.time
        answer = Self.answer(app, request, session)
    }

    /// Whether it is about a destination that is presented over whatever is shown.
    var isOverCurrent: Bool { app.engine.isOverCurrent(request.destination.id) }

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
        let (verdict, reason): (RouteVerdict, String?) =
            switch answer {
            case .success(.proceed): (.proceed, nil)
            case .success(.gated(let precondition, _, _)): (.gated, precondition)
            case .failure(let error): (.refused, error.description)
            }
        return .dispatchResolved(
            destination: request.destination,
            verdict: verdict,
            reason: reason,
            wall: app.engine.looksAtTime ? time : nil,
            isOverCurrent: isOverCurrent
        )
    }
}
