import NIOCore
import SceneRuntime
import SceneService
import Varlink

extension DaemonControls {
    /// Controls of a daemon that does nothing.
    static func forTests() -> DaemonControls {
        DaemonControls(version: "0", manifestFile: nil, reload: {}, connections: { 0 }, metrics: { "" })
    }
}

extension VarlinkServer {
    /// A server of a host's API. Clients may be late and slow: in a busy process they have to wait for their turn.
    convenience init(
        _ host: SceneHost,
        controls: DaemonControls = .forTests(),
        group: (any EventLoopGroup)? = nil,
        _ change: (inout Options) -> Void = { _ in }
    ) throws {
        var options = Options()
        options.limits.firstByte = .minutes(15)
        options.limits.stall = .minutes(15)
        change(&options)
        try self.init(
            services: try SocketAPI.services(RunningHost(host) { old, _ in old }, controls: controls),
            identity: VarlinkIdentity(vendor: "test", product: "test", version: "0", url: "https://scened.example"),
            options: options,
            group: group
        )
    }
}
