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
    /// The version of what its records say.
    private(set) var format = 1
    /// The scenes of which nothing is known but that they may be there, because the history was taken up at a snapshot.
    private var unknown: Set<String> = []
    /// How many events and scenes are open.
    private(set) var openItems = 0
    /// The index of the newest record by which the host goes on after its end.
    private(set) var restarted: Int?
    /// The scenes that owe a snapshot since then.
    private(set) var awaited: Set<String> = []
    /// The windows that the app has asked for and that have not been there yet.
    private var requested: Set<String> = []
    /// What was dispatched when the host ended, of scenes of which nothing is known yet: the attempt of each ticket.
    private var again: [String: [Int: Int]] = [:]

    /// The scenes that are judged while the host is at rest, sorted by ID so that violations are reported in a stable order.
    private(set) var resting: [(id: String, scene: KnownScene)] = []
    /// The IDs of those that have gone since the last rest, sorted.
    private(set) var restingGone: [String] = []
    /// Whether there were too many scenes and commits to judge each of them at each rest.
    private(set) var isRestPartial = false
    /// The scenes of the records since the last rest.
    private var touched: Set<String> = []
    /// The index of the last commit that all scenes were judged by at rest.
    private var restIndex = -1
    /// How many scenes are judged at rest for each record, at most: sixty windows, if the host rests after each commit.
    private static let mostRestsPerRecord = 30
    private var (records, rests) = (0, 0)

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
        case .appSnapshot, .sceneSnapshot, .sceneConnected(_, restored: false, _, _): return record
        case .sessionCommitted(let user, let truths, _, let facts): return record.fromNowhere(user, truths, facts)
        default: return nil
        }
    }

    /// Whether the scene may be there although nothing is known of it.
    func isAwaited(_ scene: String) -> Bool { unknown.contains(scene) }

    /// Whether something is not known yet, because the history was taken up at a snapshot.
    var isPartlyUnknown: Bool { !unknown.isEmpty }

    /// Notes that a record was passed over.
    mutating func skip(_ record: HistoryRecord) {
        lastIndex = record.index
        lastTime = record.time
    }

    /// The scenes without the app itself.
    var windows: some Sequence<(key: String, value: KnownScene)> { scenes.lazy.filter { $0.key != HistoryRecord.app } }

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

    /// Prepares for judging a host that has come to rest. What nobody has touched since the last rest is as it was, unless the
    /// session has changed, or the host has stopped.
    mutating func rest(_ rest: Rest) {
        (resting, restingGone) = ([], [])
        if isStopped { return }
        let isEach = rest == .stopped || restIndex != session.index
        let isAffordable = rest == .stopped || rests + scenes.count <= (records + 100) * Self.mostRestsPerRecord
        let judged = isEach && isAffordable ? Array(scenes.keys) : Array(touched)
        isRestPartial = isEach && !isAffordable
        if !isRestPartial { restIndex = session.index }
        rests += judged.count
        restingGone = touched.filter { scenes[$0] == nil }.sorted()
        touched = []
        resting = judged.sorted().compactMap { id in scenes[id].map { (id, $0) } }
    }

    /// The scene, copied first if another history shares it.
    private mutating func own(_ id: String) -> KnownScene? {
        guard let place = scenes.index(forKey: id) else { return nil }
        if !isKnownUniquelyReferenced(&scenes.values[place]) {
            scenes.values[place] = KnownScene(scenes.values[place])
        }
        return scenes.values[place]
    }

    /// How many reloads there have been, if the dispatch of a record began after the last: then it is by the manifest in force.
    private func certainReloads(of record: HistoryRecord) -> Int? {
        scene(of: record)?.dispatch?.reloads == session.reloads ? session.reloads : nil
    }

    mutating func apply(_ record: HistoryRecord) {
        // Otherwise this reference would cause a copy of the scene.
        current = nil
        skip(record)
        (resting, restingGone) = ([], [])
        records += 1
        switch record.body {
        case .hostStopped: isStopped = true
        case .hostStarted(let start):
            format = start.format
            session.apply(record)
            if format > 1 { scenes[HistoryRecord.app] = KnownScene(format: format) }
        case .sessionCommitted, .manifestLoaded: session.apply(record)
        case .hostRestarted(let restart): goOn(with: restart, record)
        case .hostSnapshot(let snapshot):
            format = snapshot.format
            if session.snapshot == nil {
                unknown = Set(snapshot.scenes)
                if format > 1 { unknown.insert(HistoryRecord.app) }
            }
            session.apply(record)
        case .windowRequested(.open(_, _, let opened?, nil)): requested.insert(opened)
        case .sceneConnected: if let id = record.scene { requested.remove(id) }
        case .dispatchResolved(let destination, _, _, let wall, _, let variant):
            let reloads = certainReloads(of: record)
            if reloads != nil { session.noteTime(wall) }
            if let destination, let variant, record.snapshot == session.snapshot {
                session.choices.learn(variant.id, of: destination.id, for: session.user, record.index, by: reloads)
            }
        case .variantChosen(let user, let destination, let variant, _):
            let reloads = certainReloads(of: record)
            session.choices.note(variant.id, of: destination.id, for: user, record.index, by: reloads)
        default: break
        }
        guard let id = record.scene else { return }
        touched.insert(id)
        if goesOn(id, with: record) { return }
        if scenes[id] == nil {
            switch record.body {
            case .sceneConnected: scenes[id] = KnownScene(format: format)
            case .appSnapshot(let snapshot):
                let app = KnownScene(snapshot, record, format: format)
                scenes[id] = app
                openItems += app.open.count
            case .sceneSnapshot(let snapshot):
                let scene = KnownScene(snapshot, record, session, format: format)
                scenes[id] = scene
                openItems += scene.open.count
            default: return
            }
            unknown.remove(id)
            openItems += 1
            if let attempts = again.removeValue(forKey: id) { scenes[id]?.takeUp(after: attempts) }
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

    // MARK: - After a restart

    /// Whether the app has asked for a window that has not been there yet.
    func isRequested(_ scene: String) -> Bool { requested.contains(scene) }

    /// Whether a scene is named by the record with which its host goes on, and its own snapshot has not come yet.
    func isOwed(_ scene: String?) -> Bool { scene.map(awaited.contains) ?? false }

    private mutating func goOn(with restart: HistoryRestart, _ record: HistoryRecord) {
        let isTakenUp = session.snapshot == nil
        isStopped = false
        restarted = record.index
        format = restart.host.format
        session.apply(record)
        let named = Set(restart.host.scenes).union([HistoryRecord.app])
        awaited = named
        for id in Array(scenes.keys) {
            guard let scene = own(id) else { continue }
            scene.format = format
            scene.restart()
            touched.insert(id)
            if !named.contains(id), scene.phase != .discarded {
                openItems -= scene.open.count + 1
                scenes[id] = nil
            }
        }
        unknown = isTakenUp ? named : unknown.intersection(named).union(named.filter { scenes[$0] == nil })
        again = Dictionary(uniqueKeysWithValues: unknown.map { ($0, [:]) })
        for event in restart.again where unknown.contains(event.scene) {
            again[event.scene, default: [:]][event.ticket] = event.attempt
        }
    }

    /// Whether a record is the snapshot with which a known scene goes on; then it does.
    private mutating func goesOn(_ id: String, with record: HistoryRecord) -> Bool {
        guard awaited.contains(id) else { return false }
        awaited.remove(id)
        guard let scene = own(id) else { return false }
        let before = scene.open.count
        switch record.body {
        case .appSnapshot(let snapshot): scene.goOn(with: snapshot, record)
        case .sceneSnapshot(let snapshot):
            if !scene.goOn(with: snapshot, record, session) {
                let other = KnownScene(snapshot, record, session, format: format)
                other.keepWaiting(of: scene)
                scenes[id] = other
            }
        default:
            scene.goOn()
            return false
        }
        openItems += (scenes[id]?.open.count ?? 0) - before
        return true
    }
}
