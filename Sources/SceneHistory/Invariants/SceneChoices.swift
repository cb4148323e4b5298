internal import SceneVocabulary

/// Whether each event that named no scene went to the right one of those that are alike ("Which scene takes an event" of
/// <doc:/SceneRuntime/Scenes>): scenes of one configuration can take the same events.
///
/// A scene that is discarded takes nothing from that moment on, and is recorded as discarded later. So one that was passed over is a
/// violation only once it has taken another event.
struct SceneChoices {
    /// The scenes that were passed over, each with the first event that it should have taken.
    private var passedOver: [String: (index: Int, taker: String)] = [:]
    /// Among more scenes each choice would cost too much to judge.
    private static let mostScenes = 64

    /// The host goes on after its end. What was passed over because it was about to be discarded may stay.
    mutating func goOn() { passedOver = [:] }

    mutating func judge(_ record: HistoryRecord, _ id: String, _ history: KnownHost, _ findings: inout Findings) {
        switch record.body {
        case .sceneConnected, .sceneDiscarded: passedOver[id] = nil
        case .eventAdmitted(let arrival):
            if let earlier = passedOver.removeValue(forKey: id) {
                findings.violated(
                    [earlier.index, record.index],
                    "scene \(earlier.taker) took an event for which scene \(id) comes first"
                )
            }
            judge(arrival, record, id, history, &findings)
        default: return
        }
    }

    private mutating func judge(
        _ arrival: HistoryRecord.Arrival,
        _ record: HistoryRecord,
        _ id: String,
        _ history: KnownHost,
        _ findings: inout Findings
    ) {
        // A set goes where its first URL goes.
        guard history.format > 4, let choice = arrival.choice, choice != .named, choice != .new,
            arrival.set?.place ?? 1 == 1, let taker = history.scene(of: record)
        else { return }
        if choice != .preferred, let right = taker.choice, right != choice {
            findings.violated([record.index], "scene \(id) took an event as \(choice), but it is \(right)")
        }
        // Which scenes are about to be connected or disconnected is not recorded, and what is silent wakes none.
        guard !arrival.isSilent, history.scenes.count <= Self.mostScenes else { return }
        for (other, scene) in history.windows where other != id && passedOver[other] == nil {
            guard scene.phase != .discarded, scene.configuration == taker.configuration, scene.comesBefore(taker) else {
                continue
            }
            passedOver[other] = (record.index, id)
        }
    }
}

extension KnownScene {
    /// Whether it is in front, or will be. A released window has no activation state.
    private var isInFront: Bool { standing.isInFront(phase == .connected ? activation : .unattached) }

    /// As what it is chosen among its like; `nil` if that is not known.
    fileprivate var choice: SceneChoice? {
        if isInFront { return .active }
        return standing.lastActive.map { $0 > 0 ? .recent : .oldest }
    }

    /// Whether it certainly comes before another of its configuration.
    fileprivate func comesBefore(_ other: KnownScene) -> Bool {
        if isInFront != other.isInFront { return isInFront }
        guard let lastActive = standing.lastActive, let otherLastActive = other.standing.lastActive else {
            return false
        }
        if lastActive != otherLastActive { return lastActive > otherLastActive }
        guard let opened = standing.opened, let otherOpened = other.standing.opened else { return false }
        return opened < otherOpened
    }
}
