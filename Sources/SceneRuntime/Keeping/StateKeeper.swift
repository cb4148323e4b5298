package import SceneNavigation
package import SceneRouting
internal import StrictJSON

/// Keeps what a host has to find again after its end (<doc:Keeping>).
///
/// A host hands over its changes in one order, that of its records, under the lock of its record log. Whoever stops anywhere in that order has
/// a state from which the host can go on: what belongs together is one step.
package protocol StateKeeper: Sendable {
    /// Takes the next step. It must return at once.
    func keep(_ step: KeptStep)

    /// Whether everything that has happened so far is kept, as the durability asked for has it: `true` if it is, `false` if something of
    /// that cannot be kept, and always after ``stop()``, once what was handed over before that is kept; `nil` if that is not known yet.
    ///
    /// - Parameters:
    ///   - next: Whether the step that is handed over next has to be kept, too; then there is going to be one.
    ///   - patiently: Whether what cannot be kept at present, but may be later, is waited for. Otherwise the answer is `false` then.
    ///   - notify: Called once with the answer if it is not known yet, on any thread. The calls come in the order in which they were asked for.
    func isKept(
        with next: Bool,
        patiently: Bool,
        then notify: @escaping @Sendable (_ isKept: Bool) -> Void
    ) -> Bool?

    /// While something cannot be kept at present, the index of the newest record that is kept; else `nil`.
    var newestKeptRecord: Int? { get }

    /// Keeps what was handed over so far, and takes nothing more.
    func stop()
}

/// Reads records that were kept.
package protocol KeptRecords: Sendable {
    /// The records after an index, oldest first, at most `limit`; none if they cannot be read. Each has the body ``Record/Body/kept(_:json:)``.
    func keptRecords(after index: Int, limit: Int) -> [Record]
}

extension Record {
    /// A record as it was kept.
    package init(index: Int, time: Duration, host: String, subject: Subject, kind: RecordKind, json: String) {
        self.init(index: index, time: time, Content(host: host, subject: subject, body: .kept(kind, json: json)))
    }
}

/// Changes that are kept together, or not at all, with the records that tell of them, in their order: mostly one.
package struct KeptStep: Sendable {
    package private(set) var records: [Record]
    package private(set) var changes: [KeptChange]

    package init(record: Record?, changes: [KeptChange]) {
        records = record.map { [$0] } ?? []
        self.changes = changes
    }

    var isEmpty: Bool { records.isEmpty && changes.isEmpty }

    /// Adds a later step, so that both are one.
    mutating func add(_ step: KeptStep) {
        records += step.records
        changes += step.changes
    }
}

/// A change of what a host has to find again. Each gives the whole new value of what has changed.
package enum KeptChange: Sendable {
    /// The session and what ends a sign-in.
    case session(KeptSession)
    /// A scene was opened, or is as it is between two items of its mailbox.
    case scene(KeptScene)
    /// What a scene is for that was opened for an event.
    case purpose(scene: String, Destination)
    /// The lock does not ask about a scene's window any more.
    case unlocked(scene: String)
    /// The app has closed a scene's window: it is gone as soon as nothing is going on in it any more.
    case closing(scene: String)
    /// A scene is gone for good.
    case sceneGone(id: String)
    /// An event was admitted.
    case event(KeptEvent)
    /// An attempt of this number began for an event.
    case began(EventKey, attempt: Int)
    /// The attempts of an event have had this effect outside of their window.
    case effect(EventKey, KeptEffect)
    /// What has become of an event so far.
    case outcome(EventKey, Receipt)
    /// What was chosen for a user, `nil` for nobody, of a destination that has variants.
    case choice(user: String?, destination: String, variant: String)
    /// Another manifest is in force; those before it are kept, ``mostManifests`` with it.
    case manifest(KeptManifest)

    /// How many manifests are kept.
    package static let mostManifests = CurrentApp.mostRetained
}

/// The session as it is kept.
package struct KeptSession: Hashable, Codable, Sendable {
    package var snapshot: SessionSnapshot
    package var deadlines: SessionDeadlines

    package init(snapshot: SessionSnapshot, deadlines: SessionDeadlines) {
        self.snapshot = snapshot
        self.deadlines = deadlines
    }
}

/// When a sign-in becomes stale and when it ends, on the host's clock; `nil` for never.
package struct SessionDeadlines: Hashable, Codable, Sendable {
    package var stale: Duration?
    package var end: Duration?

    package init(stale: Duration? = nil, end: Duration? = nil) {
        self.stale = stale
        self.end = end
    }
}

/// An effect that an attempt of an event has outside of its window, in the order in which it has them.
package enum KeptEffect: Hashable, Codable, Sendable {
    /// Its commit of this number, from 1, has changed the session, and the event belongs to this epoch since. Format 1 of the state does not
    /// tell the number.
    case commit(epoch: Int, number: Int?)
    /// It asked for a window.
    case window(WindowAnswer)
    /// Those of the chain were asked who takes its intent, the last of them took it, and wants this.
    case taken(chain: [String], [FlowCommand])

    /// The epoch to which the event belongs by it; `nil` if it makes no difference.
    var epoch: Int? { if case .commit(let epoch, _) = self { epoch } else { nil } }

    /// Whether it is the commit of this number, or may be.
    func isCommit(_ number: Int) -> Bool {
        guard case .commit(_, let own) = self else { return false }
        return own == nil || own == number
    }

    /// Who took the intent, and what is wanted; `nil` if it is another effect.
    var taken: (chain: [String], commands: [FlowCommand])? {
        if case .taken(let chain, let commands) = self { (chain, commands) } else { nil }
    }
}

