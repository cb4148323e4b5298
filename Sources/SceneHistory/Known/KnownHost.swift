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
    /// The scenes of which nothing is known but that they may be there, because the history was taken up at a snapshot.
    private var unknown: Set<String> = []
    /// How many events and scenes are open.
    private(set) var openItems = 0

    /// The scene of the record that is judged next, looked up once for all checks.
    private var current: (id: String, scene: KnownScene?)?

    init() {}

    /// Nothing is known before the snapshot with which the history is taken up.
    init(takenUpAt snapshot: HistoryRecord) {
        lastIndex = snapshot.index - 1
        lastTime = snapshot.time
    }

    /// What of a record can be judged: nothing if its scene is not known yet, but for a commit, which is the session's too.
    func judgeable(of record: HistoryRecord) -> HistoryRecord? {
        guard let id = record.scene, unknown.contains(id) else { return record }
        switch record.body {
        case .sceneSnapshot, .sceneConnected(_, restored: false, _, _): return record
        case .sessionCommitted(let user, let truths, _): return record.fromNowhere(user, truths)
        default: return nil
        }
    }

    /// Whether the scene may be there although nothing is known of it.
    func isAwaited(_ scene: String) -> Bool { unknown.contains(scene) }

    /// Notes that a record was passed over.
    mutating func skip(_ record: HistoryRecord) {
        lastIndex = record.index
        lastTime = record.time
    }

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
        skip(record)
        switch record.body {
        case .hostStopped: isStopped = true
        case .hostStarted, .sessionCommitted, .manifestLoaded: session.apply(record)
        case .hostSnapshot(let snapshot):
            if session.snapshot == nil { unknown = Set(snapshot.scenes) }
            session.apply(record)
        default: break
        }
        guard let id = record.scene else { return }
        if scenes[id] == nil {
            switch record.body {
            case .sceneConnected: scenes[id] = KnownScene()
            case .sceneSnapshot(let snapshot):
                let scene = KnownScene(snapshot, record, session)
                scenes[id] = scene
                openItems += scene.open.count
            default: return
            }
            unknown.remove(id)
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
