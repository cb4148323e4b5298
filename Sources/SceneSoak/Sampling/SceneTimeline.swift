internal import SceneHistory
internal import SceneVocabulary

/// Records when each scene was in which state, without changes too short to be drawn.
struct SceneTimeline {
    private let shortest: Duration
    private var open: [String: (state: String, start: Duration)] = [:]
    private var spans: [SoakSceneSpan] = []

    /// - Parameter shortest: States that last less are left out, so that time bounds the number of spans.
    init(shortest: Duration) { self.shortest = shortest }

    mutating func take(_ record: HistoryRecord, at now: Duration) {
        guard let scene = record.scene else { return }
        switch record.body {
        case .sceneConnected: change(scene, to: Activation.foregroundInactive.rawValue, at: now)
        case .sceneActivation(_, let to): change(scene, to: to.rawValue, at: now)
        case .sceneDisconnected: change(scene, to: "disconnected", at: now)
        case .sceneDiscarded: end(scene, at: now)
        default: break
        }
    }

    /// Ends every span, because the host has ended.
    mutating func endAll(at now: Duration) {
        for scene in open.keys.sorted() { end(scene, at: now) }
    }

    mutating func finish(at now: Duration) -> [SoakSceneSpan] {
        endAll(at: now)
        return spans
    }

    private mutating func change(_ scene: String, to state: String, at now: Duration) {
        guard let current = open[scene] else {
            open[scene] = (state, now)
            return
        }
        guard current.state != state else { return }
        guard now - current.start >= shortest else {
            open[scene]?.state = state
            return
        }
        spans.append(SoakSceneSpan(scene: scene, state: current.state, start: current.start, end: now))
        open[scene] = (state, now)
    }

    private mutating func end(_ scene: String, at now: Duration) {
        guard let current = open.removeValue(forKey: scene) else { return }
        spans.append(SoakSceneSpan(scene: scene, state: current.state, start: current.start, end: now))
    }
}