/// An event that was admitted.
package struct KeptEvent: Codable, Sendable {
    package let key: EventKey
    /// Whether the host has made its ID.
    package let isKeyMade: Bool
    package let contentHash: UInt64
    /// The session's epoch when it was admitted.
    package let epoch: Int
    package let work: EventWork
    package let source: RouteSource
    package let connection: Int?
    /// What has become of it so far.
    package var receipt: Receipt
    /// The number of its newest attempt that has begun; 0 before the first.
    package var attempt = 0
    /// What its attempts have done outside of its window so far.
    package var effects: [KeptEffect] = []
}

/// A scene between two items of its mailbox.
package struct KeptScene: Hashable, Codable, Sendable {
    package let id: String
    /// Its place in the order opened, from 1.
    package let number: Int
    package var configuration: String
    package var isConnected: Bool
    package var activation: Activation
    package var lastActive: Int
    package var isLocked: Bool
    package var window: WindowState
    /// For each of its destinations, the epoch since which it is shown.
    package var shownSince: [Int]
    package var ownership: WindowOwnership
    /// The flows that other flows have started and that are still shown, each with the one that started it.
    package var startedFlows: [String: String]
    /// The flows that are shown for a gate alone.
    package var gateFlows: Set<String>
    /// For each flow on screen, the parameters of the gate that it is shown for.
    package var servedGates: [String: [String: String]]
    /// The events that wait for a precondition, in the order parked.
    package var parked: [KeptParked]
    /// How many first attempts have ended.
    package var settled: Int
}

/// An event that waits for a precondition.
package struct KeptParked: Hashable, Codable, Sendable {
    package let event: EventKey
    package let request: RouteRequest
    package let variant: Destination?
    package let gate: ParkedIntent.Gate
    package let user: String?
    package let epoch: Int
    package let manifest: String
    /// The number of the attempt that was gated.
    package let attempt: Int
    package let completion: ParkedIntent.Completion?
    /// `true` if it has been taken to go on, and its attempt has not ended; `nil` otherwise, and in what was kept before this was.
    var isResumed: Bool?
}

/// A manifest that is in force.
package struct KeptManifest: Codable, Sendable {
    /// Its digest.
    package let digest: String
    /// It, as JSON that can be read as a manifest file.
    package let json: String
}

/// Everything that a host has to find again.
package struct KeptHost: Sendable {
    /// The host's ID.
    package var id: String
    /// The seed of what it leaves to chance, and the key of its placeholders.
    package var seed: UInt64
    package var secretKey: SecretKey?
    package var manifest: KeptManifest
    /// The manifests that were in force before it, the newest last, each once.
    package var formerManifests: [KeptManifest] = []
    package var session: KeptSession
    /// In the order opened.
    package var scenes: [KeptScene]
    /// What scenes are for, by their IDs.
    package var purposes: [String: Destination]
    /// The scenes whose windows the app has closed.
    package var closing: Set<String> = []
    /// The ticket that each scene, or (`nil`) the app itself, has given last.
    package var lastTickets: [String?: Int]
    /// The events that have not ended, and those that have and are remembered: those in the order of their ends, after each other.
    package var events: [KeptEvent]
    /// The variants that were chosen, in the order chosen.
    package var choices: [(user: String?, destination: String, variant: String)]
    /// The numbers that the newest made IDs of an event and of a scene have, and the number of scenes so far.
    package var lastMadeEvent: Int
    package var lastMadeScene: Int
    package var openedScenes: Int
    /// The index and the time of the newest record, and the date then, in seconds since 1970.
    package var lastRecord: (index: Int, time: Duration, wall: Double)
}

extension KeptEvent {
    init(_ event: AdmittedEvent, _ receipt: Receipt, isKeyMade: Bool, _ contentHash: UInt64) {
        self.init(
            key: event.key,
            isKeyMade: isKeyMade,
            contentHash: contentHash,
            epoch: event.epoch,
            work: event.work,
            source: event.source,
            connection: event.connection,
            receipt: receipt
        )
    }
}

extension KeptScene {
    /// A scene as it is now.
    init(
        _ gatekeeper: Gatekeeper,
        resuming: [ParkedIntent],
        served: [String: [String: String]],
        presented: Set<String>
    ) {
        let (context, router) = (gatekeeper.context, gatekeeper.router)
        let life = context.life.current
        let (phase, activation, isLocked) = life.before ?? (life.phase, life.activation, life.isLocked)
        self.init(
            id: context.scene,
            number: context.number,
            configuration: router.configuration,
            isConnected: phase == .connected,
            activation: activation,
            lastActive: life.lastActive,
            isLocked: isLocked,
            window: router.state,
            shownSince: router.shownSince,
            ownership: router.ownership,
            startedFlows: router.startedFlows,
            gateFlows: presented,
            servedGates: served,
            parked: resuming.map { $0.kept(isResumed: true) } + gatekeeper.parked.map { $0.kept(isResumed: false) },
            settled: router.published.current.settled
        )
    }
}

extension LoadedApp {
    /// The manifest as it is kept.
    package var kept: KeptManifest { KeptManifest(digest: digest, json: JSONValue.object(manifest.json).text()) }
}

extension KeptHost {
    /// A host that begins: it has no scene, event or record yet, and nothing was chosen.
    /// - Parameter wall: The date, in seconds since 1970.
    package init(
        id: String,
        seed: UInt64,
        secretKey: SecretKey?,
        manifest: KeptManifest,
        session: KeptSession,
        wall: Double
    ) {
        self.id = id
        self.seed = seed
        self.secretKey = secretKey
        self.manifest = manifest
        self.session = session
        scenes = []
        purposes = [:]
        lastTickets = [:]
        events = []
        choices = []
        lastMadeEvent = 0
        lastMadeScene = 0
        openedScenes = 0
        lastRecord = (0, .zero, wall)
    }
}
