import Basics
import SceneRouting
@testable import SceneRuntime
import StrictJSON

/// Keeps the steps of a host in memory, so that a test can stop the host after any of them.
final class KeptLog: StateKeeper {
    private struct State {
        var steps: [KeptStep] = []
        var isStopped = false
    }

    private let state = Guarded(State())

    var steps: [KeptStep] { state.withLock { $0.steps } }

    func keep(_ step: KeptStep) {
        state.withLock { state in
            if !state.isStopped { state.steps.append(step) }
        }
    }

    var newestKeptRecord: Int? { nil }

    func isKept(with next: Bool, patiently: Bool, then notify: @escaping @Sendable (Bool) -> Void) -> Bool? {
        !state.withLock { $0.isStopped }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
    }
}

/// A host that has gone on, and come to rest.
struct Restarted {
    let host: SceneHost
    let log = KeptLog()

    init(_ kept: KeptHost, _ app: LoadedApp, clock: SystemClock = SystemClock()) async throws {
        host = SceneHost(goingOn: kept, app: app, settings: HostSettings(), clock: clock, keeper: log, earlier: nil)
        await host.goOn(kept)
        await host.quiesce()
    }

    var records: [JSONObject] { log.steps.flatMap(\.records).map(\.json) }
}

extension KeptHost {
    /// A host of which nothing is kept yet.
    init(_ id: String, manifest: AppManifest, session: SessionSnapshot) {
        self.init(
            id: id,
            seed: 0,
            secretKey: .shared,
            manifest: KeptManifest(digest: manifest.digest, json: ""),
            session: KeptSession(snapshot: session, deadlines: SessionDeadlines()),
            scenes: [],
            purposes: [:],
            lastTickets: [:],
            events: [],
            choices: [],
            lastMadeEvent: 0,
            lastMadeScene: 0,
            openedScenes: 0,
            lastRecord: (0, .zero, 0)
        )
    }

    /// What is to be found again once these steps are kept, too: written as simply as can be.
    func after(_ steps: some Sequence<KeptStep>) -> KeptHost {
        var host = self
        var unended = host.events
        var ended: [KeptEvent] = []
        host.events = []
        let (open, over) = (
            unended.filter { !$0.receipt.outcome.isTerminal }, unended.filter { $0.receipt.outcome.isTerminal }
        )
        (unended, ended) = (open, over)
        var places = Dictionary(unended.enumerated().map { ($0.element.key, $0.offset) }) { $1 }
        func change(_ key: EventKey, _ body: (inout KeptEvent) -> Void) {
            if let place = places[key] { body(&unended[place]) }
        }
        for step in steps {
            if let record = step.records.last { host.lastRecord = (record.index, record.time, 0) }
            for one in step.changes {
                switch one {
                case .session(let session): host.session = session
                case .scene(let scene):
                    if let place = host.scenes.firstIndex(where: { $0.id == scene.id }) {
                        host.scenes[place] = scene
                    } else {
                        host.scenes.append(scene)
                    }
                    host.openedScenes = max(host.openedScenes, scene.number)
                    host.lastMadeScene = max(host.lastMadeScene, Self.number(scene.id, "scene-"))
                case .purpose(let scene, let destination): host.purposes[scene] = destination
                case .unlocked(let scene):
                    for place in host.scenes.indices where host.scenes[place].id == scene {
                        host.scenes[place].isLocked = false
                    }
                case .closing(let scene): host.closing.insert(scene)
                case .sceneGone(let id):
                    host.scenes.removeAll { $0.id == id }
                    host.closing.remove(id)
                    host.purposes[id] = nil
                    host.lastTickets[id] = nil
                case .event(let event):
                    places[event.key] = unended.count
                    unended.append(event)
                    host.lastTickets[event.receipt.scene] = event.receipt.ticket
                    if event.isKeyMade {
                        host.lastMadeEvent = max(host.lastMadeEvent, Self.number(event.key.id, "auto-"))
                    }
                case .began(let key, let attempt): change(key) { $0.attempt = attempt }
                case .effect(let key, let effect): change(key) { $0.effects.append(effect) }
                case .outcome(let key, let receipt):
                    change(key) { event in
                        event.receipt = receipt
                        if receipt.outcome.isTerminal { ended.append(event) }
                    }
                    if receipt.outcome.isTerminal { places[key] = nil }
                case .choice(let user, let destination, let variant): host.choices.append((user, destination, variant))
                case .manifest(let manifest):
                    host.formerManifests.append(host.manifest)
                    host.manifest = manifest
                }
            }
        }
        host.events = unended.filter { places[$0.key] != nil } + ended
        return host
    }

    private static func number(_ id: String, _ prefix: String) -> Int {
        id.hasPrefix(prefix) ? Int(id.dropFirst(prefix.count)) ?? 0 : 0
    }
}

extension KeptStep {
    /// Whether an attempt begins with it.
    var beginsAttempt: Bool { changes.contains { if case .began = $0 { true } else { false } } }
}
