internal import SceneRouting
internal import SceneRuntime
internal import StrictJSON
internal import Varlink

/// What the daemon around the host can do and knows, for `io.scened.Manager`.
package struct DaemonControls: Sendable {
    /// The daemon's version.
    package let version: String
    /// The manifest's file; `nil` for the built-in shop.
    package let manifestFile: String?
    /// Reads the manifest again and puts it in force.
    package let reload: @Sendable () async throws -> Void
    /// How many clients are connected.
    package let connections: @Sendable () -> Int
    /// The metrics as OpenMetrics text.
    package let metrics: @Sendable () -> String

    package init(
        version: String,
        manifestFile: String?,
        reload: @escaping @Sendable () async throws -> Void,
        connections: @escaping @Sendable () -> Int,
        metrics: @escaping @Sendable () -> String
    ) {
        self.version = version
        self.manifestFile = manifestFile
        self.reload = reload
        self.connections = connections
        self.metrics = metrics
    }
}

/// `io.scened.Manager`: looks after the daemon itself.
struct ManagerService: Sendable {
    let running: RunningHost
    let controls: DaemonControls

    private var host: SceneHost { running.current }

    func service() throws -> VarlinkService {
        var service = try VarlinkService(interface: InterfaceText.manager)
        try service.on("GetStatus") { _, responder in
            let manifest = host.manifest
            var status: JSONObject = [
                "version": .string(controls.version), "host": .string(host.records.host), "app": .string(manifest.name),
                "manifestVersion": .string(manifest.version),
            ]
            status["manifestFile"] = controls.manifestFile.map(JSONValue.string)
            status["uptimeMilliseconds"] = .integer(host.uptime.milliseconds)
            status["scenes"] = .integer(host.scenes.count)
            status["connections"] = .integer(controls.connections())
            status["records"] = .integer(host.records.newestIndex)
            status["revision"] = .integer(host.session.snapshot.revision)
            responder.reply(status)
        }
        try service.on("GetMetrics") { _, responder in
            responder.reply(["openMetrics": .string(controls.metrics())])
        }
        try service.onAsync("Reload") { _ in
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
            return ["manifestVersion": .string(host.manifest.version)]
        }
        return service
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
