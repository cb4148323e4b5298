internal import SceneRouting
internal import Basics

/// A host's directory of scenes behind its lock. A class, so that ``CommitAnnouncer`` can hold it weakly.
final class SharedDirectory: Sendable {
    private let directory = Guarded(SceneDirectory())

    /// Runs `body` with the directory while holding the lock. Most of those who may change it do not.
    func withLock<Result, Failure: Error>(
        _ body: (inout SceneDirectory) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try directory.withLock(for: .read) { value throws(Failure) in
            let changes = value.changes
            defer { if value.changes != changes { directory.report(.write) } }
            return try body(&value)
        }
    }
}

/// The scenes of a host, and the rules by which one is chosen for an event.
struct SceneDirectory {
    struct Entry {
        let scene: Scene
        /// Its place in the order opened, from 1.
        let number: Int
        var configuration: SceneConfiguration
        /// Whether it will be connected once everything admitted so far has had its turn.
        var willBeConnected = true
        /// What it is for: where the event leads for which it was opened. `nil` if it was not opened for one, or for several.
        var purpose: Destination?
    }

    /// How often it was changed.
    private(set) var changes = 0
    private(set) var entries: [String: Entry] = [:] { didSet { changes += 1 } }
    /// Scene IDs in the order connected.
    private(set) var order: [String] = [] { didSet { changes += 1 } }
    /// The scenes in the order connected, so that what is done to all of them happens in the same order in every run.
    var inOrder: [Entry] { order.compactMap { entries[$0] } }
    /// The scenes with a greater number than `number`, in the order connected, at most `limit`.
    func opened(after number: Int, limit: Int) -> [Entry] {
        // The numbers ascend, so the first is found by halving.
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[order[middle]]?.number ?? 0 > number { high = middle } else { low = middle + 1 }
        }
        return order[low...].prefix(limit).compactMap { entries[$0] }
    }
    /// The IDs of discarded scenes in which something still goes on: whatever is recorded of such a scene comes before anything
    /// of the next with its ID.
    private var leaving: Set<String> = [] { didSet { changes += 1 } }
    /// The scenes of which a record has been made or may follow, in the order connected, discarded ones last.
    var recorded: [String] { order + leaving.sorted() }
    private var lastMadeID = 0 { didSet { changes += 1 } }
    /// How many scenes there have been so far.
    private(set) var connected = 0 { didSet { changes += 1 } }
    /// Whether the host is stopping and takes nothing new.
    var isDraining = false { didSet { changes += 1 } }
    /// Whether the host's end has been recorded.
    var hasStopped = false { didSet { changes += 1 } }

    /// An ID that no scene has.
    mutating func makeID() -> String {
        repeat { lastMadeID += 1 } while isTaken("scene-\(lastMadeID)")
        return "scene-\(lastMadeID)"
    }

    /// Gives numbers and IDs that no scene of before a restart had.
    mutating func goOn(after opened: Int, madeID: Int) {
        connected = opened
        lastMadeID = madeID
    }

    /// Adds a scene of before a restart.
    mutating func restore(_ entry: Entry) {
        entries[entry.scene.id] = entry
        order.append(entry.scene.id)
    }

    mutating func insert(_ entry: Entry) {
        entries[entry.scene.id] = entry
        order.append(entry.scene.id)
        connected += 1
    }

    /// Removes a scene, so that no event can reach it. Its ID is taken until ``free(_:)``.
    mutating func remove(_ scene: String) -> Entry? {
        guard let entry = entries.removeValue(forKey: scene) else { return nil }
        order.removeAll { $0 == scene }
        leaving.insert(scene)
        return entry
    }

    /// Lets another scene have the ID of one that was removed.
    mutating func free(_ scene: String) { leaving.remove(scene) }

    /// Whether a new scene cannot have this ID.
    func isTaken(_ id: String) -> Bool { entries[id] != nil || leaving.contains(id) }

    mutating func setWillBeConnected(_ willBe: Bool, _ scene: String) {
        entries[scene]?.willBeConnected = willBe
    }

    mutating func setPurpose(_ purpose: Destination?, of scene: String) {
        entries[scene]?.purpose = purpose
    }

    /// The scenes that are for a destination, in the order opened.
    func scenes(for destination: Destination) -> [Entry] { inOrder.filter { $0.purpose == destination } }

    mutating func setConfiguration(_ configuration: SceneConfiguration, of scene: String) {
        entries[scene]?.configuration = configuration
    }

    /// Gives every scene its configuration in another manifest. A scene whose configuration is gone keeps the old one: it is
    /// open, and has to take events by some conditions.
    mutating func adopt(_ configurations: [SceneConfiguration]) {
        for id in order {
            guard let name = entries[id]?.configuration.name else { continue }
            if let newer = configurations.first(where: { $0.name == name }) { entries[id]?.configuration = newer }
        }
    }

    /// The scene for an event that names none: one that prefers its content identifier, else one that can activate for it;
    /// among several the one that is in front, or will be by then, then the most recently active, then the oldest
    /// (<doc:Scenes#Which-scene-takes-an-event>).
    /// - Parameter connected: Whether only a scene is chosen that has a window.
    func choose(for contentIdentifier: String?, connected: Bool) -> (entry: Entry, choice: SceneChoice)? {
        let candidates = inOrder.filter { !connected || $0.willBeConnected }
        if let contentIdentifier {
            let preferring = candidates.filter { $0.configuration.prefers.matches(contentIdentifier) }
            if let best = Self.best(of: preferring) { return (best, .preferred) }
        }
        return Self.best(of: candidates.filter { $0.configuration.canTake(contentIdentifier) }).map { ($0, $0.rank) }
    }

    /// The scene for a set of URLs that names none: as for an event, but it has to suit each of them.
    func choose(forAll contentIdentifiers: [String]) -> (entry: Entry, choice: SceneChoice)? {
        let preferring = inOrder.filter { entry in contentIdentifiers.allSatisfy(entry.configuration.prefers.matches) }
        if let best = Self.best(of: preferring) { return (best, .preferred) }
        let able = inOrder.filter { entry in contentIdentifiers.allSatisfy(entry.configuration.canTake) }
        return Self.best(of: able).map { ($0, $0.rank) }
    }

    private static func best(of candidates: [Entry]) -> Entry? {
        let ranked = candidates.map { entry in
            let life = entry.scene.life.current
            return (entry: entry, rank: (life.isInFront ? 1 : 0, life.lastActive, -entry.number))
        }
        return ranked.max { $0.rank < $1.rank }?.entry
    }
}

extension SceneDirectory.Entry {
    /// What puts it before the others that can take an event.
    fileprivate var rank: SceneChoice {
        let life = scene.life.current
        return life.isInFront ? .active : life.lastActive > 0 ? .recent : .oldest
    }
}

extension SceneConfiguration {
    /// Whether a scene of this configuration can activate for the identifier. Without an identifier only a configuration
    /// that takes everything can.
    func canTake(_ contentIdentifier: String?) -> Bool {
        guard let contentIdentifier else { return takesEverything }
        return canActivate.matches(contentIdentifier)
    }
}
