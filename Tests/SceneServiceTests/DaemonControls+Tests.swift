import SceneService

extension DaemonControls {
    /// Controls of a daemon that does nothing.
    static func forTests() -> DaemonControls {
        DaemonControls(version: "0", manifestFile: nil, reload: {}, connections: { 0 }, metrics: { "" })
    }
}
