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
        let routing = context.routingOfShown(snapshot)
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

    /// The destinations that this window shows more often than `after`, once for each time. One without a refusal went with
    /// its flow.
    func removals(to after: WindowState) -> [Record.Removal] {
        var left: [Destination: Int] = [:]
        for destination in after.destinations { left[destination, default: 0] += 1 }
        return window.destinations.compactMap { destination in
            if let count = left[destination], count > 0 {
                left[destination] = count - 1
                return nil
            }
            return Record.Removal(destination: destination, reason: refusals[destination] ?? "flowEnded")
        }
    }

    /// This judgement if the window, the session and the app are still the same, else a new one by `newest`
    /// (<doc:TheSession#S2>).
    func standing(of window: WindowState, by newest: SessionSnapshot, in context: SceneContext) -> Judgement {
        guard newest.revision == snapshot.revision, context.app.current === app, window == self.window else {
            return Judgement(of: window, by: newest, in: context)
        }
        return self
    }
}
