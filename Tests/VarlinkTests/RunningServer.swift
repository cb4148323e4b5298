import Foundation
import NIOCore
import Basics
import Varlink

/// A server on a socket in a temporary folder.
final class RunningServer: Sendable {
    let example: ExampleService
    let server: VarlinkServer
    let path: String
    private let folder: URL
    private let incidentLog: Incidents

    final class Incidents: Sendable {
        private let kinds = Guarded<[VarlinkIncident.Kind]>([])
        func add(_ kind: VarlinkIncident.Kind) { kinds.withLock { $0.append(kind) } }
        var all: [VarlinkIncident.Kind] { kinds.withLock { $0 } }
    }

    var incidents: [VarlinkIncident.Kind] { incidentLog.all }

    private init(example: ExampleService, server: VarlinkServer, folder: URL, incidents: Incidents) {
        self.example = example
        self.server = server
        self.folder = folder
        path = folder.appending(path: "socket").path
        incidentLog = incidents
    }

    /// Runs `body` against a server, then shuts it down and removes its folder.
    static func run(
        limits: VarlinkServerLimits = VarlinkServerLimits(),
        checksReplies: Bool = true,
        authorize: @escaping @Sendable (VarlinkPeer, String) -> VarlinkError? = { _, _ in nil },
        cutOffError: @escaping @Sendable (String) -> VarlinkError? = { _ in nil },
        group: (any EventLoopGroup)? = nil,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let example = ExampleService()
        let incidents = Incidents()
        var options = VarlinkServer.Options()
        options.limits = limits
        // A client in a busy process may be late.
        options.limits.firstByte = .minutes(15)
        options.checksReplies = checksReplies
        options.authorize = authorize
        options.cutOffError = cutOffError
        options.report = { incidents.add($0.kind) }
        let server = try VarlinkServer(
            services: [try example.service()],
            identity: VarlinkIdentity(vendor: "V", product: "P", version: "1", url: "https://example.org"),
            options: options,
            group: group
        )
        let folder = FileManager.default.temporaryDirectory.appending(path: "varlink-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let running = RunningServer(example: example, server: server, folder: folder, incidents: incidents)
        do {
            try await server.listen(path: running.path)
            try await body(running)
        } catch {
            await server.shutDown(within: .zero)
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        await server.shutDown(within: .zero)
        try? FileManager.default.removeItem(at: folder)
    }
}
