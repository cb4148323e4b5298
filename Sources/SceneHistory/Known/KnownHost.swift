/// The present state of a host by its records so far: its session, its scenes, its open events. Grows only with what is open.
///
/// It takes every record for true. The invariants judge each record by the state before it.
struct KnownHost {
    private(set) var session = KnownSession()
    private(set) var scenes: [String: KnownScene] = [:]
    /// The index of the newest record.
    private(set) var lastIndex = 0
    /// Its time.
    private(set) var lastTime = Int.min
    private(set) var isStopped = false
    /// How many events and scenes are open.
    private(set) var openItems = 0

    /// The scene of the record that is judged next, looked up once for all checks.
    private var current: (id: String, scene: KnownScene?)?

    /// The scene of a record, if it exists.
    func scene(of record: HistoryRecord) -> KnownScene? {
        guard let id = record.scene else { return nil }
        if let current, current.id == id { return current.scene }
        return scenes[id]
    }

    /// Prepares for judging the record.
    mutating func turn(to record: HistoryRecord) {
        current = record.scene.map { ($0, scenes[$0]) }
    }

    /// The scenes sorted by ID, so that violations in several scenes are reported in a stable order.
    var orderedScenes: [(id: String, scene: KnownScene)] {
        scenes.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The scene, copied first if another history shares it.
    private mutating func own(_ id: String) -> KnownScene? {
        guard let place = scenes.index(forKey: id) else { return nil }
        if !isKnownUniquelyReferenced(&scenes.values[place]) {
            scenes.values[place] = KnownScene(scenes.values[place])
        }
        return scenes.values[place]
    }

    mutating func apply(_ record: HistoryRecord) {
        // Otherwise this reference would cause a copy of the scene.
        current = nil
        lastIndex = record.index
        lastTime = record.time
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
