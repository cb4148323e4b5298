internal import Basics
internal import SceneManifest
internal import SceneRouting
internal import SceneRuntime
internal import SceneState
internal import SceneService
internal import StrictJSON
internal import Varlink

/// The hosts of a daemon that keeps its state: the one that goes on, and those that begin.
struct KeptHosts: Sendable {
    private let store: StateStore
    private let path: String

    /// Opens the state of a folder.
    /// - Parameter report: Called on some thread when something cannot be kept, and when it can be again.
    /// - Throws: ``StateError``
    init(
        _ configuration: DaemonConfiguration,
        in folder: String,
        report: @escaping @Sendable (StateNews) -> Void
    ) throws(StateError) {
        path = folder
        store = try StateStore(
            directory: folder,
            durability: configuration.durability,
            retention: configuration.retention,
            report: report
        )
    }

    /// The host of before, as it was kept; `nil` if there was none, or not even its start was kept.
    /// - Throws: ``StateError``
    func load() throws(StateError) -> KeptHost? {
        guard let kept = try store.load(), kept.lastRecord.index > 0 else { return nil }
        return kept
    }

    /// Makes the host of before anew. It moves from ``SceneHost/goOn(_:)`` on.
    ///
    /// - Parameters:
    ///   - manifest: The manifest to take if the one of before does not fit the code any more.
    ///   - parts: What every host of the daemon is made with.
    /// - Throws: ``StateError/otherApp(path:app:wanted:)`` if it was a host of an app of another name.
    func goOn(_ kept: KeptHost, _ manifest: AppManifest, _ parts: HostParts) throws -> SceneHost {
        if let app = Self.manifest(kept.manifest)?.name, app != manifest.name {
            throw StateError.otherApp(path: path, app: app, wanted: manifest.name)
        }
        let (time, date) = (kept.lastRecord.time, kept.lastRecord.wall)
        // Time passes while there is no daemon, and never goes back.
        let clock = SystemClock(at: time + .seconds(max(0, SystemClock().wallTime - date)))
        return try Self.make(kept, manifest, parts, clock, keeper: store.keeper(), earlier: store)
    }

    /// The host that a state holds which is not this daemon's, under another ID.
    /// - Throws: ``StateError`` if there is none, or it cannot be read.
    static func stored(in folder: String) throws(StateError) -> KeptHost {
        let state = try StoredState(directory: folder)
        guard var kept = try state.host(), kept.lastRecord.index > 0 else { throw .noHost(path: state.path) }
        kept.id = HostID.make()
        return kept
    }

    /// Makes such a host anew, which forgets whatever it does. Its time stands at its newest record.
    static func investigate(_ kept: KeptHost, _ manifest: AppManifest, _ parts: HostParts) throws -> SceneHost {
        let clock = VirtualClock(at: kept.lastRecord.time, wallTime: kept.lastRecord.wall)
        return try make(kept, manifest, parts, clock, keeper: nil, earlier: nil)
    }

    private static func make(
        _ kept: KeptHost,
        _ manifest: AppManifest,
        _ parts: HostParts,
        _ clock: any RuntimeClock,
        keeper: (any StateKeeper)?,
        earlier: (any KeptRecords)?
    ) throws -> SceneHost {
        var settings = parts.settings
        settings.seed = kept.seed
        settings.secretKey = kept.secretKey
        func load(_ manifest: AppManifest) throws -> LoadedApp { try parts.load(manifest, settings) }
        let former = (kept.formerManifests + [kept.manifest]).compactMap { kept in
            Self.manifest(kept).map { (digest: kept.digest, manifest: $0) }
        }
        let last = former.last.flatMap { $0.digest == kept.manifest.digest ? $0.manifest : nil }
        return SceneHost(
            goingOn: kept,
            app: try last.flatMap { try? load($0) } ?? load(manifest),
            former: former,
            settings: settings,
            clock: clock,
            executors: parts.executors,
            report: parts.report,
            code: parts.program.code,
            keeper: keeper,
            earlier: earlier
        )
    }

