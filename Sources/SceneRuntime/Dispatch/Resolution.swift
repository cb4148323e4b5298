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
    /// What is shown for a destination that has variants, once everything holds that the destination needs itself; `nil` before, and
    /// for one without variants.
    let variant: Destination?
    /// What the time would have to be and what it was, if that is why it was gated or refused.
    private let detail: String?
    /// The time by which it was decided, in seconds since 1970.
    private let time: Double
    private let context: SceneContext

    /// - Parameter choices: What was chosen before for who is signed in.
    init(
        app: LoadedApp,
        request: RouteRequest,
        snapshot: SessionSnapshot,
        context: SceneContext,
        choices: [String: String] = [:]
    ) {
        self.app = app
        // A reload may have made a secret of what was admitted as it was given.
        let request = RouteRequest(
            destination: app.engine.shown(request.destination),
            source: request.source,
            user: request.user
        )
        self.request = request
        self.snapshot = snapshot
        self.context = context
        var session = context.routing(snapshot)
        session.choices = choices
        time = session.time
        variant = app.engine.choice(for: request, context: session)
        answer = Self.answer(app, request, session)
        detail =
            if case .success(.proceed) = answer { nil } else {
                app.engine.untimeliness(of: request, context: session)
            }
    }

    /// Whether it is about a destination that is presented over whatever is shown.
    var isOverCurrent: Bool { app.engine.isOverCurrent(shown.id) }

    /// What is shown if nothing more stands in the way.
    var shown: Destination { variant ?? request.destination }

    /// The time that its record says; `nil` if nothing in the app looks at the time.
    var wall: Double? { app.engine.looksAtTime ? time : nil }

    /// Whether the engine would give the same answer by `newest`. An answer from an older epoch never stands
    /// (<doc:TheSession#S6>), nor does what was chosen for somebody else.
    func stands(_ newest: SessionSnapshot) -> Bool {
        guard newest.epoch == snapshot.epoch else { return false }
        if newest.revision == snapshot.revision { return true }
        var session = context.routing(newest)
        if let variant {
            guard newest.user == snapshot.user else { return false }
            session.choices = [request.destination.id: variant.id]
        }
        return Self.answer(app, request, session) == answer
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
            wall: wall,
            isOverCurrent: isOverCurrent,
            variant: variant,
            detail: detail
        )
    }
}
