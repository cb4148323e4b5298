internal import Basics
internal import SceneManifest
internal import SceneRouting
internal import SceneRuntime
internal import SceneState
internal import SceneService
internal import Varlink

/// The hosts of a daemon that keeps its state: the one that goes on, and those that begin.
struct KeptHosts: Sendable {
    private let store: StateStore

    /// Opens the state of a folder.
    /// - Parameter failure: Called once, on some thread, if something cannot be kept any more.
    /// - Throws: ``StateError``
    init(
        _ configuration: DaemonConfiguration,
        in folder: String,
        failure: @escaping @Sendable (StateError) -> Void
    ) throws(StateError) {
        store = try StateStore(
            directory: folder,
            durability: configuration.durability,
            retention: configuration.retention,
            failure: failure
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
    func goOn(_ kept: KeptHost, _ manifest: AppManifest, _ parts: HostParts) throws -> SceneHost {
        var settings = parts.settings
        settings.seed = kept.seed
        settings.secretKey = kept.secretKey
        func load(_ manifest: AppManifest) throws -> LoadedApp { try parts.load(manifest, settings) }
        let former = (kept.formerManifests + [kept.manifest]).compactMap { kept in
            let manifest = try? AppManifest.read(kept.json, file: "the manifest of before").manifest
            return manifest.map { (digest: kept.digest, manifest: $0) }
        }
        let last = former.last.flatMap { $0.digest == kept.manifest.digest ? $0.manifest : nil }
        let (time, date) = (kept.lastRecord.time, kept.lastRecord.wall)
        return SceneHost(
            goingOn: kept,
            app: try last.flatMap { try? load($0) } ?? load(manifest),
            former: former,
            settings: settings,
            // Time passes while there is no daemon, and never goes back.
            clock: SystemClock(at: time + .seconds(max(0, SystemClock().wallTime - date))),
            executors: parts.executors,
            report: parts.report,
            code: parts.program.code,
            keeper: store.keeper(),
            earlier: store
        )
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

/// Holds replies back until what they tell is kept.
enum KeptReplies {
    /// The interfaces with an error that says that the daemon stops.
    private static let draining: Set<Substring> = [
        "io.scened.Adapters", "io.scened.Control", "io.scened.Events", "io.scened.Manager", "io.scened.Scenes",
        "io.scened.Session",
    ]

    /// What may be told of a running host.
    static func release(of running: RunningHost, in hosts: KeptHosts) -> VarlinkServer.Release {
        { method, then in
            running.current.records.whenKept { isKept in
                if isKept { return then(nil) }
                let interface = method.lastIndex(of: ".").map { method[..<$0] } ?? ""
                if draining.contains(interface) { return then(VarlinkError("\(interface).Draining")) }
                // All that is recorded of a host that has stopped is kept by now. If something is lost, the daemon is about to end, and
                // nobody is told of it.
                if !hosts.hasLost { then(nil) }
            }
        }
    }
}
