package import SceneRuntime
package import Varlink

/// The daemon's socket API: every interface of `protocol/`, answered by one host.
package enum SocketAPI {
    /// The services to register with a server.
    /// - Throws: When an interface file and the code that answers it do not fit together, which a test rules out.
    package static func services(host: SceneHost, controls: DaemonControls) throws -> [VarlinkService] {
        let adapters = AdapterRegistry()
        return [
            try AdaptersService(host: host, registry: adapters).service(),
            try EventsService(host: host, adapters: adapters).service(), try ScenesService(host: host).service(),
            try SessionService(host: host).service(), try RoutingService(host: host).service(),
            try RecordsService(host: host).service(), try ControlService(host: host).service(),
            try ManagerService(host: host, controls: controls).service(),
        ]
    }
}
