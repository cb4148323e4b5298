package import Varlink

/// The daemon's socket API: every interface of `protocol/`, answered by the host that runs.
package enum SocketAPI {
    /// The services to register with a server.
    /// - Throws: When an interface file and the code that answers it do not fit together, which a test rules out.
    package static func services(_ running: RunningHost, controls: DaemonControls) throws -> [VarlinkService] {
        let adapters = AdapterRegistry()
        return [
            try AdaptersService(running: running, registry: adapters).service(),
            try EventsService(running: running, adapters: adapters).service(),
            try ScenesService(running: running).service(), try SessionService(running: running).service(),
            try RoutingService(running: running).service(), try RecordsService(running: running).service(),
            try ControlService(running: running).service(),
            try ManagerService(running: running, controls: controls).service(),
        ]
    }
}
