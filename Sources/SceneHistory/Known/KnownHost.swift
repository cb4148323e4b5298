/// What a host's records so far say of its present: the session, the scenes, what is open. Grows with what is open only.
///
/// It believes every record; whether a record may be believed is for the invariants to say, which see the history as it
/// was before the record.
struct KnownHost {
    private(set) var session = KnownSession()
    private(set) var scenes: [String: KnownScene] = [:]
    /// The index of the newest record.
    private(set) var lastIndex = 0
    private(set) var isStopped = false
    /// How many events and scenes are open.
    private(set) var openItems = 0

    /// The scene that the record to be judged next is about, looked up once for all checks.
    private var current: (id: String, scene: KnownScene?)?

    /// The scene a record is about, if it is there.
    func scene(of record: HistoryRecord) -> KnownScene? {
        guard let id = record.scene else { return nil }
        if let current, current.id == id { return current.scene }
        return scenes[id]
    }

    /// The record is judged next.
    mutating func turn(to record: HistoryRecord) {
        current = record.scene.map { ($0, scenes[$0]) }
    }

    /// The scenes with their IDs, in the order of these: what is found in several is always told in one order.
    var orderedScenes: [(id: String, scene: KnownScene)] {
        scenes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The scene, for this history alone.
    private mutating func own(_ id: String) -> KnownScene? {
        guard let place = scenes.index(forKey: id) else { return nil }
        if !isKnownUniquelyReferenced(&scenes.values[place]) {
            scenes.values[place] = KnownScene(scenes.values[place])
        }
        return scenes.values[place]
    }

    mutating func apply(_ record: HistoryRecord) {
        // Who holds a scene keeps it from being changed in place.
        current = nil
        lastIndex = record.index
        switch record.body {
        case .hostStopped: isStopped = true
        case .hostStarted, .sessionCommitted, .manifestLoaded: session.apply(record)
        default: break
        }
        guard let id = record.scene else { return }
        if scenes[id] == nil {
            guard case .sceneConnected = record.body else { return }
            scenes[id] = KnownScene()
            openItems += 1
        }
        guard let scene = own(id) else { return }
        let before = scene.open.count
        scene.apply(record, session)
        openItems += scene.open.count - before
        if scene.isGone {
            scenes[id] = nil
            openItems -= 1
        }
    }
}

/// The session by its newest commit.
struct KnownSession {
    private(set) var snapshot: HistoryRecord.Snapshot?
    private(set) var user: String?
    /// The truth of preconditions and conditions without parameters; others are absent.
    private(set) var holds: [String: Bool] = [:]
    /// The index of the record that made it what it is.
    private(set) var index = 0
    /// How often the manifest has been replaced, which can change what holds without a commit.
    private(set) var reloads = 0

    mutating func apply(_ record: HistoryRecord) {
        switch record.body {
        case .hostStarted(let holds): self.holds = holds
        case .sessionCommitted(let user, let holds):
            self.user = user
            self.holds = holds
        case .manifestLoaded(let holds):
            self.holds = holds ?? [:]
            reloads += 1
            index = record.index
            // The commit that a reload may make follows, with a record of its own.
            return
        default: return
        }
        index = record.index
        if let snapshot = record.snapshot { self.snapshot = snapshot }
    }

    /// The first of these needs that does not hold. One that nothing is known of is given the benefit of the doubt.
    func firstFailing(of needs: [String]) -> String? {
        needs.first { holds[$0] == false }
    }
}
