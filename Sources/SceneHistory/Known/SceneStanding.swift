internal import SceneVocabulary

/// What the choice among scenes looks at ("Which scene takes an event" of <doc:/SceneRuntime/Scenes>), by the records so far.
///
/// A scene is chosen and comes to the front or leaves it while no commit can come between, so the order of the records is that in
/// which it was decided.
struct SceneStanding {
    /// The index of the record that opened it; 0 before, `nil` if that is not known.
    private(set) var opened: Int? = 0
    /// The index of the record by which it was last active; 0 if it never was, `nil` if that is not known.
    private(set) var lastActive: Int? = 0
    /// How many events have been admitted that will bring it to the front at their turn.
    private var coming = 0
    /// Whether an event that has done so is dispatched.
    private var isFirstTap = false
    /// When it was last active before the newest event was admitted.
    private var before: Int? = 0

    /// A scene of which nothing is known yet.
    init() {}

    /// A snapshot says neither when its scene was opened nor when it was active.
    init(takenUpAs snapshot: HistorySceneSnapshot) {
        (opened, lastActive, before) = (nil, nil, nil)
        coming = snapshot.waiting.count { !$0.arrival.isSilent }
    }

    /// The host goes on after its end: what waits brings it to the front as before. When it was active is known if nothing waits.
    mutating func restart(_ open: some Collection<OpenEvent>) {
        coming = open.count { $0.isQueued && !$0.arrival.isSilent }
        isFirstTap = false
        if coming > 0 { (lastActive, before) = (nil, nil) }
    }

    /// Whether it is in front, or will be when what it has admitted has had its turn.
    func isInFront(_ activation: Activation) -> Bool { activation == .foregroundActive || coming > 0 || isFirstTap }

    /// Notes a record of the scene.
    ///
    /// - Parameters:
    ///   - activation: Its state before.
    ///   - dispatch: What was dispatched before.
    ///   - open: Its open events before, by ticket.
    mutating func note(
        _ record: HistoryRecord,
        _ activation: Activation,
        _ dispatch: OpenDispatch?,
        _ open: [Int: OpenEvent]
    ) {
        let event = record.ticket.flatMap { open[$0] }
        switch record.body {
        case .sceneConnected: if opened == 0 { opened = record.index }
        case .sceneActivation(let from, let to):
            // What an event brings to the front counts from its admission.
            if from == .foregroundActive || to == .foregroundActive && dispatch == nil { lastActive = record.index }
        case .sceneDisconnected: if activation == .foregroundActive { lastActive = record.index }
        case .eventAdmitted(let arrival):
            guard !arrival.isSilent else { return }
            before = lastActive
            lastActive = record.index
            coming += 1
        case .dispatchBegan(let isResume):
            guard !isResume, let event, !event.arrival.isSilent else { return }
            coming -= 1
            isFirstTap = true
        case .dispatchEnded:
            if record.ticket == dispatch?.ticket { isFirstTap = false }
            // A gesture that is ignored during a transition has no turn, and brings nothing to the front.
            guard let event, event.isQueued, !event.arrival.isSilent else { return }
            coming -= 1
            if event.admitted == lastActive { lastActive = before }
        default: return
        }
    }
}
