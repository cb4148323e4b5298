internal import Basics
package import SceneEntryPoints
internal import SceneRouting
package import SceneRuntime
internal import StrictJSON
package import Varlink

/// What `io.scened.Manager` needs from the daemon around the host.
package struct DaemonControls: Sendable {
    /// The daemon's version.
    package let version: String
    /// Whose code in Swift runs; `nil` if only a manifest says what the app is.
    package let code: CodeIdentity?
    /// The manifest's file; `nil` for one that is built in.
    package let manifestFile: String?
    /// Every setting of the daemon.
    package let settings: [SettingInForce]
    /// Reads the manifest again and puts it in force.
    package let reload: @Sendable () async throws -> Void
    /// Begins to stop the daemon, as a signal would, and returns at once.
    package let drain: @Sendable () -> Void
    /// How many clients are connected.
    package let connections: @Sendable () -> Int
    /// The metrics as OpenMetrics text.
    package let metrics: @Sendable () -> String
    /// The roles of a caller.
    package let roles: @Sendable (VarlinkPeer) -> [Role]
    /// What users have under way and were refused.
    package let accounts: UserAccounts
    /// The resources that the daemon's process uses.
    package let process: @Sendable () -> ProcessUsage
    /// How the state is kept; `nil` if it is not.
    package let storage: @Sendable () -> StorageStatus?
    /// Runs what asks the app's adapters about an event of a kind, apart from the event loops; `nil` runs it where it is, because
    /// no adapter is the app's own code.
    package let askAdapters: AdapterQueue?

    package init(
        version: String,
        code: CodeIdentity? = nil,
        manifestFile: String?,
        settings: [SettingInForce] = [],
        reload: @escaping @Sendable () async throws -> Void,
        drain: @escaping @Sendable () -> Void = {},
        connections: @escaping @Sendable () -> Int,
        metrics: @escaping @Sendable () -> String,
        roles: @escaping @Sendable (VarlinkPeer) -> [Role] = { _ in Role.allCases },
        accounts: UserAccounts = UserAccounts(),
        process: @escaping @Sendable () -> ProcessUsage = { ProcessUsage() },
        storage: @escaping @Sendable () -> StorageStatus? = { nil },
        askAdapters: AdapterQueue? = nil
    ) {
        self.version = version
        self.code = code
        self.manifestFile = manifestFile
        self.settings = settings
        self.reload = reload
        self.drain = drain
        self.connections = connections
        self.metrics = metrics
        self.roles = roles
        self.accounts = accounts
        self.process = process
        self.storage = storage
        self.askAdapters = askAdapters
    }
}

/// Runs `body` later, on another thread.
package typealias AdapterQueue = @Sendable (_ kind: EntryKind, _ body: @escaping @Sendable () -> Void) -> Void

/// How a daemon keeps its state.
package struct StorageStatus: Hashable, Sendable {
    /// The folder.
    private let folder: String
    /// Why nothing can be written at present; `nil` if everything can.
    private let problem: String?
    /// How many steps wait for that.
    private let waiting: Int

    package init(folder: String, problem: String?, waiting: Int) {
        self.folder = folder
        self.problem = problem
        self.waiting = waiting
    }

    fileprivate var json: JSONValue {
        var object: JSONObject = ["folder": .string(folder)]
        object["problem"] = problem.map(JSONValue.string)
        object["waiting"] = .integer(waiting)
        return .object(object)
    }
}

/// An app's code in Swift, by its name and version.
package struct CodeIdentity: Hashable, Sendable {
    fileprivate let name: String
    fileprivate let version: String

    package init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}

/// The resources that a process uses; `nil` for what the system does not report.
package struct ProcessUsage: Hashable, Sendable {
    package var processID: Int?
    /// Resident memory, in bytes.
    package var residentBytes: Int?
    package var openDescriptors: Int?
    package var threads: Int?
    /// Processor time since the process started.
    package var processorMilliseconds: Int?

    package init() {}

    fileprivate func write(to status: inout JSONObject) {
        status["processID"] = processID.map(JSONValue.integer)
        status["residentBytes"] = residentBytes.map(JSONValue.integer)
        status["openDescriptors"] = openDescriptors.map(JSONValue.integer)
        status["threads"] = threads.map(JSONValue.integer)
        status["processorMilliseconds"] = processorMilliseconds.map(JSONValue.integer)
    }
}

/// `io.scened.Manager`: shows the daemon's state, reloads the manifest, and stops the daemon.
struct ManagerService: Sendable {
    let running: RunningHost
    let controls: DaemonControls

