internal import SceneRuntime

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
