internal import SceneRuntime

/// What the daemon was told to do.
struct DaemonConfiguration: Sendable {
    /// The socket's path, if one was named.
    var socket: String?
    /// The manifest's path; the built-in shop without one.
    var app: String?
    var eventLoops: Int?
    var settings: HostSettings
    var clock: ClockKind
}

/// Which clock the windows go by.
enum ClockKind: String, CaseIterable, Sendable {
    case real
    /// Nothing moves until a client advances it.
    case virtual

    /// A clock at its start.
    func make() -> any RuntimeClock {
        switch self {
        case .real: SystemClock()
        case .virtual: VirtualClock(wallTime: SystemClock().wallTime)
        }
    }
}
