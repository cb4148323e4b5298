package import Varlink

/// The daemon's socket API: a service for every interface of `protocol/`.
package enum SocketAPI {
    /// The fields that hold names elsewhere, but in these interfaces any text: a widget's kind is the app's own, and in routing
    /// an empty user stands for nobody.
    private static let exceptions: [String: Set<String>] = [
        "io.scened.Events": ["kind"], "io.scened.Routing": ["user", "locale", "market"],
    ]

    /// The services to register with a server.
    /// - Throws: If the code of a service does not fit its interface file, which a test rules out.
    package static func services(_ running: RunningHost, controls: DaemonControls) throws -> [VarlinkService] {
        let adapters = AdapterRegistry(ownQueue: controls.askAdapters)
        let inputs = InputLog()
        let recording = RecordingService(running: running, log: inputs)
        var services = [
            try AdaptersService(running: running, registry: adapters, accounts: controls.accounts).service(),
            recording.noting(
                try EventsService(running: running, adapters: adapters, inputs: inputs, roles: controls.roles).service()
            ),
            recording.noting(try ScenesService(running: running).service()),
            recording.noting(try SessionService(running: running).service()), try recording.service(),
            try RoutingService(running: running).service(),
            try RecordsService(running: running, accounts: controls.accounts).service(),
            try ControlService(running: running, inputs: inputs, accounts: controls.accounts).service(),
            try ManagerService(running: running, controls: controls).service(),
        ]
        for index in services.indices {
            services[index].texts = NamesInCalls.rule(besides: exceptions[services[index].interface.name] ?? [])
        }
        return services
    }
}
