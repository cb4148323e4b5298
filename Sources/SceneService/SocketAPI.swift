package import Varlink

/// The daemon's socket API: a service for every interface of `protocol/`.
package enum SocketAPI {
    /// The services to register with a server.
    /// - Throws: If the code of a service does not fit its interface file, which a test rules out.
    package static func services(_ running: RunningHost, controls: DaemonControls) throws -> [VarlinkService] {
        let adapters = AdapterRegistry()
        let recording = RecordingService(running: running, log: InputLog())
        return [
            try AdaptersService(running: running, registry: adapters).service(),
            recording.noting(try EventsService(running: running, adapters: adapters).service()),
            recording.noting(try ScenesService(running: running).service()),
            recording.noting(try SessionService(running: running).service()), try recording.service(),
            try RoutingService(running: running).service(), try RecordsService(running: running).service(),
            try ControlService(running: running).service(),
            try ManagerService(running: running, controls: controls).service(),
        ]
    }
}

/// The interface files of `protocol/`, compiled in. Introspection returns exactly these.
enum InterfaceText {
    static let adapters = text(PackageResources.io_scened_Adapters_varlink)
    static let control = text(PackageResources.io_scened_Control_varlink)
    static let events = text(PackageResources.io_scened_Events_varlink)
    static let manager = text(PackageResources.io_scened_Manager_varlink)
    static let recording = text(PackageResources.io_scened_Recording_varlink)
    static let records = text(PackageResources.io_scened_Records_varlink)
    static let routing = text(PackageResources.io_scened_Routing_varlink)
    static let scenes = text(PackageResources.io_scened_Scenes_varlink)
    static let session = text(PackageResources.io_scened_Session_varlink)

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
