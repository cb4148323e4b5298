internal import SceneNavigation
internal import SceneRouting

/// Which destinations of a window may no longer be shown where they are, judged by one version of the app and one snapshot.
struct Judgement {
    let app: LoadedApp
    let snapshot: SessionSnapshot
    let window: WindowState
    /// What may no longer be shown, by its place in ``/SceneVocabulary/WindowState/destinations``: each with what does not hold,
    /// `destinationGone`, or a sentence that says what the app cannot show there.
    private let refusals: [Int: String]
    /// The places of what would stand on nothing.
    private let unsupported: Set<Int>

    /// - Parameter misplaced: What the app could not be showing where it is (<doc:Scenes#What-an-app-could-be-showing>).
    init(
        of window: WindowState,
        by snapshot: SessionSnapshot,
        in context: SceneContext,
        misplaced: [Int: WindowRestoration.Reason] = [:]
    ) {
        self.window = window
        self.snapshot = snapshot
        app = context.app.current
        let routing = context.routingOfShown(snapshot)
        var refusals: [Int: String] = [:]
        for (place, destination) in window.destinations.enumerated() {
            switch app.engine.verdict(for: destination, context: routing) {
            case .allowed: continue
            case .gated(let precondition): refusals[place] = precondition
            case .refused(let condition, _): refusals[place] = condition
            case .unknown: refusals[place] = "destinationGone"
            }
        }
        var unsupported: Set<Int> = []
        for (place, reason) in misplaced where refusals[place] == nil {
            if reason == .stoodOnDropped { unsupported.insert(place) } else { refusals[place] = reason.description }
        }
        self.refusals = refusals
        self.unsupported = unsupported
    }

    /// Whether what is at this place may stay.
    func allows(_ place: Int) -> Bool { refusals[place] == nil && !unsupported.contains(place) }

    /// The destinations that this window shows more often than `after`, once for each time. One without a refusal went with
    /// its flow.
    func removals(to after: WindowState) -> [Record.Removal] {
        var left: [Destination: Int] = [:]
        for destination in after.destinations { left[destination, default: 0] += 1 }
        let destinations = window.destinations
        let reasons = Dictionary(refusals.sorted { $0.key < $1.key }.map { (destinations[$0.key], $0.value) }) { $1 }
        return destinations.compactMap { destination in
            if let count = left[destination], count > 0 {
                left[destination] = count - 1
                return nil
            }
            return Record.Removal(destination: destination, reason: reasons[destination] ?? "flowEnded")
        }
    }

    /// Whether it is of this window, and by the session and the app that are the newest (<doc:TheSession#S2>).
    func stands(of window: WindowState, by newest: SessionSnapshot, in context: SceneContext) -> Bool {
        newest.revision == snapshot.revision && context.app.current === app && window == self.window
    }
}