    private var host: SceneHost { running.current }
    /// How many bytes of a manifest a reply has at most.
    private static let longestPart = 256 << 10

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.manager)
        try service.on("GetStatus") { request, responder in
            let manifest = host.manifest
            var status: JSONObject = [
                "version": .string(controls.version), "host": .string(host.records.host),
                "seed": .integer(Int(Int64(bitPattern: host.seed))), "app": .string(manifest.name),
                "manifestVersion": .string(manifest.version), "manifest": .string(host.manifestDigest),
            ]
            status["code"] = controls.code.map { .object(["name": .string($0.name), "version": .string($0.version)]) }
            status["manifestFile"] = controls.manifestFile.map(JSONValue.string)
            status["uptimeMilliseconds"] = .integer(host.uptime.milliseconds)
            let load = SceneLoad(host.scenes)
            status["scenes"] = .integer(load.scenes)
            status["connections"] = .integer(controls.connections())
            status["records"] = .integer(host.records.newestIndex)
            status["revision"] = .integer(host.session.snapshot.revision)
            status["settings"] = .array(controls.settings.map(\.json))
            status["pending"] = .integer(load.pending)
            status["parked"] = .integer(load.parked)
            status["coordinators"] = .integer(load.coordinators)
            status["memory"] = host.memoryUse.json
            controls.process().write(to: &status)
            let roles = controls.roles(request.connection.peer)
            status["roles"] = .array(roles.map { .string($0.rawValue) })
            status["methods"] = .array(MethodRoles.methods(for: roles).map(JSONValue.string))
            var clock = host.timeOnClock
            clock["virtual"] = .bool(host.isVirtual)
            status["clock"] = .object(clock)
            status["storage"] = controls.storage()?.json
            status["resting"] = .array(host.resting.map(\.json))
            status["users"] = controls.accounts.json(with: UserUse.all(of: running))
            responder.reply(status)
        }
        try service.on("GetManifest") { request, responder in
            let (host, parameters) = (host, request.parameters)
            let digest = parameters["digest"]?.stringValue ?? host.manifestDigest
            guard let json = host.manifestJSON(digest: digest) else {
                let unknown = VarlinkError("io.scened.Manager.UnknownManifest", ["digest": .string(digest.echoed)])
                return _ = responder.fail(unknown)
            }
            let text = Array(JSONValue.object(json).text().utf8)
            let after = parameters["after"]?.integerValue ?? 0
            guard after >= 0 else {
                return _ = responder.fail(.invalidParameter("after", reason: "is \(after); expected 0 or more"))
            }
            let start = min(after, text.count)
            var end = min(start + Self.longestPart, text.count)
            // A character is not cut in two.
            while end < text.count, end > start, text[end] & 0xC0 == 0x80 { end -= 1 }
            guard let part = String(validating: text[start..<end], as: UTF8.self) else {
                let reason = "is within a character; expected what a reply had as next"
                return _ = responder.fail(.invalidParameter("after", reason: reason))
            }
            responder.reply(["digest": .string(digest), "text": .string(part), "next": .integer(max(end, after))])
        }
        try service.on("GetMetrics") { _, responder in
            responder.reply(["openMetrics": .string(controls.metrics())])
        }
        try service.on("Drain") { _, responder in
            responder.onDrain { responder.reply() }
            controls.drain()
        }
        try service.onAsync("Reload") { _ in
            guard !host.isDraining else { throw VarlinkError("io.scened.Manager.Draining") }
            do {
                try await controls.reload()
            } catch let error as ManifestProblems {
                throw VarlinkError(
                    "io.scened.Manager.InvalidManifest",
                    ["problems": .array(error.problems.map(\.json))]
                )
            } catch {
                let problem = ManifestProblem(key: "", message: "\(error)", file: controls.manifestFile)
                throw VarlinkError("io.scened.Manager.InvalidManifest", ["problems": [problem.json]])
            }
            return ["manifestVersion": .string(host.manifest.version), "manifest": .string(host.manifestDigest)]
        }
        return service
    }
}

extension SceneRest {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["scene"] = scene.map(JSONValue.string)
        object["event"] = event.map(JSONValue.string)
        object["hold"] = (hold?.id).map(JSONValue.string)
        object["point"] = (hold?.point.rawValue).map(JSONValue.string)
        object["until"] = (transitionEnd?.milliseconds).map(JSONValue.integer)
        return .object(object)
    }
}

/// A setting with the value that is in force.
package struct SettingInForce: Hashable, Sendable {
    /// Its name in the configuration file, with dots between levels.
    package let key: String
    /// Its value as written on a command line; `nil` if it has none.
    package let value: String?
    /// Where the value comes from: `default`, a flag, an environment variable, a place in a file, or
    /// `RLIMIT_NOFILE` if the process may open too few files for what was configured.
    package let origin: String

    package init(key: String, value: String?, origin: String) {
        self.key = key
        self.value = value
        self.origin = origin
    }

    fileprivate var json: JSONValue {
        var object: JSONObject = ["key": .string(key)]
        object["value"] = value.map(JSONValue.string)
        object["origin"] = .string(origin)
        return .object(object)
    }
}

extension ManifestProblem {
    fileprivate var json: JSONValue {
        var object: JSONObject = ["severity": .string(severity.rawValue)]
        object["file"] = file.map(JSONValue.string)
        object["line"] = line.map(JSONValue.integer)
        object["column"] = column.map(JSONValue.integer)
        object["key"] = .string(key)
        let rest = [expected.map { "expected \($0)" }, suggestion.map { "did you mean '\($0)'?" }].compactMap { $0 }
        object["message"] = .string(([message] + rest).joined(separator: "; "))
        return .object(object)
    }
}

/// Totals over all scenes of a host.
package struct SceneLoad: Hashable, Sendable {
    /// How many scenes there are.
    package let scenes: Int
    /// How many admitted events have not ended their first attempt.
    package let pending: Int
    /// How many intents are parked.
    package let parked: Int
    /// How many coordinators are attached.
    package let coordinators: Int

    package init(_ scenes: [SceneStatus]) {
        self.scenes = scenes.count
        pending = scenes.reduce(0) { $0 + $1.admitted - $1.settled }
        parked = scenes.reduce(0) { $0 + $1.parked.count }
        coordinators = scenes.reduce(0) { $0 + $1.coordinators.count }
    }
}