    /// A manifest as it was kept; `nil` if it cannot be read any more.
    private static func manifest(_ kept: KeptManifest) -> AppManifest? {
        try? AppManifest.read(kept.json, file: "the manifest of before").manifest
    }

    /// Begins a host, in the place of the one before, which must keep nothing more.
    func begin(_ id: String, _ manifest: AppManifest, _ settings: HostSettings, _ parts: HostParts) throws -> SceneHost
    {
        let loaded = try parts.load(manifest, settings)
        try store.begin(
            host: id,
            seed: settings.seed,
            secretKey: settings.secretKey,
            manifest: loaded.kept,
            session: KeptSession(
                snapshot: SessionSnapshot(revision: 0, epoch: 0, user: nil, facts: loaded.facts.defaults),
                deadlines: SessionDeadlines()
            )
        )
        return SceneHost(
            id: id,
            app: loaded,
            settings: settings,
            executors: parts.executors,
            report: parts.report,
            code: parts.program.code,
            keeper: store.keeper()
        )
    }

    /// Why nothing can be written at present, and how many steps wait for that; `nil` if it can be.
    var trouble: (error: StateError, steps: Int)? { store.trouble }

    /// Whether something that has happened is not kept and will not be.
    var hasLost: Bool { store.hasLost }

    /// Leaves the state as one whole file.
    func close() throws(StateError) { try store.close() }
}

/// What every host of a daemon is made with.
struct HostParts: Sendable {
    let program: DaemonProgram
    let settings: HostSettings
    let executors: HostExecutors
    let report: @Sendable (ResolutionReport) -> Void

    /// - Throws: What is wrong with the manifest, or does not fit the code.
    func load(_ manifest: AppManifest, _ settings: HostSettings) throws(ManifestProblems) -> LoadedApp {
        try LoadedApp(manifest: manifest, adapters: program.adapters, code: program.code, secrets: settings.secretKey)
    }
}

/// Holds replies back until what they tell is kept, and refuses what cannot be kept.
enum KeptReplies {
    /// What may be told of a running host.
    static func release(of running: RunningHost, in hosts: KeptHosts) -> VarlinkServer.Release {
        { method, then in
            // What tells records tells none that is not kept.
            running.current.records.whenKept(patiently: recordReaders.contains(method)) { isKept in
                if isKept { return then(nil) }
                guard let interface = interface(of: method) else { return then(nil) }
                if let trouble = hosts.trouble {
                    // What reads tells what has happened, even if that cannot be written yet; but of events it would be an acknowledgement.
                    let isPromise = MethodRoles.changesState(method) || method == "io.scened.Events.Get"
                    return then(isPromise ? failure(interface, trouble.error) : nil)
                }
                if draining.contains(interface) { return then(VarlinkError("\(interface).Draining")) }
                // All that is recorded of a host that has stopped is kept by now. If something is lost, the daemon is about to end, and
                // nobody is told of it.
                if !hosts.hasLost { then(nil) }
            }
        }
    }

    /// Why a method cannot be called while nothing can be written.
    static func refusal(in hosts: KeptHosts) -> @Sendable (_ method: String) -> VarlinkError? {
        { method in
            guard MethodRoles.changesState(method), let trouble = hosts.trouble else { return nil }
            return interface(of: method).map { failure($0, trouble.error) }
        }
    }

    /// The interfaces with an error that says that the daemon stops.
    private static let draining: Set<Substring> = [
        "io.scened.Adapters", "io.scened.Control", "io.scened.Events", "io.scened.Manager", "io.scened.Scenes",
        "io.scened.Session",
    ]

    /// The methods whose replies have records in them, or what was recorded.
    private static let recordReaders: Set = ["io.scened.Records.Read", "io.scened.Recording.Read"]

    private static func interface(of method: String) -> Substring? {
        method.lastIndex(of: ".").map { method[..<$0] }
    }

    private static func failure(_ interface: Substring, _ error: StateError) -> VarlinkError {
        VarlinkError("\(interface).StorageFailed", ["reason": .string(error.description)])
    }
}
