internal import SceneRuntime

/// What the daemon was told to do.
struct DaemonConfiguration: Sendable {
    /// The socket's path, if one was named.
    var socket: String?
    /// The manifest's path; the built-in shop without one.
    var app: String?
    var eventLoops: Int?
    var settings: HostSettings
}
