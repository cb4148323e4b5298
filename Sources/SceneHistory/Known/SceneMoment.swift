internal import SceneVocabulary

/// What a scene was at a moment between two items of its mailbox, but for its events: a host that goes on after its end goes on with the
/// scene as it was at such a moment.
struct SceneMoment {
    let phase: KnownScene.Phase
    let activation: Activation
    var isLocked: Bool
    let configuration: String?
    let window: HistoryWindow?
    let released: HistoryWindow?
    let releasedIn: Int?
    let windowEpoch: Int?
    let windowIndex: Int
    let windowReloads: Int
    let roots: [String: String]
    let rootReloads: Int
    let gateFlows: Set<String>
    let served: [String: [String: String]]
    let startedFlows: [String: String]
    let flowLess: [Parking.Gate: Bool]

    /// The scene as it is now.
    init(_ scene: KnownScene) {
        phase = scene.phase
        activation = scene.activation
        isLocked = scene.isLocked
        configuration = scene.configuration
        window = scene.window
        released = scene.released
        releasedIn = scene.releasedIn
        windowEpoch = scene.windowEpoch
        windowIndex = scene.windowIndex
        windowReloads = scene.windowReloads
        roots = scene.roots
        rootReloads = scene.rootReloads
        gateFlows = scene.gateFlows
        served = scene.served
        startedFlows = scene.startedFlows
        flowLess = scene.flowLess
    }

    /// Where a snapshot says something else, each as a clause with the record that says what it was.
    ///
    /// - Parameter activation: Another activation state that it may have, because an attempt that is undone had brought the window to
    ///   the front.
    func contradictions(
        to snapshot: HistorySceneSnapshot,
        or activation: Activation?,
        _ record: HistoryRecord,
        _ session: KnownSession
    ) -> [(index: Int, what: String)] {
        var found: [String] = []
        let isConnected = phase == .connected
        if snapshot.isConnected != isConnected {
            found.append("says that it is \(snapshot.isConnected ? "" : "not ")connected")
        }
        if snapshot.configuration != configuration {
            found.append("says \(snapshot.configuration), but it is \(configuration ?? "nothing")")
        }
        // A scene that is released goes back to the beginning without a record of it.
        let due = isConnected ? self.activation : .unattached
        if snapshot.activation != due, !isConnected || snapshot.activation != activation {
            found.append("says \(snapshot.activation), but it is \(due)")
        }
        if snapshot.isLocked != isLocked { found.append("says that it is \(snapshot.isLocked ? "" : "not ")locked") }
        if let epoch = record.snapshot?.epoch, snapshot.judgedIn > epoch || snapshot.judgedIn < windowEpoch ?? 0 {
            found.append("says that it was judged in epoch \(snapshot.judgedIn)")
        }
        if Set(snapshot.gateFlows) != gateFlows.filter(snapshot.window.shows(flow:)) {
            found.append("says otherwise what is shown for a gate")
        }
        if snapshot.startedFlows != startedFlows { found.append("says otherwise which flows have started others") }
        if let known = window ?? released {
            found += known.contradictions(to: snapshot.window, since: windowIndex, reloads: windowReloads, session)
        }
        return found.map { (windowIndex, $0) }
    }

    /// Whether a snapshot shows this window.
    func isShown(by snapshot: HistorySceneSnapshot) -> Bool {
        snapshot.isConnected == (phase == .connected) && (window ?? released)?.layout == snapshot.window.layout
    }
}

extension HistoryWindow {
    /// Where a snapshot shows something else, as clauses. By another manifest a screen needs something else and may be another flow's,
    /// and by another session, or at another time, it is somebody else's.
    ///
    /// - Parameters:
    ///   - index: The record that shows the window.
    ///   - reloads: How many reloads there had been then.
    func contradictions(
        to said: HistoryWindow,
        since index: Int,
        reloads: Int,
        _ session: KnownSession
    ) -> [String] {
        let isSameManifest = reloads == session.reloads
        let isSameSession = isSameManifest && index > session.index
        if said.layout != layout { return ["shows another window"] }
        return zip(layout.destinations, zip(said.shown, shown)).compactMap { destination, details in
            let (said, shown) = details
            let isSame =
                said.since == shown.since
                && (!isSameManifest
                    || said.coordinator == shown.coordinator && said.needs == shown.needs
                        && said.repeats == shown.repeats)
                && (!isSameSession || !session.isTimeless(shown.needs) || said.isPersonal == shown.isPersonal)
            return isSame ? nil : "says otherwise what \(destination) needs, whose it is or since when it is shown"
        }
    }
}
