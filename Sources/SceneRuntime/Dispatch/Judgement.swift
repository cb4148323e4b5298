internal import SceneNavigation
internal import SceneRouting

/// Which destinations of a window may no longer be shown, judged by one version of the app and one snapshot.
struct Judgement {
    let app: LoadedApp
    let snapshot: SessionSnapshot
    /// The destinations that may no longer be shown, each with what does not hold, or `destinationGone`.
    let refusals: [Destination: String]
    let window: WindowState

    init(of window: WindowState, by snapshot: SessionSnapshot, in context: SceneContext) {
        self.window = window
        self.snapshot = snapshot
        app = context.app.current
        let routing = context.routing(snapshot)
        var refusals: [Destination: String] = [:]
        for destination in window.destinations {
            switch app.engine.verdict(for: destination, context: routing) {
            case .allowed: continue
            case .gated(let precondition): refusals[destination] = precondition
            case .refused(let condition, _): refusals[destination] = condition
            case .unknown: refusals[destination] = "destinationGone"
            }
        }
        self.refusals = refusals
    }

    /// The destinations that this window shows and `after` does not. One without a refusal went with its flow.
    func removals(to after: WindowState) -> [Record.Removal] {
        let kept = Set(after.destinations)
        return window.destinations.filter { !kept.contains($0) }
            .map { Record.Removal(destination: $0, reason: refusals[$0] ?? "flowEnded") }
    }

    /// This judgement if neither the session nor the app has changed since, else a new one by `newest`
    /// (<doc:TheSession#S2>).
    func standing(by newest: SessionSnapshot, in context: SceneContext) -> Judgement {
        guard newest.revision == snapshot.revision, context.app.current === app else {
            return Judgement(of: window, by: newest, in: context)
        }
        return self
    }
}
