import SceneService

extension DaemonControls {
    /// A daemon around the host that can do nothing.
    static func forTests() -> DaemonControls {
        DaemonControls(version: "0", manifestFile: nil, reload: {}, connections: { 0 }, metrics: { "" })
    }
}
